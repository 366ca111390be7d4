import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What both sides have agreed to change over to, and at which connection event. Core 6.0, Vol 6, Part B, 5.5.
///
/// It waits beside the procedures: encryption, for one, may begin before the instant.
struct ChangeAtInstant: Sendable {
    enum Change: Sendable {
        case connectionUpdate(ConnectionUpdateIndication, ConnectionParameters)
        case channelMap(ChannelMap)
        case phys(transmit: PHY, receive: PHY)
    }

    let change: Change
    /// The counter of the event at which it takes effect.
    let instant: UInt16

    /// How much later than planned the anchor point of an event is: a connection update moves it at its instant.
    func offset(at counter: UInt16) -> TimeSpan {
        guard instant == counter, case .connectionUpdate(let indication, _) = change else { return .zero }
        return .microseconds(1_250 * Int64(indication.windowOffsetSteps))
    }

    /// What kind of request of the peer's would lead to the same.
    var kind: ProcedureKind {
        switch change {
        case .connectionUpdate: .connectionUpdateForPeer
        case .channelMap: .channelMapUpdate
        case .phys: .phyUpdate
        }
    }
}
