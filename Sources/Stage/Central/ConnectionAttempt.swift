import BluetoothValues
import Host
import VirtualTime

/// A connection that is just being made.
///
/// A connection exists for the controller as soon as it has sent its request, and vanishes at once if the peer never
/// heard it (error 0x3E): another scanner may have spoken at the same moment. So it counts only when the peer has
/// answered something, the exchange of MTUs, and is tried again until the time is over.
struct ConnectionAttempt {
    let peer: DeviceAddress
    /// In the log.
    let entry: Int
    let deadline: Instant
    let answer: StageCentral.Answer<CentralLink>
    /// What the controller believes in, and what has to be answered on it.
    var link: CentralLink?
    var proof: ProcedureID?

    /// Whether one that was never heard is tried again.
    func triesAgain(after reason: ControllerError, at now: Instant) -> Bool {
        reason == .connectionFailedToBeEstablished && now < deadline
    }
}
