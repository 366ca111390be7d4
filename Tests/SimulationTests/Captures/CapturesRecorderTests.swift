import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

@Suite("Recording a world")
struct CapturesRecorderTests {
    static let fob = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    static let phone = DeviceAddress(value: 0xC011_2233_4455, kind: .random)
    static let address = AccessAddress(rawValue: 0x5065_4A6B)
    static let preset = CRCInit(0x12_3456)

    /// The flags of the radio header in each packet recorded since the last call.
    func flags(_ recorder: inout CaptureRecorder) throws -> [UInt16] {
        let taken = recorder.takeBytes()
        var bytes = taken.span.bytes
        var found: [UInt16] = []
        while bytes.byteCount > 0 {
            let type = try bytes.takeUInt32()
            let length = Int(try bytes.takeUInt32())
            let body = try bytes.takeBytes(length - 12)
            try bytes.skip(4)
            if type == 6 { found.append(UInt16(body[28]) | UInt16(body[29]) << 8) }
        }
        return found
    }

    func connect(_ address: AccessAddress = Self.address) throws -> [UInt8] {
        let parameters = try #require(ConnectionParameters(intervalSteps: 24, latencyEvents: 0, timeoutSteps: 200))
        return AirFrame.make(
            advertising: .connectInd(
                ConnectIndication(
                    initiator: Self.phone,
                    advertiser: Self.fob,
                    accessAddress: address,
                    crcInit: Self.preset,
                    window: try #require(
                        TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval)
                    ),
                    parameters: parameters,
                    channelMap: .all,
                    hopIncrement: try #require(HopIncrement(7)),
                    sleepClockAccuracy: .upTo50,
                    supportsChannelSelection2: true
                )
            )
        )
    }

    @Test("After CONNECT_IND the recorder knows each frame's direction and checks its CRC")
    func connection() throws {
        var recorder = CaptureRecorder(epoch: .unix)
        let channel = try #require(ChannelIndex(37))
        let empty = AirFrame.make(accessAddress: Self.address, header: DataHeader(.continuation), crcInit: Self.preset)
        var damaged = empty
        damaged[6] ^= 1
        let signal = SignalStrength(dBm: 0)
        for (frame, transmitter) in [(empty, 1), (try connect(), 1), (empty, 1), (empty, 2), (damaged, 2)]
            as [([UInt8], UInt32)]
        {
            recorder.record(frame: frame, channel: channel, phy: .le1M, signal: signal, from: transmitter, at: .zero)
        }
        #expect(try flags(&recorder) == [0x0033, 0x0C33, 0x0D33, 0x0DB3, 0x05B3])
    }

    @Test("A CONNECT_IND whose CRC is wrong makes no connection")
    func damagedConnect() throws {
        var recorder = CaptureRecorder(epoch: .unix)
        let channel = try #require(ChannelIndex(37))
        var connect = try connect()
        connect[connect.count - 1] ^= 0x80
        let empty = AirFrame.make(accessAddress: Self.address, header: DataHeader(.continuation), crcInit: Self.preset)
        for frame in [connect, empty] {
            recorder.record(
                frame: frame,
                channel: channel,
                phy: .le1M,
                signal: SignalStrength(dBm: 0),
                from: 1,
                at: .zero
            )
        }
        #expect(try flags(&recorder) == [0x0433, 0x0033])
    }

    @Test("Connections that are over are forgotten, and those on which something is said are not")
    func forgotten() throws {
        var watch = ConnectionWatch()
        let empty = AirFrame.make(accessAddress: Self.address, header: DataHeader(.continuation), crcInit: Self.preset)
        _ = watch.observe(try connect(), from: 1, at: .zero)
        var most = 0
        for number in 0..<2_000 as Range<UInt32> {
            let now = Instant.zero + .seconds(Int64(number))
            _ = watch.observe(try connect(AccessAddress(rawValue: 0x6000_0000 + number)), from: 3, at: now)
            #expect(watch.observe(empty, from: 1, at: now) == (.dataCentralToPeripheral, .right))
            most = max(most, watch.count)
        }
        // One of each second, for 32 s, and as many again before they are looked for.
        #expect(most <= 70)
        #expect(watch.observe(empty, from: 1, at: .zero + .seconds(2_031)) == (.dataCentralToPeripheral, .right))
    }

    @Test("Frames of any length are recorded, and what has no access address is not")
    func anyLength() throws {
        var recorder = CaptureRecorder(epoch: .unix)
        _ = recorder.takeBytes()
        let channel = try #require(ChannelIndex(5))
        var random = SeededRandom(seed: 9, purpose: "frames")
        for length in 0..<60 {
            recorder.record(
                frame: random.bytes(length),
                channel: channel,
                phy: .le1M,
                signal: SignalStrength(dBm: 0),
                from: 1,
                at: .zero
            )
        }
        #expect(try flags(&recorder).count == 56)
    }

    @Test("Bytes are taken once, and the first begin with the section header and the air")
    func taking() {
        var recorder = CaptureRecorder(epoch: .unix, application: "test")
        let first = recorder.takeBytes()
        #expect(first.prefix(4) == [0x0A, 0x0D, 0x0D, 0x0A])
        #expect(first.count { $0 == UInt8(ascii: "r") } > 0)
        #expect(recorder.pendingByteCount == 0)
        #expect(recorder.takeBytes().isEmpty)
        let hci = recorder.addHCI(name: "hci0", description: "fob")
        recorder.record(hci: [1, 3, 12, 0], direction: .hostToController, on: hci, at: .zero)
        let second = recorder.takeBytes()
        #expect(second.prefix(4) == [1, 0, 0, 0])
        #expect(second.count == second.count / 4 * 4)
    }
}
