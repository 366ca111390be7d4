import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("L2CAP signalling commands")
struct SignallingPDUTests {
    static let samples: [(SignallingPDU, String)] = [
        (.commandReject(.notUnderstood), "0107 0200 0000"),
        (.commandReject(.mtuExceeded(23)), "0107 0400 0100 1700"),
        (.commandReject(.invalidChannel(0x0041, 0x0042)), "0107 0600 0200 4100 4200"),
        (.commandReject(.unknown(reason: 9, data: [1])), "0107 0300 0900 01"),
        (.parameterUpdateRequest(Self.request), "1207 0800 5000 2003 0000 E803"),
        (.parameterUpdateResponse(.accepted), "1307 0200 0000"),
        (.parameterUpdateResponse(.rejected), "1307 0200 0100"),
        (.disconnectionRequest(ChannelEnds(destination: 0x40, source: 0x41)), "0607 0400 4000 4100"),
        (.disconnectionResponse(ChannelEnds(destination: 0x40, source: 0x41)), "0707 0400 4000 4100"),
        (
            .connectionRequest(
                CreditBasedConnectionRequest(spsm: 0x80, sourceChannel: 0x40, mtu: 512, mps: 247, initialCredits: 10)
            ), "1407 0A00 8000 4000 0002 F700 0A00"
        ),
        (
            .connectionResponse(
                CreditBasedConnectionResponse(
                    destinationChannel: 0x41,
                    mtu: 512,
                    mps: 247,
                    initialCredits: 10,
                    result: 0
                )
            ), "1507 0A00 4100 0002 F700 0A00 0000"
        ),
        (.connectionResponse(.refused(.spsmNotSupported)), "1507 0A00 0000 0000 0000 0000 0200"),
        (.flowControlCredit(FlowControlCredit(channel: 0x40, credits: 0xFFFF)), "1607 0400 4000 FFFF"),
        (
            .enhancedConnectionRequest(
                EnhancedConnectionRequest(
                    spsm: 0x27,
                    mtu: 64,
                    mps: 65_533,
                    initialCredits: 1,
                    sourceChannels: [0x40, 0x41, 0x42, 0x43, 0x44]
                )
            ), "1707 1200 2700 4000 FDFF 0100 4000 4100 4200 4300 4400"
        ),
        (
            .enhancedConnectionResponse(
                EnhancedConnectionResponse(
                    mtu: 64,
                    mps: 64,
                    initialCredits: 1,
                    result: 4,
                    destinationChannels: [0x40, 0]
                )
            ), "1807 0C00 4000 4000 0100 0400 4000 0000"
        ),
        (.reconfigureRequest(ReconfigureRequest(mtu: 512, mps: 64, channels: [0x40])), "1907 0600 0002 4000 4000"),
        (.reconfigureResponse(ReconfigureResponse(result: 3)), "1A07 0200 0300"),
        (.unknown(code: 0x77, data: [1, 2, 3]), "7707 0300 010203"),
    ]

    /// The key fob's wish: 100 to 1000 ms, no latency, 10 s.
    static let request: ParameterUpdateRequest = {
        guard
            let range = ConnectionParameterRange(
                minimumSteps: 80,
                maximumSteps: 800,
                latencyEvents: 0,
                timeoutSteps: 1000
            )
        else { preconditionFailure("100 to 1000 ms with a timeout of 10 s is allowed") }
        return ParameterUpdateRequest(range)
    }()

    static func decode(_ bytes: [UInt8]) throws(DecodeError) -> SignallingPDU {
        var span = bytes.span.bytes
        let header = try SignallingHeader(parsing: &span)
        return try SignallingPDU(code: header.code, parsing: &span)
    }

    @Test("Every command is written as the specification draws it, and read back", arguments: samples)
    func roundTrip(command: SignallingPDU, hex: String) throws {
        let expected = try #require([UInt8](hex: hex))
        var written: [UInt8] = []
        command.write(identifier: 7, to: &written)
        #expect(written.hex == expected.hex)
        #expect(try Self.decode(expected) == command)
    }

    @Test("A command cut short or followed by more is an error", arguments: samples)
    func lengths(command: SignallingPDU, hex: String) throws {
        if case .unknown = command { return }
        if case .commandReject(.unknown) = command { return }
        let whole = try #require([UInt8](hex: hex))
        for length in 0..<whole.count {
            // A list that ends earlier is a shorter list; the header's length tells of the difference.
            if Self.endsInList(command), length >= 4 + Self.fixedLength(command), length % 2 == 0 { continue }
            #expect(throws: DecodeError.self) { try Self.decode(Array(whole.prefix(length))) }
        }
        #expect(throws: DecodeError.self) { try Self.decode(whole + [0]) }
    }

    static func endsInList(_ command: SignallingPDU) -> Bool {
        switch command {
        case .enhancedConnectionRequest, .enhancedConnectionResponse, .reconfigureRequest: true
        default: false
        }
    }

    /// Bytes of data before the list.
    static func fixedLength(_ command: SignallingPDU) -> Int {
        if case .reconfigureRequest = command { 4 } else { 8 }
    }
}
