import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

/// The sample data of Core 6.0, Vol 3, Part H, 2.2 and Appendix D.
@Suite("Pairing functions")
struct PairingFunctionTests {
    static let u = "20b003d2 f297be2c 5e2c83a7 e9f9a5b9 eff49111 acf4fddb cc030148 0e359de6"
    static let v = "55188b3d 32f6bb9a 900afcfb eed4e72a 59cb9ac2 f19d7cfb 6b4fdd49 f47fc5fd"
    static let dhKey = "ec0234a3 57c8ad05 341010a6 0a397d9b 99796b13 b4f866f1 868d34f3 73bfa698"
    static let n1 = "d5cb8454 d177733e ffffb2ec 712baeab"
    static let n2 = "a6e8e7cc 25a75f6e 216583f7 ff3dc4cf"
    static let macKey = "2965f176 a1084a02 fd3f6a20 ce636e20"
    static let a1 = DeviceAddress(value: 0x5612_3737_BFCE, kind: .public)
    static let a2 = DeviceAddress(value: 0xA713_702D_CFC1, kind: .public)

    @Test("c1, 2.2.3")
    func c1() throws {
        let preq = try #require([UInt8](hex: "01010000100707"))
        let pres = try #require([UInt8](hex: "02030000080005"))
        let result = PairingFunctions.c1(
            k: .zero,
            r: try block("5783D521 56AD6F0E 6388274E C6702EE0"),
            preq: preq,
            pres: pres,
            ia: DeviceAddress(value: 0xA1A2_A3A4_A5A6, kind: .random),
            ra: DeviceAddress(value: 0xB1B2_B3B4_B5B6, kind: .public)
        )
        #expect(result == (try block("1e1e3fef 878988ea d2a74dc5 bef13b86")))
    }

    @Test("s1, 2.2.4")
    func s1() throws {
        let result = PairingFunctions.s1(
            k: .zero,
            r1: try block("000F0E0D 0C0B0A09 11223344 55667788"),
            r2: try block("01020304 05060708 99AABBCC DDEEFF00")
        )
        #expect(result == (try block("9a1fe1f0 e8b0f49b 5b4216ae 796da062")))
    }

    @Test("f4, D.2")
    func f4() throws {
        let result = PairingFunctions.f4(
            u: try wideBlock(Self.u),
            v: try wideBlock(Self.v),
            x: try block(Self.n1),
            z: 0
        )
        #expect(result == (try block("f2c916f1 07a9bd1c f1eda1be a974872d")))
    }

    @Test("f5, D.3")
    func f5() throws {
        let result = PairingFunctions.f5(
            w: try wideBlock(Self.dhKey),
            n1: try block(Self.n1),
            n2: try block(Self.n2),
            a1: Self.a1,
            a2: Self.a2
        )
        #expect(result.macKey == (try block(Self.macKey)))
        #expect(result.longTermKey == (try block("69867911 69d7cd23 980522b5 94750a38")))
    }

    @Test("f6, D.4")
    func f6() throws {
        let result = PairingFunctions.f6(
            w: try block(Self.macKey),
            n1: try block(Self.n1),
            n2: try block(Self.n2),
            r: try block("12a3343b b453bb54 08da42d2 0c2d0fc8"),
            ioCap: .init(inputOutput: 2, outOfBand: 1, authenticationRequirements: 1),
            a1: Self.a1,
            a2: Self.a2
        )
        #expect(result == (try block("e3c47398 9cd0e8c5 d26c0b09 da958f61")))
    }

    @Test("g2, D.5, and the six digits that people see")
    func g2() throws {
        let (u, v) = (try wideBlock(Self.u), try wideBlock(Self.v))
        let (x, y) = (try block(Self.n1), try block(Self.n2))
        #expect(PairingFunctions.g2(u: u, v: v, x: x, y: y) == 0x2F9E_D5BA)
        // 0x2f9ed5ba is 798 938 554.
        #expect(PairingFunctions.numericComparisonValue(u: u, v: v, x: x, y: y) == 938_554)
    }

    @Test("h6, D.6")
    func h6() throws {
        let key = try block("ec0234a3 57c8ad05 341010a6 0a397d9b")
        let result = PairingFunctions.h6(w: key, keyID: 0x6C65_6272)
        #expect(result == (try block("2d9ae102 e76dc91c e8d3a9e2 80b16399")))
    }

    @Test("h7, D.8")
    func h7() throws {
        let key = try block("ec0234a3 57c8ad05 341010a6 0a397d9b")
        let result = PairingFunctions.h7(salt: Block128(high: 0, low: 0x746D_7031), w: key)
        #expect(result == (try block("fb173597 c6a3c0ec d2998c2a 75a57011")))
    }

    @Test("The chains of h6 and h7 from a long term key to a link key")
    func linkKeys() throws {
        let longTermKey = try block("368df9bc e3264b58 bd066c33 334fbf64")
        let (tmp1, lebr): (UInt32, UInt32) = (0x746D_7031, 0x6C65_6272)
        let byName = PairingFunctions.h6(w: longTermKey, keyID: tmp1)
        #expect(
            PairingFunctions.h6(w: byName, keyID: lebr) == (try block("bc1ca4ef 633fc1bd 0d8230af ee388fb0"))
        )
        let bySalt = PairingFunctions.h7(salt: Block128(high: 0, low: UInt64(tmp1)), w: longTermKey)
        #expect(
            PairingFunctions.h6(w: bySalt, keyID: lebr) == (try block("287ad379 dca40253 0a39f1f4 3047b835"))
        )
    }

    @Test("The kind of an address counts in c1, f5 and f6")
    func kinds() throws {
        let random = DeviceAddress(value: Self.a1.value, kind: .random)
        let pdu: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
        #expect(
            PairingFunctions.c1(k: .zero, r: .zero, preq: pdu, pres: pdu, ia: Self.a1, ra: Self.a2)
                != PairingFunctions.c1(k: .zero, r: .zero, preq: pdu, pres: pdu, ia: random, ra: Self.a2)
        )
        #expect(
            PairingFunctions.f5(w: .zero, n1: .zero, n2: .zero, a1: Self.a1, a2: Self.a2)
                != PairingFunctions.f5(w: .zero, n1: .zero, n2: .zero, a1: random, a2: Self.a2)
        )
        let fields = PairingFunctions.AnnouncedCapabilities(
            inputOutput: 3,
            outOfBand: 0,
            authenticationRequirements: 0x0D
        )
        #expect(
            PairingFunctions.f6(w: .zero, n1: .zero, n2: .zero, r: .zero, ioCap: fields, a1: Self.a1, a2: Self.a2)
                != PairingFunctions.f6(w: .zero, n1: .zero, n2: .zero, r: .zero, ioCap: fields, a1: random, a2: Self.a2)
        )
    }
}

/// Text with spaces to 32 bytes, most significant first.
func wideBlock(_ text: String) throws -> Block256 {
    let bytes = try #require([UInt8](hex: text))
    return try #require(Block256(bigEndian: bytes))
}
