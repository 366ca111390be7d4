import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// What a hostile peer puts on the air: PDUs that make sense, damaged ones and noise, with right CRCs for the most part.
enum FuzzedAir {
    static func payload(from stream: inout FuzzInput, eventsAhead: UInt16) -> Payload {
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

    private static func control(from stream: inout FuzzInput, instant: UInt16) -> ControlPDU {
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

    static func frame(_ shadow: ShadowTester, from stream: inout FuzzInput) -> [UInt8] {
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

    static func makeBusy(_ bench: Bench, from stream: inout FuzzInput) throws {
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

    static func advertisingFrame(from stream: inout FuzzInput) -> [UInt8] {
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
