public import BluethroatBluetoothValues

/// Resolvable private addresses: 24 random bits and their hash under an identity resolving key.
/// Core 6.0, Vol 6, Part B, 1.3.2.2 and 1.3.2.3.
public enum AddressHash {
    /// The random address hash function ah of 24 bits. Core 6.0, Vol 3, Part H, 2.2.2.
    public static func ah(key: AESKey, random: UInt32) -> UInt32 {
        let text = Block128(high: 0, low: UInt64(random & 0xFF_FFFF))
        return UInt32(truncatingIfNeeded: key.encrypt(text).low & 0xFF_FFFF)
    }

    /// The random address hash function ah with a key that is used once.
    public static func ah(key: Block128, random: UInt32) -> UInt32 { ah(key: AESKey(key), random: random) }

    /// The address of so many random bits, of which the lowest 22 are used; nil where these are all zeros or all
    /// ones, which is not allowed.
    public static func resolvableAddress(key: AESKey, random: UInt32) -> DeviceAddress? {
        let bits = random & 0x3F_FFFF
        guard bits != 0, bits != 0x3F_FFFF else { return nil }
        let prand = bits | 0x40_0000
        return DeviceAddress(value: UInt64(prand) << 24 | UInt64(ah(key: key, random: prand)), kind: .random)
    }

    /// A new address. Draws again in the rare case of bits that are not allowed.
    public static func resolvableAddress(
        key: AESKey,
        using generator: inout some RandomNumberGenerator
    ) -> DeviceAddress {
        while true {
            let bits = UInt32(truncatingIfNeeded: generator.next())
            if let address = resolvableAddress(key: key, random: bits) { return address }
        }
    }

    /// The address of so many random bits with a key that is used once.
    public static func resolvableAddress(key: Block128, random: UInt32) -> DeviceAddress? {
        resolvableAddress(key: AESKey(key), random: random)
    }

    /// Whether a resolvable private address was made with the key; false for every other kind of address.
    public static func resolves(_ address: DeviceAddress, key: AESKey) -> Bool {
        guard address.randomSubtype == .resolvablePrivate else { return false }
        let prand = UInt32(truncatingIfNeeded: address.value >> 24)
        return ah(key: key, random: prand) == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
    }

    /// Whether a resolvable private address was made with a key that is used once.
    public static func resolves(_ address: DeviceAddress, key: Block128) -> Bool {
        address.randomSubtype == .resolvablePrivate && resolves(address, key: AESKey(key))
    }
}
