import BluetoothValues
import ByteCoding
import Testing

@testable import Host

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
            #expect(throws: DecodeError.self) { try Self.decode(Array(whole.prefix(length))) }
        }
        #expect(throws: DecodeError.trailingBytes(1)) { try Self.decode(whole + [0]) }
    }
}
