import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime

/// Control PDUs of the peer: each goes to the procedure that it belongs to. Core 6.0, Vol 6, Part B, 2.4.2, 5.1.
extension Connection {
    /// A control PDU came, in the clear or decrypted.
    mutating func receiveControl(
        _ bytes: RawSpan,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        var payload = bytes
        var beginning = bytes
        guard let first = try? beginning.takeUInt8() else { return }
        let opcode = ControlOpcode(rawValue: first)
        guard procedures.expects(opcode, isDecrypting: encryption.isDecrypting) else {
            return output.end(.connectionTerminatedMICFailure)
        }
        if let feature = opcode.feature, !procedures.features.own.contains(feature) { return answerUnknown(opcode) }
        guard let pdu = try? ControlPDU(parsing: &payload) else {
            guard !procedures.isStrict else { return output.end(.connectionTerminatedMICFailure) }
            // A PDU of the wrong length is one that we do not understand. 5.4.
            return answerUnknown(opcode)
        }
        receive(pdu, at: now, knowing: local, into: &output)
        goOn(at: now, into: &output)
    }

    private mutating func receive(
        _ pdu: ControlPDU,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        switch pdu {
        case .connectionUpdateInd(let indication): receive(indication, at: now, into: &output)
        case .channelMapInd(let indication): receive(indication, into: &output)
        case .terminateInd(let reason): receiveTermination(reason)
        case .unknownRsp(let unknown):
            refused(unknown, .unsupportedRemoteFeature, isUnknown: true, at: now, into: &output)
        case .featureReq(let features): receiveFeatureRequest(features, from: .central)
        case .peripheralFeatureReq(let features): receiveFeatureRequest(features, from: .peripheral)
        case .featureRsp(let features): receiveFeatureResponse(features, into: &output)
        case .versionInd(let version): receive(version, into: &output)
        // It has failed even with a code that says success.
        case .rejectInd(let reason):
            refused(nil, FailureCode(received: reason), isUnknown: false, at: now, into: &output)
        case .rejectExtInd(let rejected, let reason):
            refused(rejected, FailureCode(received: reason), isUnknown: false, at: now, into: &output)
        case .connectionParamReq(let proposal): receive(proposal, at: now, knowing: local, into: &output)
        case .lengthReq(let lengths): receiveLengthRequest(lengths, into: &output)
        case .lengthRsp(let lengths): receiveLengthResponse(lengths, into: &output)
        case .connectionParamRsp(let answer): receiveAnswer(answer, at: now, into: &output)
        case .encReq(let request): receive(request, at: now, knowing: local, into: &output)
        case .encRsp(let response): procedures.encryptionStart?.receive(response)
        case .startEncReq: receiveStartRequest(at: now)
        case .startEncRsp: receiveStartResponse(at: now, into: &output)
        case .pauseEncReq: receivePauseRequest(at: now)
        case .pauseEncRsp: receivePauseResponse(at: now)
        case .pingReq: send(.pingRsp)
        case .pingRsp: procedures.ping?.receiveResponse()
        case .phyReq(let transmit, let receive):
            receivePHYRequest(PHYPreference(transmit: transmit, receive: receive), at: now)
        case .phyRsp(let transmit, let receive):
            receivePHYResponse(PHYPreference(transmit: transmit, receive: receive), at: now, into: &output)
        case .phyUpdateInd(let indication): receive(indication, at: now, into: &output)
        case .minUsedChannelsInd, .cteReq, .cteRsp, .clockAccuracyReq, .clockAccuracyRsp, .unknown:
            // Features that this controller does not claim. 2.4.2.8.
            answerUnknown(pdu.opcode)
        }
    }

    /// LL_UNKNOWN_RSP, but never to an answer: that would go on for ever.
    mutating func answerUnknown(_ opcode: ControlOpcode) {
        switch opcode {
        case .unknownRsp, .rejectInd, .rejectExtInd: return
        default: send(.unknownRsp(opcode))
        }
    }

    /// Applies what takes effect at the event about to begin.
    mutating func applyChange(at now: Instant, into output: inout LinkOutput) {
        guard let change = procedures.takeChange(at: schedule.counter) else { return }
        switch change {
        case .channelMap(let map): apply(map)
        case .phys(let transmit, let receive): apply(transmit: transmit, receive: receive, into: &output)
        case .connectionUpdate(let indication, let wanted):
            schedule.move(indication)
            apply(wanted, at: now, into: &output)
        }
        goOn(at: now, into: &output)
    }
}
