import BluetoothValues
import Host

/// Which device somebody means: an address, if it is written like one, else a name as advertised.
enum DeviceTarget: Hashable, Sendable {
    /// The 48 bits; public or random will be found out.
    case address(UInt64)
    case name(String)

    init(_ text: String) {
        if let address = DeviceAddress(text, kind: .public) {
            self = .address(address.value)
        } else {
            self = .name(text)
        }
    }

    func matches(_ device: DiscoveryCache.Entry) -> Bool {
        switch self {
        case .address(let value): device.address.value == value
        case .name(let name): device.localName == name
        }
    }
}

extension DeviceTarget: CustomStringConvertible {
    var description: String {
        switch self {
        case .address(let value): DeviceAddress(value: value, kind: .public).description
        case .name(let name): "\"\(name)\""
        }
    }
}
