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
    /// Whether it has asked for digits to be compared, and has sent no credentials yet.
    var comparesDigits = false

    /// So many answers may wait for a visitor, who can ask faster than they leave.
    static let mostAnswers = 8

    init(_ central: CBCentral, random: RandomBytes) {
        self.central = central
        conversation = DeskConversation(random: random)
    }
}
