import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatHost

@Suite("L2CAP recombination")
struct RecombinationTests {
    static let limit = 517

    static func frame(_ channel: UInt16, _ payload: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.appendUInt16(UInt16(payload.count))
        frame.appendUInt16(channel)
        return frame + payload
    }

    static func begin(_ bytes: [UInt8], _ machine: inout Recombination) -> Recombination.Outcome {
        machine.begin(bytes.span.bytes, attLimit: limit)
    }

    static func proceed(_ bytes: [UInt8], _ machine: inout Recombination) -> Recombination.Outcome {
        machine.proceed(bytes.span.bytes, attLimit: limit)
    }

    func expect(
        _ outcome: Recombination.Outcome,
        _ expected: Recombination.Outcome,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome == expected, sourceLocation: sourceLocation)
    }

    @Test("Frames come out as they went in, however they are cut, their header included")
    func anyCut() {
        for seed in 0..<Effort.count(2_000, usually: 200) as Range<UInt64> {
            var random = SeededRandom(seed: seed, purpose: "recombination")
            var machine = Recombination()
            for _ in 0..<4 {
                let frame = Self.frame(4, random.bytes(Int(random.next(below: 518))))
                var offset = 0
                var outcome = Recombination.Outcome.incomplete
                while offset < frame.count {
                    #expect(outcome == .incomplete, "seed \(seed)")
                    let length = min(frame.count - offset, Int(random.next(below: 27)) + (offset == 0 ? 0 : 1))
                    let fragment = Array(frame[offset..<(offset + length)])
                    outcome =
                        offset == 0 && !machine.isUnderWay
                        ? Self.begin(fragment, &machine) : Self.proceed(fragment, &machine)
                    offset += length
                }
                #expect(outcome == .complete(frame), "seed \(seed)")
                #expect(!machine.isUnderWay)
            }
        }
    }

    @Test("A new beginning drops what was incomplete")
    func beginningAnew() {
        var machine = Recombination()
        expect(Self.begin([10, 0, 4, 0, 1, 2], &machine), .incomplete)
        let frame = Self.frame(4, [1, 2, 3])
        expect(Self.begin(frame, &machine), .complete(frame))
    }

    @Test("A continuation without a beginning is malformed")
    func noBeginning() {
        var machine = Recombination()
        expect(Self.proceed([1, 2, 3], &machine), .malformed)
        #expect(!machine.isUnderWay)
    }

    @Test("More bytes than announced are malformed, and the frame is lost")
    func overflow() {
        var machine = Recombination()
        expect(Self.begin([3, 0, 4, 0, 1], &machine), .incomplete)
        expect(Self.proceed([2, 3, 4], &machine), .malformed)
        expect(Self.proceed([2, 3], &machine), .malformed)
        expect(Self.begin([1, 0, 4, 0, 1, 2], &machine), .malformed)
        expect(Self.begin([0xFF, 0xFF, 9, 0, 1], &machine), .incomplete)
        for _ in 0..<63 { expect(Self.proceed([UInt8](repeating: 0, count: 1040), &machine), .incomplete) }
        expect(Self.proceed([UInt8](repeating: 0, count: 1040), &machine), .malformed)
    }

    @Test("Of a frame that its channel does not take only the beginning is kept", arguments: [4, 5, 6, 9, 0x40])
    func tooLong(channel: UInt16) {
        var machine = Recombination()
        let frame = Self.frame(channel, (0..<60_000).map { UInt8(truncatingIfNeeded: $0) })
        var outcome = Self.begin(Array(frame[..<3]), &machine)
        for offset in stride(from: 3, to: frame.count, by: 251) {
            #expect(outcome == .incomplete)
            #expect(machine.byteCount <= 8)
            outcome = Self.proceed(Array(frame[offset..<min(offset + 251, frame.count)]), &machine)
        }
        #expect(outcome == .tooLong(Array(frame[..<8])))
        expect(Self.begin(Self.frame(4, []), &machine), .complete([0, 0, 4, 0]))
    }

    @Test("Random fragments never trap, and never hold more than the longest frame")
    func fuzz() {
        var random = SeededRandom(seed: 1, purpose: "recombination fuzz")
        var machine = Recombination()
        for _ in 0..<50_000 {
            var fragment = random.bytes(Int(random.next(below: 40)))
            if random.next(below: 2) == 0, fragment.count > 4 {
                fragment[1] &= 0x03
                fragment[2] = 4 + UInt8(random.next(below: 3))
                fragment[3] = 0
            }
            if random.next(below: 3) == 0 {
                _ = Self.begin(fragment, &machine)
            } else {
                _ = Self.proceed(fragment, &machine)
            }
            #expect(machine.byteCount <= Self.limit + 4)
        }
    }
}
