public import BluethroatBluetoothValues

/// The functions by which two devices that pair check each other and make keys. Core 6.0, Vol 3, Part H, 2.2.
///
/// Names and order of parameters are the specification's, and so are the values: a number read from a packet with
/// `Block128(littleEndian:)` goes in as it is, and the result goes out as `littleEndianBytes`.
public enum PairingFunctions {}

// LE legacy pairing.
extension PairingFunctions {
    /// c1: the confirm value of LE legacy pairing. Core 6.0, Vol 3, Part H, 2.2.3.
    ///
    /// - Parameters:
    ///   - k: The temporary key.
    ///   - r: The random number of the side whose confirm value this is.
    ///   - preq: The Pairing Request as it was on the air, seven bytes from its code on.
    ///   - pres: The Pairing Response, likewise.
    ///   - ia: The initiating device's address in the connection, with its kind (iat).
    ///   - ra: The responding device's address in the connection, with its kind (rat).
    public static func c1(
        k: Block128,
        r: Block128,
        preq: some Collection<UInt8>,
        pres: some Collection<UInt8>,
        ia: DeviceAddress,
        ra: DeviceAddress
    ) -> Block128 {
        precondition(preq.count == 7 && pres.count == 7, "a Pairing Request or Response has seven bytes")
        let request = preq.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let response = pres.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let kinds = UInt64(ra.kind.rawValue) << 8 | UInt64(ia.kind.rawValue)
        let p1 = Block128(high: response << 8 | request >> 48, low: request << 16 | kinds)
        let p2 = Block128(high: ia.value >> 16, low: ia.value << 48 | ra.value)
        let key = AESKey(k)
        return key.encrypt(key.encrypt(r ^ p1) ^ p2)
    }

    /// s1: the short term key of LE legacy pairing, of which r1 is the responder's random number and r2 the
    /// initiator's. Core 6.0, Vol 3, Part H, 2.2.4 and 2.3.5.5.
    public static func s1(k: Block128, r1: Block128, r2: Block128) -> Block128 {
        AESBlock.encrypt(key: k, plaintext: Block128(high: r1.low, low: r2.low))
    }
}

// LE Secure Connections.
extension PairingFunctions {
    /// f4: the confirm value of LE Secure Connections. Core 6.0, Vol 3, Part H, 2.2.6.
    ///
    /// - Parameters:
    ///   - u: The X coordinate of the public key of the side whose confirm value this is.
    ///   - v: The X coordinate of the other side's public key.
    ///   - x: The random number of the side whose confirm value this is.
    ///   - z: With passkeys 0x80 or 0x81 after the bit of the round; otherwise 0.
    public static func f4(u: Block256, v: Block256, x: Block128, z: UInt8) -> Block128 {
        var message = start(65)
        u.writeBigEndian(to: &message)
        v.writeBigEndian(to: &message)
        message.append(z)
        return AESCMAC.authenticate(message, key: x)
    }

    /// What f5 makes of a Diffie-Hellman key.
    public struct DerivedKeys: Equatable, Sendable {
        /// The key of the check values that end the pairing.
        public let macKey: Block128
        /// The long term key.
        public let longTermKey: Block128
    }

    /// f5: the keys of LE Secure Connections. Core 6.0, Vol 3, Part H, 2.2.7.
    ///
    /// - Parameters:
    ///   - w: The Diffie-Hellman key.
    ///   - n1: The central's random number.
    ///   - n2: The peripheral's random number.
    ///   - a1: The central's address in the connection.
    ///   - a2: The peripheral's address in the connection.
    public static func f5(
        w: Block256,
        n1: Block128,
        n2: Block128,
        a1: DeviceAddress,
        a2: DeviceAddress
    ) -> DerivedKeys {
        let salt = Block128(high: 0x6C88_8391_AAF5_A538, low: 0x6037_0BDB_5A60_83BE)
        var secret = start(32)
        w.writeBigEndian(to: &secret)
        let t = AESCMAC.authenticate(secret, key: salt)
        var message = start(53)
        message.append(0)
        // "btle".
        message.append(contentsOf: [0x62, 0x74, 0x6C, 0x65])
        n1.writeBigEndian(to: &message)
        n2.writeBigEndian(to: &message)
        append(a1, to: &message)
        append(a2, to: &message)
        // The length of the result: 256 bits.
        message.append(contentsOf: [0x01, 0x00])
        let macKey = AESCMAC.authenticate(message, key: t)
        message[0] = 1
        return DerivedKeys(macKey: macKey, longTermKey: AESCMAC.authenticate(message, key: t))
    }

    /// The three fields of a Pairing Request or Response that its sender's check value covers.
    /// Core 6.0, Vol 3, Part H, 2.2.8 and 3.5.1.
    public struct AnnouncedCapabilities: Hashable, Sendable {
        /// IO Capability: 0 to 4.
        public var inputOutput: UInt8
        /// OOB data flag: 0 or 1.
        public var outOfBand: UInt8
        /// AuthReq: bonding, MITM, Secure Connections, keypress notifications, CT2.
        public var authenticationRequirements: UInt8

        /// The fields as they follow a Pairing Request's or Response's code.
        @inlinable
        public init(inputOutput: UInt8, outOfBand: UInt8, authenticationRequirements: UInt8) {
            self.inputOutput = inputOutput
            self.outOfBand = outOfBand
            self.authenticationRequirements = authenticationRequirements
        }
    }

    /// f6: the check value of LE Secure Connections. Core 6.0, Vol 3, Part H, 2.2.8.
    ///
    /// - Parameters:
    ///   - w: The MacKey that f5 made.
    ///   - n1: The random number of the side whose check value this is.
    ///   - n2: The other side's random number.
    ///   - r: The passkey, the peer's out-of-band random number, or 0.
    ///   - ioCap: What the side whose check value this is announced.
    ///   - a1: The address of the side whose check value this is.
    ///   - a2: The other side's address.
    public static func f6(
        w: Block128,
        n1: Block128,
        n2: Block128,
        r: Block128,
        ioCap: AnnouncedCapabilities,
        a1: DeviceAddress,
        a2: DeviceAddress
    ) -> Block128 {
        var message = start(65)
        n1.writeBigEndian(to: &message)
        n2.writeBigEndian(to: &message)
        r.writeBigEndian(to: &message)
        message.append(ioCap.authenticationRequirements)
        message.append(ioCap.outOfBand)
        message.append(ioCap.inputOutput)
        append(a1, to: &message)
        append(a2, to: &message)
        return AESCMAC.authenticate(message, key: w)
    }

    /// g2: the 32 bits of which people compare six digits. Core 6.0, Vol 3, Part H, 2.2.9.
    ///
    /// - Parameters:
    ///   - u: The X coordinate of the initiator's public key.
    ///   - v: The X coordinate of the responder's public key.
    ///   - x: The initiator's random number.
    ///   - y: The responder's random number.
    public static func g2(u: Block256, v: Block256, x: Block128, y: Block128) -> UInt32 {
        var message = start(80)
        u.writeBigEndian(to: &message)
        v.writeBigEndian(to: &message)
        y.writeBigEndian(to: &message)
        return UInt32(truncatingIfNeeded: AESCMAC.authenticate(message, key: x).low)
    }

    /// The number that people compare, 0 to 999 999, shown with all six digits: g2 modulo a million.
    /// Core 6.0, Vol 3, Part H, 2.3.5.6.4.
    public static func numericComparisonValue(u: Block256, v: Block256, x: Block128, y: Block128) -> UInt32 {
        g2(u: u, v: v, x: x, y: y) % 1_000_000
    }
}

// Keys from keys.
extension PairingFunctions {
    /// h6: another key from a key, named by four characters. Core 6.0, Vol 3, Part H, 2.2.10.
    ///
    /// - Parameters:
    ///   - w: The key to convert.
    ///   - keyID: The four characters, the first one in the highest bits.
    public static func h6(w: Block128, keyID: UInt32) -> Block128 {
        let message = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: keyID >> $0) }
        return AESCMAC.authenticate(message, key: w)
    }

    /// h7: another key from a key, named by a salt. Core 6.0, Vol 3, Part H, 2.2.11.
    public static func h7(salt: Block128, w: Block128) -> Block128 {
        AESCMAC.authenticate(w.bigEndianBytes, key: salt)
    }
}

extension PairingFunctions {
    /// A message that is going to have so many bytes.
    private static func start(_ count: Int) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(count)
        return message
    }

    /// The 56 bits of an address in f5 and f6: its kind, then the address, most significant byte first.
    private static func append(_ address: DeviceAddress, to message: inout [UInt8]) {
        message.append(address.kind.rawValue)
        for shift in stride(from: 40, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: address.value >> UInt64(shift)))
        }
    }
}
