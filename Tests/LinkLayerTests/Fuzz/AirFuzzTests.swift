import AirPackets
import BluetoothValues
import HCI
import Testing
import VirtualTime

@testable import LinkLayer

/// A hostile air: frames with right CRCs and mad contents, to a controller in every state.
@Suite("Fuzz: frames from the air into a controller")
struct ControllerAirFuzzTests {
    private static let data: [UInt8] = [2, 0, 0, 2, 0, 0xAB, 0xCD]

    //  The peer sends LL control PDUs, whole, mutated and invented, with right sequence numbers. Either the link ends with
    //  a reason that the specification has for it, or ordinary traffic goes on.
    @Test("Hostile control PDUs on a connection, in either role", arguments: [ConnectionRole.peripheral, .central])
    func controlPDUs(role: ConnectionRole) throws {
        var stream = SeededRandom(seed: role == .central ? 1 : 2, purpose: "control fuzz")
        var inputs = 0, sessions = 0
        while inputs < Fuzzing.inputs {
            sessions += 1
            let bench = try Bench(seed: UInt64(sessions))
            let link = try role == .peripheral ? bench.connectAsPeripheral() : bench.connectAsCentral()
            let shadow = ShadowTester(link)
            var reasons = Self.prescribed
            var isAlive = true
            for _ in 0..<200 where isAlive {
                inputs += 1
                let payload = Self.payload(from: &stream, eventsAhead: UInt16(inputs & 0xFF))
                if case .terminateInd(let reason)? = payload.controlPDU {
                    reasons.insert(FailureCode(received: reason).error)
                }
                if stream.index(10) == 0 { bench.send(HostWishes.packet(link.handle, from: &stream)) }
                isAlive = shadow.send(payload, moreData: stream.index(4) == 0)
                bench.controller.checkInvariants()
                for packet in bench.takePackets() where packet[0] == 4 && packet[1] == 0x05 {
                    isAlive = false
                    let reason = ControllerError(rawValue: packet[6])
                    #expect(reasons.contains(reason), "\(reason)")
                }
            }
            if isAlive { try checkTraffic(shadow, bench) }
        }
    }

    /// Data still goes both ways.
    private func checkTraffic(_ shadow: ShadowTester, _ bench: Bench) throws {
        for _ in 0..<40 { shadow.send(.empty) }
        _ = shadow.takeHeard()
        var packets = bench.takePackets()
        bench.send(Self.data)
        let isDelivered = shadow.deliver(.start([9, 9, 9]))
        for _ in 0..<20 { shadow.send(.empty) }
        packets += bench.takePackets()
        // What the fuzzer has set off may end the link even now.
        if packets.contains(where: { $0[0] == 4 && $0[1] == 0x05 }) { return }
        #expect(isDelivered)
        #expect(packets.contains([2, 0, 0x20, 3, 0, 9, 9, 9]))
        #expect(shadow.takeHeard().contains(.start([0xAB, 0xCD])))
    }

    /// Why a Link Layer ends a connection of its own accord, or its host's.
    private static let prescribed: Set<ControllerError> = [
        .connectionTimeout, .linkLayerResponseTimeout, .instantPassed, .differentTransactionCollision,
        .invalidLinkLayerParameters, .connectionTerminatedByLocalHost, .connectionFailedToBeEstablished,
        .connectionTerminatedMICFailure,
    ]

    static func payload(from stream: inout SeededRandom, eventsAhead: UInt16) -> Payload {
        switch stream.index(10) {
        case 0:
            return Payload(
                link: stream.pick([.reserved, .continuation, .start, .control]),
                bytes: stream.bytes(stream.index(60))
            )
        case 1: return .start(stream.bytes(stream.index(28)))
        case 2: return Payload(link: .control, bytes: [UInt8(stream.index(0x30))] + stream.bytes(stream.index(34)))
        case 3...5: return .control(control(from: &stream, instant: eventsAhead))
        default:
            var payload = Payload.control(control(from: &stream, instant: eventsAhead))
            payload.bytes = stream.mutate(payload.bytes)
            return payload
        }
    }

    private static func control(from stream: inout SeededRandom, instant: UInt16) -> ControlPDU {
        let error = ControllerError(rawValue: stream.byte()),
            opcode = ControlOpcode(rawValue: UInt8(stream.index(0x2A)))
        let lengths = DataLengths(
            maximumReceiveOctets: UInt16(stream.index(300)),
            maximumReceiveTime: UInt16(stream.index(20_000)),
            maximumTransmitOctets: UInt16(stream.index(300)),
            maximumTransmitTime: UInt16(stream.index(20_000))
        )
        let low = UInt16(6 + stream.index(100)), timeout = UInt16(100 + stream.index(400))
        let ahead = instant &+ UInt16(stream.index(40))
        switch stream.index(17) {
        case 0, 1:
            guard let parameters = ConnectionParameters(intervalSteps: low, latencyEvents: 0, timeoutSteps: timeout),
                let window = TransmitWindow(
                    sizeSteps: 1 + UInt8(stream.index(4)),
                    offsetSteps: UInt16(stream.index(Int(low))),
                    interval: parameters.interval
                )
            else { return .pingReq }
            return .connectionUpdateInd(
                ConnectionUpdateIndication(window: window, parameters: parameters, instant: ahead)
            )
        case 2:
            let map = ChannelMap(bits: stream.next() & ChannelMap.all.bits) ?? .all
            return .channelMapInd(ChannelMapIndication(channelMap: map, instant: ahead))
        case 3: return stream.index(10) == 0 ? .terminateInd(error) : .pingRsp
        case 4: return .unknownRsp(opcode)
        case 5: return .featureReq(features: stream.next())
        case 6: return .featureRsp(features: stream.next())
        case 7: return .peripheralFeatureReq(features: stream.next())
        case 8: return .versionInd(VersionIndication(version: stream.byte(), companyIdentifier: 1, subversion: 2))
        case 9: return .rejectInd(error)
        case 10: return .rejectExtInd(opcode, error)
        case 11, 12:
            guard
                let range = ConnectionParameterRange(
                    minimumSteps: low,
                    maximumSteps: low + 10,
                    latencyEvents: 0,
                    timeoutSteps: timeout
                )
            else { return .pingReq }
            let proposal = ConnectionParameterProposal(range: range)
            return stream.index(3) == 0 ? .connectionParamRsp(proposal) : .connectionParamReq(proposal)
        case 13: return .lengthReq(lengths)
        case 14: return .lengthRsp(lengths)
        case 15:
            let sets: [PHYSet] = [[], .le1M, .le2M, [.le1M, .le2M], .leCoded]
            let first = stream.pick(sets), second = stream.pick(sets)
            switch stream.index(4) {
            case 0: return .phyRsp(transmit: first, receive: second)
            case 1:
                let update = PHYUpdateIndication(
                    centralToPeripheral: first,
                    peripheralToCentral: second,
                    instant: ahead
                )
                return .phyUpdateInd(update)
            default: return .phyReq(transmit: first, receive: second)
            }
        default:
            // After it hardly anything else is allowed: `EncryptionFuzzTests` has more of that.
            guard stream.index(10) == 0 else { return .pingReq }
            return .encReq(EncryptionRequest(rand: 1, ediv: 2, sessionKeyDiversifier: 3, initializationVector: 4))
        }
    }

    //  Frames with any header bits and any payload, some with wrong CRCs, some cut short. The link may suffer; the
    //  controller may not, and the next connection is as good as any.
    @Test("Random frames on a connection, in either role", arguments: [ConnectionRole.peripheral, .central])
    func frames(role: ConnectionRole) throws {
        var stream = SeededRandom(seed: role == .central ? 3 : 4, purpose: "frame fuzz")
        let bench = try Bench()
        var inputs = 0
        while inputs < Fuzzing.inputs {
            let link = try role == .peripheral ? bench.connectAsPeripheral() : bench.connectAsCentral()
            let shadow = ShadowTester(link)
            for _ in 0..<200 {
                guard shadow.awaitListening(within: .seconds(3)) else { break }
                inputs += 1
                if stream.index(10) == 0 { bench.send(HostWishes.packet(link.handle, from: &stream)) }
                shadow.inject(Self.frame(shadow, from: &stream))
                bench.controller.checkInvariants()
                _ = bench.takePackets()
            }
            // Left alone the link ends by itself; then everything begins anew.
            bench.run(for: .seconds(33))
            _ = bench.takePackets()
            _ = bench.takeFrames()
            bench.controller.checkInvariants()
            if bench.controller.connectionCount > 0 {
                bench.send([1, 0x03, 0x0C, 0])
                _ = bench.takePackets()
                try bench.enableEvents()
            }
        }
        let link = try role == .peripheral ? bench.connectAsPeripheral() : bench.connectAsCentral()
        try link.idle(events: 1)
        _ = try link.ask(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1)))
        try link.idle(events: 10)
    }

    private static func frame(_ shadow: ShadowTester, from stream: inout SeededRandom) -> [UInt8] {
        let payload = payload(from: &stream, eventsAhead: UInt16(stream.index(200))).bytes
        var frame = AirFrame.make(
            accessAddress: shadow.accessAddress,
            header: UInt16(stream.byte()),
            payload: payload.span.bytes,
            crcInit: shadow.crcInit
        )
        switch stream.index(12) {
        case 0: frame[4 + stream.index(frame.count - 4)] ^= 1 << UInt8(stream.index(8))
        case 1: frame.removeLast(1 + stream.index(min(8, frame.count - 4)))
        case 2: frame += stream.bytes(stream.index(20))
        default: break
        }
        return frame
    }

    //  CONNECT_INDs, scan requests and responses, advertisements of every kind, to a controller that advertises, scans and
    //  initiates at once.
    @Test("Random frames on the advertising channels")
    func advertisingChannels() throws {
        var stream = SeededRandom(seed: 5, purpose: "advertising fuzz")
        var inputs = 0, sessions: UInt64 = 0
        while inputs < Fuzzing.inputs {
            sessions += 1
            let bench = try Bench(seed: sessions)
            try Self.makeBusy(bench, from: &stream)
            for _ in 0..<300 {
                let isListening = bench.run(for: .seconds(1)) {
                    if case .listening = bench.radio { true } else { false }
                }
                guard isListening, case .listening(let order) = bench.radio else { break }
                inputs += 1
                let frame = Self.advertisingFrame(from: &stream)
                bench.transmit(frame, on: order.channel, at: max(order.since, bench.now))
                bench.run(for: AirTime.span(ofFrame: frame, phy: .le1M) + .microseconds(200))
                bench.controller.checkInvariants()
                _ = bench.takePackets()
                _ = bench.takeFrames()
                bench.forgetListenings()
            }
            bench.send([1, 0x03, 0x0C, 0])
            _ = bench.takePackets()
            try bench.enableEvents()
            let link = try bench.connectAsPeripheral()
            try link.idle(events: 5)
        }
    }

    private static func makeBusy(_ bench: Bench, from stream: inout SeededRandom) throws {
        try bench.succeed(
            .leSetAdvertisingParameters(
                LESetAdvertisingParameters(
                    minimumInterval: 0x20,
                    maximumInterval: 0x20,
                    type: stream.pick(AdvertisingType.allCases),
                    peer: PeerAddress(Bench.testerAddress)
                )
            )
        )
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        try bench.succeed(.leSetScanParameters(LESetScanParameters(isActive: stream.index(2) == 0)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true, filtersDuplicates: stream.index(2) == 0)))
        try bench.succeed(
            .leCreateConnection(
                LECreateConnection(
                    peer: PeerAddress(Bench.testerAddress),
                    minimumInterval: 24,
                    maximumInterval: 24,
                    maximumLatency: 0,
                    supervisionTimeout: 100
                )
            )
        )
    }

    private static func advertisingFrame(from stream: inout SeededRandom) -> [UInt8] {
        let addresses = [Bench.testerAddress, Bench.address, DeviceAddress(value: stream.next(), kind: .random)]
        let first = stream.pick(addresses), second = stream.pick(addresses), data = stream.bytes(stream.index(32))
        let pdu: AdvertisingPDU
        switch stream.index(9) {
        case 0: pdu = .advInd(advertiser: first, data: data, supportsChannelSelection2: stream.index(2) == 0)
        case 1: pdu = .advDirectInd(advertiser: first, target: second, supportsChannelSelection2: true)
        case 2: pdu = .advNonconnInd(advertiser: first, data: data)
        case 3: pdu = .advScanInd(advertiser: first, data: data)
        case 4: pdu = .scanReq(scanner: first, advertiser: second)
        case 5: pdu = .scanRsp(advertiser: first, data: data)
        case 6:
            pdu = .unknown(
                AdvertisingHeader(rawValue: UInt16(stream.byte())),
                payload: stream.bytes(stream.index(60))
            )
        default:
            var bytes: [UInt8] = []
            first.write(to: &bytes)
            second.write(to: &bytes)
            // AA, CRCInit, WinSize, WinOffset, Interval, Latency, Timeout, ChM, Hop and SCA: right, then mutated.
            bytes += [
                0xE1, 0x96, 0x3C, 0x5A, 1, 2, 3, 1, 0, 0, 24, 0, 0, 0, 100, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0xA7,
            ]
            let header = AdvertisingHeader(.connectInd, transmitter: first.kind, receiver: second.kind, length: 34)
            pdu = .unknown(header, payload: stream.index(2) == 0 ? bytes : stream.mutate(bytes))
        }
        var frame = AirFrame.make(advertising: pdu)
        if stream.index(10) == 0 { frame[4 + stream.index(frame.count - 4)] ^= 1 << UInt8(stream.index(8)) }
        return frame
    }
}

/// Things that a host may want of a connection at any time.
enum HostWishes {
    static func packet(_ handle: ConnectionHandle, from stream: inout SeededRandom) -> [UInt8] {
        let command: Command
        switch stream.index(8) {
        case 0: command = .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle))
        case 1: command = .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle))
        case 2:
            command = .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: handle,
                    minimumInterval: 24,
                    maximumInterval: 24 + UInt16(stream.index(40)),
                    maximumLatency: 0,
                    supervisionTimeout: 300
                )
            )
        case 3:
            command = .leSetDataLength(
                LESetDataLength(
                    connection: handle,
                    transmitOctets: UInt16(27 + stream.index(225)),
                    transmitTime: 2_120
                )
            )
        case 4:
            let channels = stream.bytes(5)
            command = .leSetHostChannelClassification(LESetHostChannelClassification(channels: channels))
        case 5:
            command = .leRemoteConnectionParameterRequestReply(
                LERemoteConnectionParameterRequestReply(
                    connection: handle,
                    minimumInterval: 30,
                    maximumInterval: 40,
                    maximumLatency: 0,
                    supervisionTimeout: 300
                )
            )
        case 6:
            command = .leRemoteConnectionParameterRequestNegativeReply(
                LERemoteConnectionParameterRequestNegativeReply(connection: handle)
            )
        default:
            let data = stream.bytes(stream.index(100))
            return [2, UInt8(handle.rawValue), 0, UInt8(data.count), 0] + data
        }
        return command.packet()
    }
}
