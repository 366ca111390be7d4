import BluethroatOverflowArea
import Testing

@Suite("The confidence in each byte of a payload: agreeing / frames × sure / 8")
struct PayloadEvidenceTests {
    private let frame = BeaconFrame([0x01, 0x00, 0xFF, 0x0F])!

    private func confidence(_ masks: [OverflowMask], _ read: (OverflowMask) -> PayloadReading?) throws -> [Double] {
        var evidence = PayloadEvidence()
        for mask in masks { evidence.note(mask, read(mask)) }
        let last = masks.last.flatMap { read($0) }
        return evidence.confidence(in: try #require(last).payload)
    }

    private func inBanks(_ mask: OverflowMask) -> PayloadReading? {
        PayloadReading(inBanksOf: mask, payloadSize: 4)
    }

    @Test("In one advertisement each 0 is sure, since bits are only ever added, and each 1 may be foreign")
    func single() throws {
        #expect(try confidence([frame.mask(at: 0)], inBanks) == [7 / 8, 1, 0, 4 / 8])
        #expect(try confidence([frame.mask(at: 1)], inBanks) == [7 / 8, 1, 0, 4 / 8])
    }

    @Test("Both turns show that each 1 is the payload's")
    func turns() throws {
        #expect(try confidence([frame.mask(at: 0), frame.mask(at: 1)], inBanks) == [1, 1, 1, 1])
    }

    @Test("A bit that is there in both turns stays in doubt in its bank, and is none where the other bank is clean")
    func foreign() throws {
        var polluted = [frame.mask(at: 0), frame.mask(at: 1)]
        // The lowest bits of the payload's third byte, FF.
        for turn in 0..<2 { polluted[turn].insert(try #require(OverflowBit(index: 8 * 3))) }
        #expect(try confidence(polluted, inBanks) == [1, 1, 1, 1])
        for turn in 0..<2 { polluted[turn].insert(try #require(OverflowBit(index: 8 * 11))) }
        #expect(try confidence(polluted, inBanks) == [1, 1, 7 / 8, 1])
    }

    @Test("Where a foreign bit turns a 0 into a 1 for some of the time, fewer advertisements agree")
    func disagreement() throws {
        var other = frame.mask(at: 0)
        other.insert(try #require(OverflowBit(index: 8 * 2)))
        let masks = [frame.mask(at: 0), frame.mask(at: 1), other, frame.mask(at: 0)]
        #expect(try confidence(masks, inBanks) == [1, 3 / 4, 1, 1])
    }

    @Test("Advertisements without a payload tell which bits are foreign, and are no frames")
    func others() throws {
        #expect(try confidence([OverflowMask(), frame.mask(at: 0)], inBanks) == [1, 1, 1, 1])
        var evidence = PayloadEvidence()
        #expect(evidence.confidence(in: [1]) == [0])
        evidence.note(OverflowMask(), nil)
        #expect(evidence.frames == 0 && evidence.confidence(in: [1]) == [0])
    }

    @Test("In a code word all is sure but what had to be put right")
    func codeWord() throws {
        let mask = try #require(HammingFrame([1, 0, 0xFF, 2])).mask
        func read(_ mask: OverflowMask) -> PayloadReading? { PayloadReading(hammingCodeIn: mask) }
        #expect(try confidence([mask], read) == [1, 1, 1, 1])
        let places = try #require(read(mask)).places
        var wrong = mask
        wrong.insert(places[1][3])
        #expect(try confidence([wrong], read) == [1, 7 / 8, 1, 1])
        #expect(try confidence([wrong, mask], read) == [1, 7 / 8, 1, 1])
    }
}
