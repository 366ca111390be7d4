import BluethroatOverflowArea
import BluethroatVirtualTime
import Testing

@Suite("A BCH code word in the overflow area")
struct BCHFrameTests {
    /// As another implementation of the code makes them: division by the product of the minimal polynomials, written from
    /// the definition.
    @Test(
        "Code words are those of the definition",
        arguments: [
            ([0x01, 0x02, 0x03, 0x04], "BC3571CAD5DD81AE52C0206010012CA6"),
            ([0x00, 0x00, 0x00, 0x00], "CB0EC5E3655FDDBC52800000000FC88C"),
            ([0xFF, 0xFF, 0xFF, 0xFF], "EAA9A6DCEBCA105D52FFFFFFFF8AE34E"),
            ([0xCA, 0xFE, 0x00, 0x7F], "F8AFACDD7272D01B52A9BF807F1586E8"),
        ] as [([UInt8], String)]
    )
    func known(payload: [UInt8], air: String) throws {
        let mask = try #require(BCHFrame(payload)).mask
        #expect(mask.hexadecimal(.air) == air)
        let reading = try #require(BCHFrame.read(mask))
        #expect(reading.payload == payload && reading.corrected?.isEmpty == true)
    }

    private struct Draw {
        var random: SeededRandom
        let payload: [UInt8]
        let matchingByte: UInt8
        let mask: OverflowMask

        init(seed: UInt64) throws {
            random = SeededRandom(seed: seed, purpose: "foreign bits")
            payload = random.bytes(4)
            matchingByte = UInt8.random(in: 1...255, using: &random)
            mask = try #require(BCHFrame(payload, matchingByte: matchingByte)).mask
        }

        /// So many more bits among those that are not set, or anywhere.
        mutating func polluted(_ count: Int, onlyZeros: Bool) -> OverflowMask {
            var places = (0..<128).compactMap { OverflowBit(index: $0) }
            if onlyZeros { places.removeAll(where: mask.contains) }
            places.shuffle(using: &random)
            return places.prefix(count).reduce(into: mask) { $0.insert($1) }
        }
    }

    @Test("Up to fourteen foreign bits in any zeros are put right, and told", arguments: 1...60 as ClosedRange<UInt64>)
    func guaranteed(seed: UInt64) throws {
        var draw = try Draw(seed: seed)
        for count in 0...BCHFrame.correctable {
            let polluted = draw.polluted(count, onlyZeros: true)
            let reading = BCHFrame.read(polluted, matchingByte: draw.matchingByte)
            #expect(reading?.payload == draw.payload, "seed \(seed), \(count) foreign bits")
            #expect(reading?.corrected?.count == count, "seed \(seed), \(count) foreign bits")
            #expect(
                reading.flatMap(\.corrected).map(draw.mask.union) == polluted,
                "seed \(seed), \(count) foreign bits"
            )
        }
    }

    @Test("Twenty anywhere leave nine payloads in ten; no number of them makes a payload that was not sent")
    func beyond() throws {
        var right = [Int: Int]()
        for seed in UInt64(1)...100 {
            var draw = try Draw(seed: seed)
            for count in [15, 20, 28, 40, 60, 90] {
                let polluted = draw.polluted(count, onlyZeros: false)
                guard let reading = BCHFrame.read(polluted, matchingByte: draw.matchingByte) else { continue }
                #expect(reading.payload == draw.payload, "seed \(seed), \(count) foreign bits")
                right[count, default: 0] += 1
            }
        }
        #expect(right[15, default: 0] == 100 && right[20, default: 0] >= 90, "\(right)")
        #expect((30...75).contains(right[28, default: 0]) && right[60, default: 0] == 0, "\(right)")
    }

    @Test(
        "A bit that is missing is no foreign one: there is no code word then",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func missing(seed: UInt64) throws {
        let draw = try Draw(seed: seed)
        for bit in draw.mask.bits where bit.index > 0 {
            var less = draw.mask
            less.remove(bit)
            #expect(BCHFrame.read(less, matchingByte: draw.matchingByte) == nil, "seed \(seed), bit \(bit.index)")
        }
        // The first one stands in the advertisement itself while the app is on the screen.
        var onScreen = draw.mask
        onScreen.remove(try #require(OverflowBit(index: 0)))
        #expect(BCHFrame.read(onScreen, matchingByte: draw.matchingByte)?.payload == draw.payload, "seed \(seed)")
    }

    @Test("The first bit is always set and the watch's never", arguments: 1...60 as ClosedRange<UInt64>)
    func watches(seed: UInt64) throws {
        let mask = try Draw(seed: seed).mask
        #expect(mask.bits.first?.index == 0 && !mask.contains(.watchSetup), "seed \(seed)")
    }

    @Test("Any area is read without a crash; rubbish and other matching bytes are nothing")
    func rubbish() throws {
        var random = SeededRandom(seed: 5, purpose: "areas")
        for _ in 0..<200 {
            #expect(BCHFrame.read(try #require(OverflowMask(random.bytes(16), order: .air))) == nil)
        }
        let mask = try #require(BCHFrame([1, 2, 3, 4])).mask
        #expect(BCHFrame.read(mask, matchingByte: 0xAB) == nil && BCHFrame.read(OverflowMask()) == nil)
        #expect(
            BCHFrame([0, 0, 0, 0], matchingByte: 0) == nil && BCHFrame.read(OverflowMask(), matchingByte: 0) == nil
        )
        #expect(BCHFrame([1, 2, 3]) == nil && BCHFrame([1, 2, 3, 4, 5]) == nil)
    }

    @Test("Its confidence is doubtful about no byte but those that were put right")
    func confidence() throws {
        var mask = try #require(BCHFrame([0, 0, 0, 0])).mask
        let places = try #require(BCHFrame.read(mask)).places
        mask.insert(places[2][0])
        mask.insert(places[2][7])
        var evidence = PayloadEvidence()
        evidence.note(mask, BCHFrame.read(mask))
        #expect(evidence.confidence(in: [0, 0, 0, 0]) == [1, 1, 6 / 8, 1])
    }
}
