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

    init(_ central: CBCentral, random: RandomBytes) {
        self.central = central
        conversation = DeskConversation(random: random)
    }
}
