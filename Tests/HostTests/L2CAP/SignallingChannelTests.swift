import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A signalling channel with the timers of its link.
struct SignallingBench {
    var channel = SignallingChannel()
    var timers = Deadlines<LinkTimer>()

    mutating func handlePDU(_ pdu: RawSpan, role: ConnectionRole) -> SignallingChannel.Outcome {
        channel.handlePDU(pdu, role: role, at: .zero, timers: &timers)
    }

    mutating func request(_ request: ParameterUpdateRequest, at now: Instant) -> [UInt8] {
        channel.begin(.parameterUpdate, .parameterUpdateRequest(request), at: now, timers: &timers)
    }

    mutating func expire(at now: Instant) -> SignallingRequest? {
        guard case .signalling(let identifier) = timers.popExpired(at: now) else { return nil }
        return channel.giveUp(identifier: identifier)
    }
}

@Suite("L2CAP signalling channel")
struct SignallingChannelTests {
    /// What the channel answers to a PDU given as hexadecimal digits.
    static func receive(
        _ hex: String,
        on channel: inout SignallingBench,
        role: ConnectionRole = .central
    ) throws -> SignallingChannel.Outcome {
        let bytes = try #require([UInt8](hex: hex))
        return channel.handlePDU(bytes.span.bytes, role: role)
    }

    static func reply(_ hex: String) throws -> SignallingChannel.Outcome {
        .reply([UInt8](repeating: 0, count: 9) + (try #require([UInt8](hex: hex))))
    }

    static func sent(_ buffer: [UInt8]) -> String { Array(buffer.dropFirst(OutgoingPDU.headroom)).hex }

    @Test("A command that nobody knows is rejected as not understood, with its identifier")
    func unknownCommand() throws {
        var channel = SignallingBench()
        #expect(try Self.receive("77 2A 0100 00", on: &channel) == Self.reply("012A 0200 0000"))
        #expect(try Self.receive("02 03 0400 01004000", on: &channel) == Self.reply("0103 0200 0000"))
    }

    @Test(
        "A command whose length lies, or with a second one behind it, is rejected",
        arguments: [
            "12 01 0900 5000 2003 0000 E803", "12 01 0800 5000 2003 0000 E803 00", "12 01 0200 5000", "12 01 FFFF",
        ]
    )
    func malformed(hex: String) throws {
        var channel = SignallingBench()
        #expect(try Self.receive(hex, on: &channel) == Self.reply("0101 0200 0000"))
    }

    @Test(
        "What is too short for a header, or has identifier 0, is passed over",
        arguments: ["", "12", "1201", "120108", "7700 0000"]
    )
    func notACommand(hex: String) throws {
        var channel = SignallingBench()
        #expect(try Self.receive(hex, on: &channel) == .nothing)
    }

    @Test("A PDU of more than 23 bytes is rejected with the longest length that is taken; a response is not")
    func mtuExceeded() throws {
        var channel = SignallingBench()
        let tail = String(repeating: "00", count: 20)
        #expect(try Self.receive("7705 1400" + tail, on: &channel) == Self.reply("0105 0400 0100 1700"))
        #expect(try Self.receive("1305 1400" + tail, on: &channel) == .nothing)
        let beginning: [UInt8] = [0x12, 0x06, 0x00, 0x01]
        let outcome = channel.channel.receiveBeginning(ofTooLong: beginning.span.bytes)
        #expect(try outcome == Self.reply("0106 0400 0100 1700"))
    }

    @Test("A central is asked for other parameters; a peripheral rejects the request")
    func parameterRequest() throws {
        var channel = SignallingBench()
        let hex = "1209 0800 5000 2003 0000 E803"
        #expect(
            try Self.receive(hex, on: &channel)
                == .parameterRequest(identifier: 9, SignallingPDUTests.request)
        )
        #expect(try Self.receive(hex, on: &channel, role: .peripheral) == Self.reply("0109 0200 0000"))
    }

    @Test(
        "The answer to one's own request is told once, and only for its identifier",
        arguments: [
            ("1301 0200 0000", ParameterUpdateResult.accepted), ("1301 0200 0100", .rejected),
            ("1301 0200 0700", .rejected), ("0101 0200 0000", .notUnderstood),
        ]
    )
    func answer(hex: String, result: ParameterUpdateResult) throws {
        var channel = SignallingBench()
        #expect(try Self.receive(hex, on: &channel, role: .peripheral) == .nothing)
        let buffer = channel.request(SignallingPDUTests.request, at: .zero)
        #expect(Self.sent(buffer) == "1201080050002003" + "0000e803")
        #expect(try Self.receive("1302 0200 0000", on: &channel, role: .peripheral) == .nothing)
        #expect(channel.channel.isAwaitingResponse)
        #expect(try Self.receive(hex, on: &channel, role: .peripheral) == .answered(result))
        #expect(!channel.channel.isAwaitingResponse)
        #expect(try Self.receive(hex, on: &channel, role: .peripheral) == .nothing)
    }

    @Test("An answer is awaited for 30 seconds")
    func timeout() {
        var channel = SignallingBench()
        _ = channel.request(SignallingPDUTests.request, at: .zero + .seconds(5))
        #expect(channel.timers.next == .zero + .seconds(35))
        let early = channel.expire(at: .zero + .milliseconds(34_999)) != nil
        let due = channel.expire(at: .zero + .seconds(35)) == .parameterUpdate
        #expect(!early && due)
        #expect(channel.timers.next == nil)
    }

    @Test("Identifiers run from 1 to 255 and begin anew, never 0")
    func identifiers() throws {
        var channel = SignallingBench()
        for round in 0..<600 {
            let buffer = channel.request(SignallingPDUTests.request, at: .zero)
            #expect(buffer[OutgoingPDU.headroom + 1] == UInt8(round % 255 + 1))
            let expired = channel.expire(at: .distantFuture) != nil
            #expect(expired)
        }
    }
}
