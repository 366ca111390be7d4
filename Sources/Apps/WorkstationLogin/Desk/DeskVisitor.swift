import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

/// A central that talks to the desk.
final class DeskVisitor {
    let central: CBCentral
    var pipe: FramedPipe!
    var conversation: DeskConversation
    /// Since when it keeps others away without a session; nil while it does not.
    var heldSince: TimeInterval?
    var endsWithLink = true
    var showsCode = false
    var alarm: AppTimer?
    var isGone = false
    /// Refusals that are told of at once, and when the last one was.
    private var tellable = Double(mostAnswers)
    private var lastRefusal: TimeInterval = 0

    /// So many answers may wait for a visitor, who can ask faster than they leave.
    static let mostAnswers = 8

    init(_ central: CBCentral, random: RandomBytes) {
        self.central = central
        conversation = DeskConversation(random: random)
    }

    /// Whether a refusal is reported: eight at once, then one a second, so that a peer that asks without end does not fill a log.
    func isRefusalTold(at now: TimeInterval) -> Bool {
        tellable = min(tellable + now - lastRefusal, Double(Self.mostAnswers))
        lastRefusal = now
        guard tellable >= 1 else { return false }
        tellable -= 1
        return true
    }
}
