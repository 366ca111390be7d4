public import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What a line orders the central to do that the words of a key fob can bring into its world: `central …`.
///
/// Orders wait for each other, except the movement.
public enum CentralWord: Hashable, Sendable {
    /// `central connect`: with the fob that the line is for.
    case connect
    /// `central disconnect`
    case disconnect
    /// `central read 2A19`
    case read(CharacteristicName)
    /// `central write 1803/2A06 02`: with a response, unless the characteristic has only writes without one.
    case write(CharacteristicName, [UInt8])
    /// `central subscribe FFE1`
    case subscribe(CharacteristicName)
    /// `central d METRES`: how far it goes from its place, away from the fobs; 0 is back.
    case distance(metres: Double)
}

/// Names a characteristic: `2A19`, or with its service, `1803/2A06`.
public struct CharacteristicName: Hashable, Sendable, CustomStringConvertible {
    public var uuid: BluetoothUUID
    /// Nil where the characteristic alone is enough.
    public var service: BluetoothUUID?

    public init(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) {
        self.uuid = uuid
        self.service = service
    }

    /// Nil if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { BluetoothUUID($0) }
        guard (1...2).contains(parts.count), let uuid = parts.last ?? nil, let first = parts[0] else { return nil }
        self.init(uuid, in: parts.count == 2 ? first : nil)
    }

    public var description: String { (service.map { "\($0)/" } ?? "") + "\(uuid)" }
}

extension CentralWord {
    /// The most bytes that a value has. Core 6.0, Vol 3, Part F, 3.2.9.
    static let longestValue = 512

    /// Reads what stands behind `central`; nil if it is no order.
    init?(_ arguments: [String]) {
        let rest = arguments.dropFirst().map(\.self)
        switch (arguments.first, rest.count) {
        case ("connect", 0): self = .connect
        case ("disconnect", 0): self = .disconnect
        case ("read", 1):
            guard let name = CharacteristicName(rest[0]) else { return nil }
            self = .read(name)
        case ("subscribe", 1):
            guard let name = CharacteristicName(rest[0]) else { return nil }
            self = .subscribe(name)
        case ("write", 2):
            guard let name = CharacteristicName(rest[0]), let value = Self.bytes(rest[1]) else { return nil }
            self = .write(name, value)
        case ("d", 1):
            guard let metres = Double(decimal: rest[0]), metres >= 0 else { return nil }
            self = .distance(metres: metres)
        default: return nil
        }
    }

    /// Two hexadecimal digits a byte.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2), digits.count <= 2 * longestValue else {
            return nil
        }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
