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
    /// Whether its user is to compare digits, and no credentials have come yet.
    var comparesDigits = false

    /// So many answers may wait for a visitor, who can ask faster than they leave.
    static let mostAnswers = 8

    init(_ central: CBCentral, random: RandomBytes) {
        self.central = central
        conversation = DeskConversation(random: random)
    }
}

/// Which refusals are reported: eight at once, then one a second, whoever is refused, so that a peer that asks without end does
/// not fill a log.
struct RefusalPace {
    private static let most = 8.0

    private var left = most
    private var last: TimeInterval = 0

    /// Whether the one at this time is.
    mutating func tells(at now: TimeInterval) -> Bool {
        left = min(left + now - last, Self.most)
        last = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
