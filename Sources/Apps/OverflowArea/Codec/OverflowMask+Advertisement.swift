public import CoreBluetooth
import Foundation

// On the air.
extension OverflowMask {
    /// The AD structure that carries the mask: manufacturer specific data of Apple's, message type 1. 21 bytes.
    public var structure: [UInt8] { [20, 0xFF] + Self.header + bytes(.air) }

    /// What a phone sends whose apps are all in the background: flags and the mask, 24 bytes. Nil without a bit, since
    /// then it does not advertise.
    public var advertisement: [UInt8]? { isEmpty ? nil : [2, 0x01, 0x1A] + structure }

    /// The mask in the bytes of an advertisement or a scan response; nil if there is none. Bytes that are no
    /// advertisement have none.
    public init?(advertisement bytes: [UInt8]) {
        var rest = bytes[...]
        while let length = rest.first, length > 0 {
            rest = rest.dropFirst()
            guard rest.count >= Int(length) else { return nil }
            let structure = rest.prefix(Int(length))
            if structure.first == 0xFF, let mask = Self(manufacturerData: Data(structure.dropFirst())) {
                self = mask
                return
            }
            rest = rest.dropFirst(Int(length))
        }
        return nil
    }

    /// The mask in manufacturer data, the company in front, as other systems than iOS show them to apps; nil if they are
    /// something else.
    public init?(manufacturerData data: Data) {
        guard data.count >= Self.header.count + 16, data.starts(with: Self.header) else { return nil }
        self.init(Array(data.dropFirst(Self.header.count).prefix(16)), order: .air)
    }

    /// Apple's company identifier, and the number of this kind of message.
    private static let header: [UInt8] = [0x4C, 0x00, 0x01]
}

// In what an app receives on iOS.
extension OverflowMask {
    /// What a scan for all services of the table has found of a phone; nil if nothing in its overflow area. Services that
    /// are not in the table are passed over.
    public init?(advertisementData: [String: Any]) {
        guard let services = advertisementData[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] else {
            return nil
        }
        self.init(inTable: services)
    }

    /// The bits of those services that are in the table.
    init(inTable services: [CBUUID]) {
        self.init()
        // A scan for the services of the table reports these very objects. They are found without being retained.
        for index in services.indices {
            let known = OverflowBit(ofObject: ObjectIdentifier(services[index]))
            if let bit = known ?? OverflowBit(inTable: services[index]) { insert(bit) }
        }
    }
}

// As text.
extension OverflowMask {
    /// Up to 128 characters 0 and 1, the first for the first bit of the table; missing ones are zero. Nil for anything
    /// else. The bits of a text in ASCII, from left to right, can be read on the air.
    public init?(binary: String) {
        guard binary.utf8.count <= OverflowBit.count else { return nil }
        self.init()
        for (index, digit) in binary.utf8.enumerated() {
            switch digit {
            case UInt8(ascii: "0"): break
            case UInt8(ascii: "1"): OverflowBit(index: index).map { insert($0) }
            default: return nil
            }
        }
    }

    /// 128 characters 0 and 1.
    public var binary: String {
        bytes(.air).map { byte in (0..<8).map { byte << $0 & 0x80 == 0 ? "0" : "1" }.joined() }.joined()
    }
}
