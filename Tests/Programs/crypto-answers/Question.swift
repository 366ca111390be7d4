import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding

/// A function of the specification and what it is given.
struct Question: Sendable {
    let function: String
    let arguments: [[UInt8]]

    /// What is not as the function wants it.
    struct Malformed: Error {}

    /// A function and its arguments in hexadecimal, with spaces between and `-` for nothing.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard let first = words.first else { return nil }
        function = String(first)
        var arguments: [[UInt8]] = []
        for word in words.dropFirst() {
            guard let bytes = [UInt8](hex: word) else { return nil }
            arguments.append(bytes)
        }
        self.arguments = arguments
    }

    // swift-format-ignore: the switch is a table.
    func answer() throws -> [[UInt8]] {
        switch function {
        case "e":
            return [AESBlock.encrypt(key: try block(0), plaintext: try block(1)).littleEndianBytes]
        case "ah":
            let hash = AddressHash.ah(key: try block(0), random: try shortNumber(1))
            return [Array(UInt64(hash).littleEndianBytes.prefix(3))]
        case "cmac":
            guard let key = Block128(bigEndian: try bytes(0)) else { throw Malformed() }
            return [AESCMAC.authenticate(try bytes(1), key: key).bigEndianBytes]
        case "c1":
            let result = PairingFunctions.c1(
                k: try block(0),
                r: try block(1),
                preq: try bytes(2),
                pres: try bytes(3),
                ia: try address(try bytes(5) + bytes(4)),
                ra: try address(try bytes(7) + bytes(6))
            )
            return [result.littleEndianBytes]
        case "s1":
            return [PairingFunctions.s1(k: try block(0), r1: try block(1), r2: try block(2)).littleEndianBytes]
        case "f4":
            guard let z = try bytes(3).first else { throw Malformed() }
            let result = PairingFunctions.f4(u: try coordinate(0), v: try coordinate(1), x: try block(2), z: z)
            return [result.littleEndianBytes]
        case "f5":
            let result = PairingFunctions.f5(
                w: try coordinate(0),
                n1: try block(1),
                n2: try block(2),
                a1: try address(try bytes(3)),
                a2: try address(try bytes(4))
            )
            return [result.macKey.littleEndianBytes, result.longTermKey.littleEndianBytes]
        case "f6":
            let fields = try bytes(4)
            guard fields.count == 3 else { throw Malformed() }
            let result = PairingFunctions.f6(
                w: try block(0),
                n1: try block(1),
                n2: try block(2),
                r: try block(3),
                ioCap: .init(inputOutput: fields[0], outOfBand: fields[1], authenticationRequirements: fields[2]),
                a1: try address(try bytes(5)),
                a2: try address(try bytes(6))
            )
            return [result.littleEndianBytes]
        case "g2":
            let result = PairingFunctions.g2(
                u: try coordinate(0),
                v: try coordinate(1),
                x: try block(2),
                y: try block(3)
            )
            return [UInt64(result).littleEndianBytes.prefix(4).reversed()]
        case "h6":
            let keyID = try bytes(1).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return [PairingFunctions.h6(w: try block(0), keyID: keyID).littleEndianBytes]
        case "h7":
            guard let salt = Block128(bigEndian: try bytes(0)) else { throw Malformed() }
            return [PairingFunctions.h7(salt: salt, w: try block(1)).littleEndianBytes]
        case "dh":
            return try agreement()
        case "ccm":
            return [try encryption()]
        default:
            throw Malformed()
        }
    }

    /// Both public keys and the secret, which has to be the same from either side.
    private func agreement() throws -> [[UInt8]] {
        guard let own = P256KeyPair(privateKey: try coordinate(0)),
            let peer = P256KeyPair(privateKey: try coordinate(1))
        else { throw Malformed() }
        let secret = own.sharedSecret(with: try P256PublicKey(littleEndian: peer.publicKey.littleEndianBytes))
        guard peer.sharedSecret(with: own.publicKey) == secret else { throw Malformed() }
        return [own.publicKey.littleEndianBytes, peer.publicKey.littleEndianBytes, secret.littleEndianBytes]
    }

    /// A payload encrypted for the air, which has to come back when it is decrypted.
    private func encryption() throws -> [UInt8] {
        let session = LinkSession(
            longTermKey: try block(0),
            centralDiversifier: try number(1),
            peripheralDiversifier: try number(2),
            centralVector: try shortNumber(3),
            peripheralVector: try shortNumber(4)
        )
        let place = try number(5)
        guard let header = try bytes(6).first else { throw Malformed() }
        let direction: LinkSession.Direction = place >> 39 == 1 ? .centralToPeripheral : .peripheralToCentral
        let counter = place & ((1 << 39) - 1)
        var encrypted = try bytes(7)
        var sender = LinkEncryptor(session, direction: direction, packetCounter: counter)
        try sender.encrypt(&encrypted, header: header)
        var decrypted: [UInt8] = []
        var receiver = LinkDecryptor(session, direction: direction, packetCounter: counter)
        try receiver.decrypt(encrypted.span.bytes, header: header, appendingTo: &decrypted)
        guard decrypted == (try bytes(7)) else { throw Malformed() }
        return encrypted
    }

    // MARK: Arguments

    private func bytes(_ index: Int) throws -> [UInt8] {
        guard arguments.indices.contains(index) else { throw Malformed() }
        return arguments[index]
    }

    private func block(_ index: Int) throws -> Block128 {
        guard let block = Block128(littleEndian: try bytes(index)) else { throw Malformed() }
        return block
    }

    private func coordinate(_ index: Int) throws -> Block256 {
        guard let block = Block256(littleEndian: try bytes(index)) else { throw Malformed() }
        return block
    }

    private func number(_ index: Int) throws -> UInt64 {
        let bytes = try bytes(index)
        guard bytes.count <= 8 else { throw Malformed() }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func shortNumber(_ index: Int) throws -> UInt32 {
        guard let number = UInt32(exactly: try number(index)) else { throw Malformed() }
        return number
    }

    /// Six bytes of an address and its kind.
    private func address(_ bytes: [UInt8]) throws -> DeviceAddress {
        guard bytes.count == 7, let kind = DeviceAddress.Kind(rawValue: bytes[6]) else { throw Malformed() }
        var span = bytes.span.bytes
        return try DeviceAddress(parsing: &span, kind: kind)
    }
}

extension UInt64 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)) } }
}
