public import BluethroatBluetoothValues
import BluethroatHost

/// Names an attribute: `0x0025`, `2A19`, `1802/2A06` or `FFA0/FFA1/2901`.
public enum AttributePath: Hashable, Sendable {
    case handle(AttributeHandle)
    case characteristic(BluetoothUUID, service: BluetoothUUID?)
    case descriptor(BluetoothUUID, characteristic: BluetoothUUID, service: BluetoothUUID)

    /// Reads one of the four forms.
    public init(parsing text: String) throws(AttributePathError) {
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            let digits = text.dropFirst(2)
            guard digits.count <= 4, digits.allSatisfy(\.isHexDigit), let number = UInt16(digits, radix: 16),
                let handle = AttributeHandle(rawValue: number)
            else { throw AttributePathError("\(text) is no attribute handle; they go from 0x0001 to 0xFFFF") }
            self = .handle(handle)
            return
        }
        var uuids: [BluetoothUUID] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard let uuid = BluetoothUUID(part) else {
                throw AttributePathError(
                    "\(part.isEmpty ? "nothing" : String(part)) is no UUID and no handle; write 2A19, "
                        + "1802/2A06, a UUID with dashes, or 0x0025"
                )
            }
            uuids.append(uuid)
        }
        switch uuids.count {
        case 1: self = .characteristic(uuids[0], service: nil)
        case 2: self = .characteristic(uuids[1], service: uuids[0])
        case 3: self = .descriptor(uuids[2], characteristic: uuids[1], service: uuids[0])
        default: throw AttributePathError("\(text) is too long; SERVICE/CHARACTERISTIC/DESCRIPTOR is the longest form")
        }
    }
}

extension AttributePath {
    /// Whether it says in which service the attribute is.
    var hasService: Bool {
        switch self {
        case .handle, .characteristic(_, service: nil): false
        case .characteristic, .descriptor: true
        }
    }
}

extension AttributePath: CustomStringConvertible {
    public var description: String {
        switch self {
        case .handle(let handle): "\(handle)"
        case .characteristic(let uuid, nil): "\(uuid)"
        case .characteristic(let uuid, let service?): "\(service)/\(uuid)"
        case .descriptor(let uuid, let characteristic, let service): "\(service)/\(characteristic)/\(uuid)"
        }
    }
}

/// A text that names no attribute; the message says what to write.
public struct AttributePathError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
