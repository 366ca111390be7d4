import AirPackets
import BluetoothValues
import HCI

/// A connection request as it goes over the air, and between whom.
struct ConnectionPlan: Sendable {
    let indication: ConnectIndication
    let own: OwnAddress
    let peer: HeardDevice
}
