import BluetoothValues
import HCI

/// The private addresses of a connection, as LE Enhanced Connection Complete tells them. Core 6.0, Vol 4, Part E, 7.7.65.10.
extension Connection {
    /// The one that the controller made for itself; all zero if it used none.
    var localPrivateAddress: DeviceAddress {
        ownAddress == ownIdentity ? DeviceAddress(value: 0, kind: .random) : ownAddress
    }

    /// The peer's, where its identity is known; all zero otherwise.
    var peerPrivateAddress: DeviceAddress {
        peerIdentity.isIdentity ? peer : DeviceAddress(value: 0, kind: .random)
    }
}
