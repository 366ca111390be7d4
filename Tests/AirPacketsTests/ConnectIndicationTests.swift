import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("CONNECT_IND")
struct ConnectIndicationTests {
    /// The payload with some bytes replaced, parsed.
    func parse(replacing offset: Int, with replacement: [UInt8]) throws -> ConnectIndication {
        var payload: [UInt8] = []
        try Sample.connectIndication().write(to: &payload)
        payload.replaceSubrange(offset..<offset + replacement.count, with: replacement)
        var bytes = payload.span.bytes
        return try ConnectIndication(
            parsing: &bytes,
            header: AdvertisingHeader(.connectInd, transmitter: .random, length: 34)
        )
    }

    @Test("The header decides the kinds of the addresses and channel selection")
    func header() throws {
        var payload: [UInt8] = []
        try Sample.connectIndication().write(to: &payload)
        #expect(payload.count == ConnectIndication.payloadLength)
        var bytes = payload.span.bytes
        let parsed = try ConnectIndication(
            parsing: &bytes,
            header: AdvertisingHeader(.connectInd, receiver: .random, length: 34)
        )
        #expect(parsed.initiator.kind == .public)
        #expect(parsed.advertiser.kind == .random)
        #expect(!parsed.supportsChannelSelection2)
    }

    @Test("A field outside its range makes no connection")
    func ranges() {
        // WinSize 0, and longer than 10 ms.
        #expect(throws: DecodeError.self) { try parse(replacing: 19, with: [0]) }
        #expect(throws: DecodeError.self) { try parse(replacing: 19, with: [9]) }
        // WinOffset beyond the interval of 24.
        #expect(throws: DecodeError.self) { try parse(replacing: 20, with: [25, 0]) }
        // Interval of 5, and of 3201.
        #expect(throws: DecodeError.self) { try parse(replacing: 22, with: [5, 0]) }
        #expect(throws: DecodeError.self) { try parse(replacing: 22, with: [0x81, 0x0C]) }
        // Latency of 500, and timeout of 9.
        #expect(throws: DecodeError.self) { try parse(replacing: 24, with: [0xF4, 0x01]) }
        #expect(throws: DecodeError.self) { try parse(replacing: 26, with: [9, 0]) }
        // Timeout not longer than two effective intervals: (1 + 4) * 30 ms * 2 = 300 ms.
        #expect(throws: DecodeError.self) { try parse(replacing: 26, with: [30, 0]) }
        #expect(throws: Never.self) { try parse(replacing: 26, with: [31, 0]) }
        // One channel; two are enough, and bits beyond channel 36 do not count.
        #expect(throws: DecodeError.self) { try parse(replacing: 28, with: [1, 0, 0, 0, 0xE0]) }
        #expect(throws: Never.self) { try parse(replacing: 28, with: [3, 0, 0, 0, 0xE0]) }
        // Hop of 4, and of 17.
        #expect(throws: DecodeError.self) { try parse(replacing: 33, with: [4]) }
        #expect(throws: DecodeError.self) { try parse(replacing: 33, with: [17]) }
    }

    @Test("A transmit window is at least one step, at most 10 ms and one step less than the interval")
    func windows() throws {
        let short = try #require(ConnectionInterval(steps: 6))
        #expect(
            (UInt8(0)...255).filter { TransmitWindow(sizeSteps: $0, offsetSteps: 0, interval: short) != nil } == [
                1, 2, 3, 4, 5,
            ]
        )
        let long = try #require(ConnectionInterval(steps: 100))
        #expect(
            (UInt8(0)...255).filter { TransmitWindow(sizeSteps: $0, offsetSteps: 0, interval: long) != nil }
                == Array(1...8)
        )
        #expect(TransmitWindow(sizeSteps: 1, offsetSteps: 100, interval: long)?.offset == .milliseconds(125))
        #expect(TransmitWindow(sizeSteps: 1, offsetSteps: 101, interval: long) == nil)
        #expect(TransmitWindow(sizeSteps: 2, offsetSteps: 0, interval: long)?.size == .microseconds(2_500))
    }

    @Test("Sleep clock accuracies are the specification's eight")
    func accuracies() {
        #expect(SleepClockAccuracy.allCases.map(\.partsPerMillion) == [500, 250, 150, 100, 75, 50, 30, 20])
        #expect(SleepClockAccuracy.allCases.map(\.rawValue) == Array(0...7))
    }
}
