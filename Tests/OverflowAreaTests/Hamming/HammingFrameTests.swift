import BluethroatOverflowArea
import BluethroatVirtualTime
import Testing

@Suite("A code word in the overflow area")
struct HammingFrameTests {
    /// The code, bit by bit, from its definition, and by no code of the module.
    private static func codeWord(_ message: [UInt8]) -> [Int] {
        var word = [Int](repeating: 0, count: 47)
        var data = message.flatMap { byte in (0..<8).map { Int(byte >> UInt8($0)) & 1 } }[...]
        for place in 1...46 where ![1, 2, 4, 8, 16, 32].contains(place) { word[place - 1] = data.removeFirst() }
        for parity in [1, 2, 4, 8, 16, 32] {
            word[parity - 1] = (1...46).filter { $0 & parity != 0 && $0 != parity }.reduce(0) { $0 ^ word[$1 - 1] }
        }
        word[46] = word.contains(1) ? 1 : 0
        return word
    }

    @Test("Data stands between parity bits, from byte 8 on, behind a bit that is always set")
    func layout() throws {
        var random = SeededRandom(seed: 6, purpose: "payloads")
        for _ in 0..<200 {
            let payload = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            let frame = try #require(HammingFrame(payload))
            let word = Self.codeWord([0xAA] + payload)
            #expect(frame.mask.bits.map(\.index) == [0] + word.indices.filter { word[$0] == 1 }.map { 64 + $0 })
            #expect(HammingFrame.read(frame.mask) == .payload(payload, corrected: nil))
        }
        let frame = try #require(HammingFrame([0, 1, 0x12, 0x34]))
        #expect(frame.mask.bytes(.app)[0] == 1 && frame.mask.bytes(.app)[1..<8].allSatisfy { $0 == 0 })
        #expect(HammingFrame([1, 2, 3]) == nil && HammingFrame([1, 2, 3, 4, 5]) == nil)
        #expect(HammingFrame([1, 2, 3, 4], start: 0) == nil && HammingFrame([1, 2, 3, 4], start: 82) == nil)
    }

    @Test("Any one bit that somebody else sets, or that is lost, does no harm", arguments: [64, 72, 81])
    func oneForeignBit(start: Int) throws {
        var random = SeededRandom(seed: 7, purpose: "payloads")
        for _ in 0..<10 {
            let payload = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            let mask = try #require(HammingFrame(payload, start: start)).mask
            for index in 0..<128 {
                let bit = try #require(OverflowBit(index: index))
                var other = mask
                if mask.contains(bit) { other.remove(bit) } else { other.insert(bit) }
                // The last bit is 1 in every message; without it there is none.
                guard index != start + 46 else {
                    #expect(HammingFrame.read(other, start: start) == .notFound)
                    continue
                }
                let isInCode = (start..<start + 46).contains(index)
                #expect(HammingFrame.read(other, start: start) == .payload(payload, corrected: isInCode ? bit : nil))
            }
        }
    }

    @Test("Another matching byte, an empty area and too many wrong bits are nothing, or a payload that is not the one")
    func wrong() throws {
        let mask = try #require(HammingFrame([1, 2, 3, 4])).mask
        #expect(HammingFrame.read(mask, matchingByte: 0xAB) == .notFound)
        #expect(HammingFrame.read(OverflowMask()) == .notFound)
        var random = SeededRandom(seed: 8, purpose: "bits")
        for _ in 0..<500 {
            var bytes = mask.bytes(.app)
            for _ in 0..<3 {
                bytes[Int.random(in: 8..<14, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            _ = HammingFrame.read(try #require(OverflowMask(bytes, order: .app)))
        }
        let rubbish = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(HammingFrame.read(try #require(OverflowMask(rubbish, order: .app))).payload == nil)
    }

    @Test("A matching byte with bit 2 puts the watch's bit into the usual code word; behind the watch's byte none does")
    func watches() throws {
        var random = SeededRandom(seed: 9, purpose: "payloads")
        for matchingByte in UInt8.min...UInt8.max {
            let payload = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            let usual = try #require(HammingFrame(payload, matchingByte: matchingByte))
            #expect(usual.disturbsWatches == (matchingByte & 4 != 0))
            let sparing = try #require(
                HammingFrame(payload, matchingByte: matchingByte, start: HammingFrame.startSparingWatches)
            )
            #expect(!sparing.disturbsWatches)
        }
    }
}
