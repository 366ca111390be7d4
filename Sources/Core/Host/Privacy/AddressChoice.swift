internal import BluethroatBluetoothValues
internal import BluethroatHCI

/// How one activity shows itself: what its command says, and what the controller's random address has to be for it.
struct AddressChoice: Equatable, Sendable {
    var type: OwnAddressType
    /// What the controller's random address has to be; nil if it is not used.
    var random: RandomAddressUse?

    static let publicAddress = Self(type: .public, random: nil)
}

/// What kind of address the controller has as its random one. Core 6.0, Vol 4, Part E, 7.8.4.
enum RandomAddressUse: Equatable, Sendable {
    case staticDevice
    case resolvable
    case nonResolvable
}
