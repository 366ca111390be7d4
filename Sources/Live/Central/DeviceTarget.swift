import BluethroatBluetoothValues
public import BluethroatHost

/// Which device is meant: an address, if it is written like one, else a name as advertised.
public enum DeviceTarget: Hashable, Sendable {
    /// The 48 bits; public or random will be found out.
    case address(UInt64)
    case name(String)

    /// An address, if it is written like one, else a name.
    public init(_ text: String) {
        if let address = DeviceAddress(text, kind: .public) {
            self = .address(address.value)
        } else {
            self = .name(text)
        }
    }

    /// Whether it is the device that is meant, by what it advertises.
    public func matches(_ device: DiscoveryCache.Entry) -> Bool {
        switch self {
        case .address(let value): device.address.value == value
        case .name(let name): device.localName == name
        }
    }

    /// What a device that was heard has to do with the one that is meant.
    enum Match {
        case isMeant
        /// It has the name of a bonded device, and is another one.
        case bearsTheName
        case isAnother
    }

    /// `identity` is that of the bonded device which was heard, `bonded` are the devices with a bond that are meant.
    func match(
        _ device: DiscoveryCache.Entry,
        identity: DeviceAddress?,
        bonded: [DeviceAddress],
        isStrict: Bool
    ) -> Match {
        if bonded.contains(identity ?? device.address) { return .isMeant }
        guard matches(device) else { return .isAnother }
        // A bonded device must not be confused with one that only has its name.
        if isStrict, !bonded.isEmpty, case .name = self { return .bearsTheName }
        return .isMeant
    }

    /// Whether the bond is with the device that is meant.
    public func matches(_ bond: Bond) -> Bool {
        switch self {
        case .address(let value): bond.peer.value == value
        case .name(let name): bond.name == name
        }
    }
}

extension DeviceTarget {
    /// As it was typed, for the commands that a message suggests.
    public var text: String {
        switch self {
        case .address: description
        case .name(let name): name
        }
    }
}

extension DeviceTarget: CustomStringConvertible {
    public var description: String {
        switch self {
        case .address(let value): DeviceAddress(value: value, kind: .public).description
        case .name(let name): "\"\(name)\""
        }
    }
}
