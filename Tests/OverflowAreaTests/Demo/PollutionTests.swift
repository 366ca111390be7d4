import BluethroatOverflowArea
import Foundation
import Testing

@Suite("When a payload is believed")
struct PollutionTests {
    private static let device = UUID()

    private static let frames: [(bytes: String, payload: [UInt8]?, statuses: [BankStatuses.Status])] = [
        ("AA010203040000000000000000000000", nil, [.unknown, .unpolluted]),
        ("AA010203040000000000000000000000", nil, [.unknown, .unpolluted]),
        ("0000000000000000AA01020304000000", [1, 2, 3, 4], [.unpolluted, .unpolluted]),
        ("AA010203040000001000000000000000", [1, 2, 3, 4], [.unpolluted, .polluted]),
        ("0000000000000000BA01020304000000", nil, [.unpolluted, .polluted]),
        ("0000000000000000AA11020304000000", nil, [.unpolluted, .polluted]),
        ("AA010203040000000000000000000100", [1, 2, 3, 4], [.unpolluted, .unpolluted]),
        ("00000000000000000000000000000000", nil, [.unpolluted, .unpolluted]),
    ]

    @Test("The eight frames of the demonstration, in order")
    func vectors() {
        var avoider = OverflowAreaCollisionAvoider()
        for (number, frame) in Self.frames.enumerated() {
            let payload = avoider.extractPayload(
                overflowAreaBytes: hex(frame.bytes),
                payloadSize: 4,
                deviceId: Self.device
            )
            #expect(payload == frame.payload, "frame \(number + 1)")
            #expect(avoider.known[Self.device]?.statuses == frame.statuses, "frame \(number + 1)")
        }
    }

    @Test(
        "A bit that is not the frame's pollutes its bank where all 64 bits count, wherever it is",
        arguments: [BeaconFrame.Positions.halves, .sparingWatches]
    )
    func extent(positions: BeaconFrame.Positions) throws {
        let frame = try #require(BeaconFrame([1, 2, 3, 4], positions: positions))
        for (position, start) in positions.starts.enumerated() {
            let bank = (64 * position)..<(64 * position + 64)
            for index in bank {
                // The frame is in the other bank, and another app has a bit in this one.
                var mask = frame.mask(at: 1 - position)
                mask.insert(try #require(OverflowBit(index: index)))
                var byFrame = BankStatuses(positions: positions)
                var whole = BankStatuses(positions: positions, extent: .whole)
                _ = byFrame.judge(mask.bytes(.app), payloadSize: 4)
                _ = whole.judge(mask.bytes(.app), payloadSize: 4)
                let isInFrame = (start...start + 4).contains(index / 8)
                #expect(byFrame.statuses[position] == (isInFrame ? .polluted : .unpolluted), "bit \(index)")
                #expect(whole.statuses[position] == .polluted, "bit \(index)")
            }
        }
    }

    @Test("Where all 64 bits count the seventh of the eight frames pollutes its bank, and the others mean the same")
    func wholeBanks() {
        var banks = BankStatuses(extent: .whole)
        for (number, frame) in Self.frames.enumerated() {
            #expect(banks.judge(hex(frame.bytes), payloadSize: 4).payload == frame.payload, "frame \(number + 1)")
            #expect(banks.statuses == (number == 6 ? [.unpolluted, .polluted] : frame.statuses), "frame \(number + 1)")
        }
    }

    @Test("Why a payload is not believed can be told")
    func judgements() {
        var banks = BankStatuses()
        let judgements = Self.frames.map { banks.judge(hex($0.bytes), payloadSize: 4) }
        #expect(
            judgements == [
                .unverified(position: 0), .unverified(position: 0), .payload([1, 2, 3, 4], position: 1),
                .payload([1, 2, 3, 4], position: 0), .notFound, .polluted(position: 1),
                .payload([1, 2, 3, 4], position: 0), .notFound,
            ]
        )
    }

    @Test("A bank that was polluted is believed again after it was seen empty")
    func recovery() {
        var banks = BankStatuses()
        _ = banks.judge(hex("AA010203040000000100000000000000"), payloadSize: 4)
        #expect(banks.statuses == [.unknown, .polluted])
        #expect(banks.judge(hex("0000000000000000AA01020304000000"), payloadSize: 4) == .polluted(position: 1))
        _ = banks.judge(hex("AA010203040000000000000000000000"), payloadSize: 4)
        #expect(banks.judge(hex("0000000000000000AA01020304000000"), payloadSize: 4).payload == [1, 2, 3, 4])
    }

    @Test("The first position with the matching byte counts, and later ones are taken for pollution")
    func both() {
        var banks = BankStatuses()
        _ = banks.judge(hex("0000000000000000AA01020304000000"), payloadSize: 4)
        #expect(banks.judge(hex("AA09090909000000AA01020304000000"), payloadSize: 4).payload == [9, 9, 9, 9])
        #expect(banks.statuses == [.unpolluted, .polluted])
    }

    @Test("Nothing is learnt of a phone from another one, nor of one that is forgotten")
    func devices() {
        var avoider = OverflowAreaCollisionAvoider()
        let other = UUID()
        let first = hex("AA010203040000000000000000000000"), second = hex("0000000000000000AA01020304000000")
        func ask(_ bytes: [UInt8], _ device: UUID?) -> [UInt8]? {
            avoider.extractPayload(overflowAreaBytes: bytes, payloadSize: 4, deviceId: device)
        }
        #expect(ask(first, Self.device) == nil)
        #expect(ask(second, other) == nil)
        #expect(ask(second, Self.device) == [1, 2, 3, 4])
        avoider.forget(Self.device)
        #expect(ask(first, Self.device) == nil)
    }

    @Test("Of a phone without an identifier everything is believed, polluted or not, and nothing is learnt")
    func nilDevice() {
        var avoider = OverflowAreaCollisionAvoider()
        let bytes = hex("AA01020304000000FF00000000000000")
        #expect(avoider.extractPayload(overflowAreaBytes: bytes, payloadSize: 4, deviceId: nil) == [1, 2, 3, 4])
        #expect(
            avoider.extractPayload(
                overflowAreaBytes: hex("0000000000000000AA05060708000000"),
                payloadSize: 4,
                deviceId: nil
            ) == [5, 6, 7, 8]
        )
        #expect(
            avoider.extractPayload(overflowAreaBytes: [UInt8](repeating: 0, count: 16), payloadSize: 4, deviceId: nil)
                == nil
        )
        #expect(avoider.known.isEmpty)
    }

    @Test("Sizes that cannot be give nothing")
    func sizes() {
        var avoider = OverflowAreaCollisionAvoider()
        for (count, size) in [(15, 4), (17, 4), (16, 8), (16, -1)] {
            let bytes = [0xAA] + [UInt8](repeating: 0, count: count - 1)
            #expect(avoider.extractPayload(overflowAreaBytes: bytes, payloadSize: size, deviceId: nil) == nil)
        }
        #expect(BeaconFrame([1, 2, 3, 4, 5, 6, 7]) != nil && BeaconFrame([UInt8](repeating: 1, count: 8)) == nil)
        #expect(BeaconFrame([1], matchingByte: 0) == nil)
    }

    @Test("A frame is shifted by half of the area for each position")
    func shift() {
        let avoider = OverflowAreaCollisionAvoider()
        #expect(avoider.numberOfPositions == 2)
        for (position, bytes) in ["AA010203040000000000000000000000", "0000000000000000AA01020304000000"].enumerated() {
            #expect(
                avoider.shiftAdvertisement(matchingByte: 0xAA, payloadToAdvertise: [1, 2, 3, 4], position: position)
                    == hex(bytes)
            )
        }
    }

    @Test("In its second position the demo's frame is taken for a watch; positions that spare watches never are")
    func watches() throws {
        let usual = try #require(BeaconFrame([1, 2, 3, 4]))
        #expect(
            usual.disturbsWatches && usual.mask(at: 1).contains(.watchSetup) && !usual.mask(at: 0).contains(.watchSetup)
        )
        let other = try #require(BeaconFrame([1, 2, 3, 4], matchingByte: 0x8A))
        #expect(!other.disturbsWatches)
        for byte in UInt8.min...UInt8.max where byte > 0 {
            let payload = [UInt8](repeating: byte, count: BeaconFrame.Positions.sparingWatches.longestPayload)
            #expect(payload.count == 6)
            let frame = try #require(BeaconFrame(payload, matchingByte: byte, positions: .sparingWatches))
            #expect(!frame.disturbsWatches)
        }
        var banks = BankStatuses(positions: .sparingWatches)
        let sparing = try #require(BeaconFrame([1, 2, 3, 4], positions: .sparingWatches))
        #expect(banks.judge(sparing.bytes(at: 0), payloadSize: 4) == .unverified(position: 0))
        #expect(banks.judge(sparing.bytes(at: 1), payloadSize: 4) == .payload([1, 2, 3, 4], position: 1))
        #expect(banks.judge(sparing.bytes(at: 0), payloadSize: 4) == .payload([1, 2, 3, 4], position: 0))
    }
}
