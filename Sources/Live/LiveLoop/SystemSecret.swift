public import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
public import BluethroatHost

extension Block128 {
    /// 128 secret bits: what keys of live devices are drawn from.
    public static func fromSystem() -> Block128 {
        var generator = SystemRandomNumberGenerator()
        return Block128(high: generator.next(), low: generator.next())
    }
}

extension LocalIdentity {
    /// A new identity: a static address and a key for private ones, both drawn from the system.
    public static func fromSystem() -> LocalIdentity {
        // The 46 random bits may be neither all zeros nor all ones. Core 6.0, Vol 6, Part B, 1.3.2.1.
        let bits = UInt64.random(in: 1...(1 << 46) - 2)
        let address = DeviceAddress(value: 0b11 << 46 | bits, kind: .random)
        guard let identity = LocalIdentity(address: address, resolvingKey: .fromSystem()) else {
            preconditionFailure("a static address is an identity")
        }
        return identity
    }
}
