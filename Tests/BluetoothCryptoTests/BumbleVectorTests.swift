import BluetoothCrypto
import BluetoothValues
import ByteCoding
import Foundation
import Testing

/// Our functions against another stack's on random input.
@Suite("Cryptography as Bumble computes it")
struct BumbleVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let function: String
        let arguments: [[UInt8]]
        let results: [[UInt8]]
    }

    static let vectors: [Vector] = {
        guard let file = Bundle.module.url(forResource: "bumble", withExtension: "txt", subdirectory: "Vectors"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").enumerated().compactMap { number, line in
            let sides = line.split(separator: "=")
            guard !line.hasPrefix("#"), sides.count == 2, let name = sides[0].split(separator: " ").first else {
                return nil
            }
            return Vector(
                testDescription: "\(name), line \(number + 1)",
                function: String(name),
                arguments: sides[0].split(separator: " ").dropFirst().map { [UInt8](hex: $0) ?? [] },
                results: sides[1].split(separator: " ").map { [UInt8](hex: $0) ?? [] }
            )
        }
    }()

    @Test("The same result for the same arguments", arguments: vectors)
    func sameResult(vector: Vector) throws {
        let results = try Self.compute(vector.function, Arguments(values: vector.arguments))
        #expect(results == vector.results)
    }

    @Test("The file has every function")
    func count() {
        let counts = Dictionary(grouping: Self.vectors, by: \.function).mapValues(\.count)
        for function in ["e", "ah", "cmac", "c1", "s1", "f4", "f5", "f6", "g2", "h6", "h7", "dh"] {
            #expect(counts[function] == 25, "\(function)")
        }
        #expect(counts["ccm"] == 32)
    }

    // swift-format-ignore: the switch is a table.
    static func compute(_ function: String, _ given: Arguments) throws -> [[UInt8]] {
        switch function {
        case "e":
            return [AESBlock.encrypt(key: try given.block(0), plaintext: try given.block(1)).littleEndianBytes]
        case "ah":
            let hash = AddressHash.ah(key: try given.block(0), random: UInt32(try given.number(1)))
            return [Array(UInt64(hash).littleEndianBytes.prefix(3))]
        case "cmac":
            let key = try #require(Block128(bigEndian: given.values[0]))
            return [AESCMAC.authenticate(given.values[1], key: key).bigEndianBytes]
        case "c1":
            let result = PairingFunctions.c1(
                k: try given.block(0),
                r: try given.block(1),
                preq: given.values[2],
                pres: given.values[3],
                ia: try given.address(given.values[5] + given.values[4]),
                ra: try given.address(given.values[7] + given.values[6])
            )
            return [result.littleEndianBytes]
        case "s1":
            let result = PairingFunctions.s1(k: try given.block(0), r1: try given.block(1), r2: try given.block(2))
            return [result.littleEndianBytes]
        case "f4":
            let result = PairingFunctions.f4(
                u: try given.coordinate(0),
                v: try given.coordinate(1),
                x: try given.block(2),
                z: given.values[3][0]
            )
            return [result.littleEndianBytes]
        case "f5":
            let result = PairingFunctions.f5(
                w: try given.coordinate(0),
                n1: try given.block(1),
                n2: try given.block(2),
                a1: try given.address(given.values[3]),
                a2: try given.address(given.values[4])
            )
            return [result.macKey.littleEndianBytes, result.longTermKey.littleEndianBytes]
        case "f6":
            let fields = given.values[4]
            let result = PairingFunctions.f6(
                w: try given.block(0),
                n1: try given.block(1),
                n2: try given.block(2),
                r: try given.block(3),
                ioCap: .init(inputOutput: fields[0], outOfBand: fields[1], authenticationRequirements: fields[2]),
                a1: try given.address(given.values[5]),
                a2: try given.address(given.values[6])
            )
            return [result.littleEndianBytes]
        case "g2":
            let result = PairingFunctions.g2(
                u: try given.coordinate(0),
                v: try given.coordinate(1),
                x: try given.block(2),
                y: try given.block(3)
            )
            return [UInt64(result).littleEndianBytes.prefix(4).reversed()]
        case "h6":
            let keyID = given.values[1].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return [PairingFunctions.h6(w: try given.block(0), keyID: keyID).littleEndianBytes]
        case "h7":
            let salt = try #require(Block128(bigEndian: given.values[0]))
            return [PairingFunctions.h7(salt: salt, w: try given.block(1)).littleEndianBytes]
        case "dh":
            let own = try #require(P256KeyPair(privateKey: try given.coordinate(0)))
            let peer = try #require(P256KeyPair(privateKey: try given.coordinate(1)))
            let secret = own.sharedSecret(with: try P256PublicKey(littleEndian: peer.publicKey.littleEndianBytes))
            #expect(peer.sharedSecret(with: own.publicKey) == secret)
            return [
                own.publicKey.littleEndianBytes, peer.publicKey.littleEndianBytes, secret.littleEndianBytes,
            ]
        case "ccm":
            return [try encrypted(given)]
        default:
            Issue.record("what is \(function)?")
            return []
        }
    }

    /// Encrypts as the vector says, and decrypts again.
    static func encrypted(_ given: Arguments) throws -> [UInt8] {
        let session = LinkSession(
            longTermKey: try given.block(0),
            centralDiversifier: try given.number(1),
            peripheralDiversifier: try given.number(2),
            centralVector: UInt32(try given.number(3)),
            peripheralVector: UInt32(try given.number(4))
        )
        let place = try given.number(5)
        let direction: LinkSession.Direction = place >> 39 == 1 ? .centralToPeripheral : .peripheralToCentral
        let counter = place & ((1 << 39) - 1)
        let header = given.values[6][0]
        var bytes = given.values[7]
        var sender = LinkEncryptor(session, direction: direction, packetCounter: counter)
        try sender.encrypt(&bytes, header: header)
        var payload: [UInt8] = []
        var receiver = LinkDecryptor(session, direction: direction, packetCounter: counter)
        try receiver.decrypt(bytes.span.bytes, header: header, appendingTo: &payload)
        #expect(payload == given.values[7])
        return bytes
    }

    /// What a vector's columns say.
    struct Arguments {
        let values: [[UInt8]]

        func block(_ index: Int) throws -> Block128 { try #require(Block128(littleEndian: values[index])) }

        func coordinate(_ index: Int) throws -> Block256 { try #require(Block256(littleEndian: values[index])) }

        func number(_ index: Int) throws -> UInt64 {
            try #require(values[index].count <= 8)
            return values[index].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// Six bytes of an address and its kind.
        func address(_ bytes: [UInt8]) throws -> DeviceAddress {
            let kind = try #require(DeviceAddress.Kind(rawValue: bytes[6]))
            var span = bytes.span.bytes
            return try DeviceAddress(parsing: &span, kind: kind)
        }
    }
}

extension UInt64 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)) } }
}
