internal import BluethroatBluetoothCrypto

/// Six decimal digits that a person reads, types or compares. Core 6.0, Vol 3, Part H, 2.3.5.3.
public struct Passkey: Hashable, Sendable {
    /// 0 to 999 999.
    public let value: UInt32

    /// Nil above 999 999.
    public init?(_ value: UInt32) {
        guard value <= 999_999 else { return nil }
        self.value = value
    }

    /// Six decimal digits, leading zeros included; nil for anything else.
    public init?(digits: some StringProtocol) {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = UInt32(digits)
        else { return nil }
        self.init(value)
    }

    /// Bit 0 to 19, least significant first, as each round of passkey entry proves one.
    func bit(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: value >> UInt32(index) & 1) }

    /// The digits as a number of 128 bits.
    var block: Block128 { Block128(high: 0, low: UInt64(value)) }
}

extension Passkey: CustomStringConvertible {
    /// Always six digits: `004711`.
    public var description: String {
        let digits = String(value)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
