import AppTime
import CoreBluetooth
import Foundation

/// A central that talks to the desk, and how far they are.
final class DeskVisitor {
    enum Step {
        case nothing
        case offered(DeskHandshake)
        case agreed
        /// Somebody finds out whether the credentials are right.
        case checking
        case inside
    }

    let central: CBCentral
    var pipe: FramedPipe!
    var step = Step.nothing
    var channel: SealedChannel?
    var endsWithLink = true
    var showsCode = false
    var alarm: AppTimer?
    var isGone = false

    init(_ central: CBCentral) { self.central = central }
}
