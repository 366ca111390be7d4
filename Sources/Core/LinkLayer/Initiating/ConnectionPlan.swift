import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI

/// A connection request as it goes over the air, and between whom.
struct ConnectionPlan: Sendable {
    let indication: ConnectIndication
    let own: OwnAddress
    let peer: HeardDevice
}
