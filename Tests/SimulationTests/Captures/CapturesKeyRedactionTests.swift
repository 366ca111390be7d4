import Testing

@testable import BluethroatSimulation

@Suite("Captures without keys")
struct KeyRedactionTests {
    private static let key = (1...16).map { UInt8($0) | 0xA0 }
    private static let zeros = [UInt8](repeating: 0, count: 16)

    private func command(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    }

    private func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [0x04, code, UInt8(parameters.count)] + parameters
    }

    /// An ACL packet with part of an L2CAP PDU.
    private func acl(_ bytes: [UInt8], isFirst: Bool = true, handle: UInt16 = 0x40) -> [UInt8] {
        let field = handle | (isFirst ? 0 : 0x1000)
        return [0x02, UInt8(field & 0xFF), UInt8(field >> 8), UInt8(bytes.count), 0] + bytes
    }

    private func securityPDU(_ code: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count + 1), 0, 0x06, 0x00, code] + bytes
    }

    private func redacted(_ packet: [UInt8]) -> [UInt8] {
        var keys = KeyRedaction()
        return keys.redacted(packet, fromHost: packet.first == 0x01)
    }

    @Test("The keys of commands and events are zeros, and nothing else changes")
    func commandsAndEvents() {
        let (key, zeros) = (Self.key, Self.zeros)
        let enable = Array(repeating: UInt8(7), count: 12)
        #expect(redacted(command(0x2019, enable + key)) == command(0x2019, enable + zeros))
        #expect(redacted(command(0x201A, [0x40, 0] + key)) == command(0x201A, [0x40, 0] + zeros))
        let peer: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
        #expect(redacted(command(0x2027, peer + key + key)) == command(0x2027, peer + zeros + zeros))
        #expect(redacted(command(0x2017, key + key)) == command(0x2017, zeros + zeros))
        #expect(redacted(event(0x3E, [0x09, 0] + key + key)) == event(0x3E, [0x09, 0] + zeros + zeros))
        let answer: [UInt8] = [1, 0x17, 0x20, 0]
        #expect(redacted(event(0x0E, answer + key)) == event(0x0E, answer + zeros))
        #expect(
            redacted(event(0x0E, [1, 0x18, 0x20, 0] + key.prefix(8)))
                == event(0x0E, [1, 0x18, 0x20, 0] + zeros.prefix(8))
        )
        // Public keys and all else may be seen.
        for packet in [
            command(0x2026, key + key + key + key), event(0x3E, [0x08, 0] + key + key + key + key), command(0x0C03, []),
            event(0x08, [0, 0x40, 0, 1]), event(0x0E, [1, 0x03, 0x0C, 0]),
        ] { #expect(redacted(packet) == packet) }
    }

    @Test("What a bond's hosts tell each other is zeros, however it is cut", arguments: [1, 2, 4, 5, 6, 27])
    func securityManager(count: Int) {
        for code: UInt8 in [0x06, 0x07, 0x08, 0x0A] {
            var keys = KeyRedaction()
            var rest = securityPDU(code, Self.key)[...]
            var out: [UInt8] = []
            while !rest.isEmpty {
                let packet = acl(Array(rest.prefix(count)), isFirst: rest.startIndex == 0)
                // Another link, and the other direction, are PDUs of their own.
                _ = keys.redacted(acl(securityPDU(0x0B, [0]), handle: 0x41), fromHost: true)
                _ = keys.redacted(acl(securityPDU(0x0B, [0])), fromHost: false)
                let shown = keys.redacted(packet, fromHost: true)
                #expect(shown.prefix(5) == packet.prefix(5))
                out += shown.dropFirst(5)
                rest = rest.dropFirst(count)
            }
            #expect(out == securityPDU(code, Self.zeros))
        }
    }

    @Test("Other PDUs are as they were: pairing, addresses, attributes")
    func others() {
        for packet in [
            acl(securityPDU(0x03, Self.key)), acl(securityPDU(0x09, [0, 1, 2, 3, 4, 5, 6])),
            acl([17, 0, 0x04, 0, 0x06] + Self.key), acl([1, 0, 6, 0]),
        ] { #expect(redacted(packet) == packet) }
    }

    @Test("A part whose beginning has fallen out of the log is taken out whole")
    func unknownBeginning() {
        #expect(redacted(acl(Self.key, isFirst: false)) == acl(Self.zeros, isFirst: false))
    }

    @Test("Packets of any length and kind neither trap nor change their length")
    func anything() {
        var keys = KeyRedaction()
        for indicator: UInt8 in 0...6 {
            for code: UInt8 in [0x00, 0x0E, 0x17, 0x18, 0x19, 0x1A, 0x27, 0x3E, 0x40] {
                for count in 0..<40 {
                    let packet = ([indicator, code, 0x20, 9] + [UInt8](repeating: 9, count: 40)).prefix(count)
                    #expect(keys.redacted(Array(packet), fromHost: true).count == count)
                }
            }
        }
        // What a controller returns that has not even a status.
        for opcode: UInt16 in [0x2017, 0x2018] {
            let answer = event(0x0E, [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0, 9])
            for count in 0..<answer.count {
                let packet = Array(answer.prefix(count))
                #expect(keys.redacted(packet, fromHost: false) == packet)
            }
        }
    }
}
