import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatRanks

@Suite("What ranks tell each other")
struct AirEventTests {
    private static let events: [AirEvent] = [
        .frame(
            Transmission(
                radio: RadioID(rawValue: 999_999),
                channel: ChannelIndex(38)!,
                phy: .le2M,
                power: SignalStrength(dBm: -20),
                syncWord: 0x8E89_BED6,
                start: Instant(nanoseconds: 1_234_567_890_123),
                end: Instant(nanoseconds: 1_234_567_999_999),
                frame: [0xD6, 0xBE, 0x89, 0x8E, 2, 3, 4, 5, 6, 7, 8]
            ),
            at: Position(x: -7, y: 2_000_000_000, z: 3)
        ),
        .breakOff(
            RadioID(rawValue: 7),
            start: Instant(nanoseconds: 5),
            now: Instant(nanoseconds: 9_000_000_000_000)
        ),
    ]

    private func bytes(_ event: AirEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        event.write(to: &bytes)
        return bytes
    }

    private func parse(_ bytes: [UInt8]) throws(DecodeError) -> AirEvent {
        var span = bytes.span.bytes
        let event = try AirEvent(parsing: &span)
        try span.expectEnd()
        return event
    }

    @Test("It is the same after the way; a part of it, or more than it, is refused", arguments: events.indices)
    func roundTrip(index: Int) throws {
        let bytes = bytes(Self.events[index])
        #expect(self.bytes(try parse(bytes)) == bytes)
        for count in bytes.indices {
            #expect(throws: DecodeError.self) { try parse(Array(bytes.prefix(count))) }
        }
        #expect(throws: DecodeError.self) { try parse(bytes + [0]) }
        if case .frame(let sent, let place) = Self.events[index], case .frame(let got, let there) = try parse(bytes) {
            #expect(place == there && sent.syncWord == got.syncWord && sent.power == got.power)
            #expect(sent.start == got.start && sent.end == got.end && sent.phy == got.phy)
        }
    }

    @Test("A channel, a PHY, a kind or a time that cannot be is refused")
    func impossible() {
        let frame = bytes(Self.events[0])
        for (place, value) in [(0, 2), (33, 40), (34, 9)] as [(Int, UInt8)] {
            var wrong = frame
            wrong[place] = value
            #expect(throws: DecodeError.self) { try parse(wrong) }
        }
        var backwards = bytes(Self.events[1])
        backwards.swapAt(5, 15)
        backwards[5] = 0xFF
        backwards[12] = 0x7F
        #expect(throws: DecodeError.self) { try parse(backwards) }
        // What a rank adds to it would be more than an instant can be.
        var late = bytes(Self.events[1])
        late[20] = 0x7F
        #expect(throws: DecodeError.self) { try parse(late) }
    }

    @Test("An interest is the same after the way, and covers all that is within reach of a device, and not the rest")
    func interest() throws {
        var habitat = Habitat(reach: 100_000)
        var random = SeededRandom(seed: 1, purpose: "habitat")
        func place(_ bound: UInt64) -> Position {
            Position(
                x: Int32(random.next(below: bound)) - Int32(bound / 2),
                y: Int32(random.next(below: bound)) - Int32(bound / 2)
            )
        }
        let home = place(2_000_000)
        habitat.enter(home)
        let interest = habitat.interest()
        #expect(try Interest(bytes: interest.bytes).squares == interest.squares)
        for _ in 0..<10_000 {
            let other = place(3_000_000)
            let x = Int64(other.x) - Int64(home.x), y = Int64(other.y) - Int64(home.y)
            if x * x + y * y <= 100_000 * 100_000 { #expect(interest.contains(habitat.square(of: other))) }
            if max(abs(x), abs(y)) > 130_000 { #expect(!interest.contains(habitat.square(of: other))) }
        }
        #expect(throws: DecodeError.self) { try Interest(bytes: Array(interest.bytes.dropLast())) }
    }

    @Test("The others are told when somebody comes where nobody was, and not before")
    func growth() {
        var habitat = Habitat(reach: 4_000)
        #expect(habitat.hasGrown)
        habitat.enter(Position(x: 100))
        _ = habitat.interest()
        habitat.enter(Position(x: 900))
        #expect(!habitat.hasGrown)
        habitat.leave(Position(x: 100))
        habitat.leave(Position(x: 900))
        habitat.enter(Position(x: 900))
        #expect(!habitat.hasGrown)
        habitat.enter(Position(x: 1_100))
        #expect(habitat.hasGrown)
    }

    @Test("Where a signal reaches everywhere, everything is of interest to whoever has a device")
    func everywhere() throws {
        var habitat = Habitat(reach: nil)
        #expect(habitat.interest().squares == [])
        habitat.enter(.origin)
        let interest = habitat.interest()
        #expect(interest.squares == nil && interest.contains(habitat.square(of: Position(x: .max, y: .min))))
        #expect(try Interest(bytes: interest.bytes).squares == nil)
        #expect(interest.meets(interest) && !interest.meets(Interest()) && !Interest().meets(interest))
    }
}
