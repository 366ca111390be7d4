import BluethroatAirPackets
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("Access addresses")
struct AccessAddressTests {
    @Test("Ordinary addresses are allowed", arguments: [0x5065_4A6B, 0xAF9A_9D2B, 0x7176_4129] as [UInt32])
    func allowed(address: UInt32) {
        #expect(AccessAddress(rawValue: address).isAllowedForConnection)
    }

    @Test("The advertising address and its 32 neighbours at one bit are not allowed")
    func advertising() {
        #expect(!AccessAddress.advertising.isAllowedForConnection)
        for bit in 0..<32 {
            #expect(!AccessAddress(rawValue: 0x8E89_BED6 ^ 1 << UInt32(bit)).isAllowedForConnection)
        }
    }

    @Test(
        "Each rule of section 2.1.2 refuses what breaks it",
        arguments: [
            (0x5A5A_5A5A, "four equal octets"),
            (0x4A7F_0A55, "seven ones in a row"),
            (0x4A80_0A55, "seven zeros in a row"),
            (0x5555_5556, "more than 24 transitions"),
            (0xAAAA_AAA9, "more than 24 transitions"),
            (0x03A9_C66B, "no two transitions in the top six bits"),
            (0xFDA9_C66B, "no two transitions in the top six bits"),
        ] as [(UInt32, String)]
    )
    func refused(address: UInt32, rule: String) {
        #expect(!AccessAddress(rawValue: address).isAllowedForConnection, "\(rule)")
    }

    @Test("Six equal bits and exactly 24 transitions are still allowed")
    func atTheLimit() {
        // ...0 111111 0... and ...1 000000 1...
        #expect(AccessAddress(rawValue: 0x4A7E_0A6B).isAllowedForConnection)
        #expect(AccessAddress(rawValue: 0x4A81_0A6B).isAllowedForConnection)
        let busy = AccessAddress(rawValue: 0x5555_6666)
        #expect(SlowRules.transitions(busy.rawValue) == 24)
        #expect(busy.isAllowedForConnection)
    }

    @Test("The rules agree with a slow reading of them over many numbers")
    func slowReading() {
        var random = SeededRandom(seed: 2, purpose: "addresses")
        for _ in 0..<20_000 {
            let value = UInt32(truncatingIfNeeded: random.next())
            let address = AccessAddress(rawValue: value)
            #expect(address.isAllowedForConnection == SlowRules.isAllowed(value))
            #expect(address.isAllowedForCodedConnection == SlowRules.isAllowedCoded(value))
        }
    }

    @Test("Random addresses are allowed on every PHY, differ, and come again with the seed")
    func random() {
        var stream = SeededRandom(seed: 3, purpose: "addresses")
        var again = stream
        let addresses = (0..<1_000).map { _ in AccessAddress.random(using: &stream) }
        #expect(addresses.allSatisfy { $0.isAllowedForCodedConnection })
        #expect(Set(addresses).count == 1_000)
        #expect(addresses == (0..<1_000).map { _ in AccessAddress.random(using: &again) })
    }

    @Test("Four bytes, least significant first")
    func bytes() throws {
        var out: [UInt8] = []
        AccessAddress.advertising.write(to: &out)
        #expect(out == [0xD6, 0xBE, 0x89, 0x8E])
        var bytes = out.span.bytes
        #expect(try AccessAddress(parsing: &bytes) == .advertising)
        #expect(AccessAddress.advertising.description == "0x8E89BED6")
        #expect(AccessAddress(rawValue: 0x1).description == "0x00000001")
    }
}

/// The rules of section 2.1.2 read aloud, over text.
private enum SlowRules {
    static func bits(_ value: UInt32) -> [Character] {
        let digits = String(value, radix: 2)
        return Array(String(repeating: "0", count: 32 - digits.count) + digits)
    }

    static func changes(_ bits: ArraySlice<Character>) -> Int { zip(bits, bits.dropFirst()).count { $0 != $1 } }

    static func transitions(_ value: UInt32) -> Int { changes(bits(value)[...]) }

    static func isAllowed(_ value: UInt32) -> Bool {
        let bits = bits(value)
        let text = String(bits)
        let octets = Set((0..<4).map { String(bits[8 * $0..<8 * $0 + 8]) })
        return !text.contains("0000000") && !text.contains("1111111")
            && (value ^ 0x8E89_BED6).nonzeroBitCount > 1
            && octets.count > 1
            && transitions(value) <= 24
            && changes(bits[0..<6]) >= 2
    }

    static func isAllowedCoded(_ value: UInt32) -> Bool {
        let bits = bits(value)
        return isAllowed(value) && bits[24...].count { $0 == "1" } >= 3 && changes(bits[16...]) <= 11
    }
}
