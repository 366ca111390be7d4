import AirPackets
import BluetoothValues
import ByteCoding
import HCI
import VirtualTime

/// The Link Layer control procedures of one connection: at most one of our own at a time, others queued behind it, and
/// the peer's beside it. Core 6.0, Vol 6, Part B, 5.1.
struct Procedures: Sendable {
    /// A procedure that this side begins.
    enum Local: Hashable, Sendable {
        case featureExchange
        case versionExchange
        case dataLengthUpdate
        /// As central, with the range that the host asked for, or the peer.
        case connectionUpdate(ConnectionParameterRange, forHost: Bool)
        /// As peripheral, by asking the central; for the host.
        case connectionParameterRequest(ConnectionParameterRange)
        case channelMapUpdate(ChannelMap)
        /// As central, for the host.
        case encryption(EncryptionOrder)
        case ping
        case phyUpdate(PHYPreference)
        case termination(ControllerError)

        /// Whether it ends at an instant, so that it cannot run together with another such. 5.3.
        var hasInstant: Bool {
            switch self {
            case .connectionUpdate, .connectionParameterRequest, .channelMapUpdate, .phyUpdate: true
            case .featureExchange, .versionExchange, .dataLengthUpdate, .encryption, .ping, .termination: false
            }
        }
    }

    /// What takes effect at an instant.
    enum Change: Sendable {
        case connectionUpdate(ConnectionUpdateIndication, ConnectionParameters)
        case channelMap(ChannelMap)
        case phys(transmit: PHY, receive: PHY)
    }

    /// How long a procedure may take, and a termination the peer does not answer. 5.2.
    static let responseTimeout = TimeSpan.seconds(40)

    var active: Local?
    /// One of each kind at most, and so never more than there are kinds.
    var waiting: [Local] = []
    /// When the procedure under way has taken too long.
    var deadline: Instant?
    /// The same for a procedure of the peer's that waits for the peer again.
    var peerDeadline: Instant?
    /// What takes effect when.
    var pending: (change: Change, instant: UInt16)?
    /// The peer's LL_CONNECTION_PARAM_REQ that our host is being asked about.
    var askedHost: ConnectionParameterProposal?

    var sentVersion = false
    var peerVersion: VersionIndication?
    var peerFeatures: LEFeatures?
    var peerRefusedDataLengthUpdate = false
    /// Whether the host waits for Read Remote Version Information Complete.
    var hostAwaitsVersion = false
    var hostAwaitsFeatures = false
    /// Whether the host asked for the connection update under way.
    var hostAwaitsUpdate = false
    /// Whether the host waits for LE PHY Update Complete.
    var hostAwaitsPHY = false
    /// Whether a peripheral has answered the central's LL_PHY_REQ, and waits for the decision.
    var awaitsPHYUpdate = false

    /// The reason of the peer's LL_TERMINATE_IND, until it has been acknowledged.
    var peerTerminates: FailureCode?

    var instant: UInt16? { pending?.instant }
    /// When something has taken too long.
    var nextDeadline: Instant { min(deadline ?? .distantFuture, peerDeadline ?? .distantFuture) }
    /// Whether a peripheral must not sleep: an answer is expected, or the end.
    var needsEveryEvent: Bool { deadline != nil || peerDeadline != nil || peerTerminates != nil }
}

extension Connection {
    /// Asks for a procedure; it begins at once if no other is under way.
    func begin(_ procedure: Procedures.Local, at now: Instant, into output: inout LinkOutput) {
        if case .termination(let reason) = procedure {
            return terminate(reason, at: now)
        }
        guard procedures.active == nil, encryption.isIdle, !(procedure.hasInstant && procedures.pending != nil) else {
            return wait(for: procedure)
        }
        procedures.active = procedure
        switch procedure {
        case .featureExchange: beginFeatureExchange(at: now)
        case .versionExchange: beginVersionExchange(at: now, into: &output)
        case .dataLengthUpdate: beginDataLengthUpdate(at: now)
        case .connectionUpdate(let range, _): beginConnectionUpdate(range, at: now)
        case .connectionParameterRequest(let range): beginConnectionParameterRequest(range, at: now)
        case .channelMapUpdate(let map): beginChannelMapUpdate(map, at: now)
        case .encryption(let order): beginEncryption(order, at: now)
        case .ping: beginPing(at: now)
        case .phyUpdate(let wanted): beginPHYUpdate(wanted, at: now)
        case .termination: break
        }
    }

    /// Puts a procedure off until others are over. One of each kind waits at most, the newest: of channel maps no other
    /// is of interest, and what could differ otherwise is refused before, to the host or to the peer.
    private func wait(for procedure: Procedures.Local) {
        if let index = procedures.waiting.firstIndex(where: { $0.kind == procedure.kind }) {
            procedures.waiting[index] = procedure
        } else {
            procedures.waiting.append(procedure)
        }
    }

    /// The procedure of ours is over; the next one begins.
    func finish(at now: Instant, into output: inout LinkOutput) {
        procedures.active = nil
        procedures.deadline = nil
        beginNext(at: now, into: &output)
    }

    func beginNext(at now: Instant, into output: inout LinkOutput) {
        guard procedures.active == nil, encryption.isIdle,
            let index = procedures.waiting.firstIndex(where: { !($0.hasInstant && procedures.pending != nil) })
        else { return }
        begin(procedures.waiting.remove(at: index), at: now, into: &output)
    }

    /// The peer must answer within 40 s.
    func expectResponse(at now: Instant) { procedures.deadline = now + Procedures.responseTimeout }

    /// A control PDU came, in the clear or decrypted.
    func receiveControl(
        _ bytes: RawSpan,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        var payload = bytes
        var beginning = bytes
        guard let first = try? beginning.takeUInt8() else { return }
        let opcode = ControlOpcode(rawValue: first)
        guard encryption.expects(opcode) else { return output.end(.connectionTerminatedMICFailure) }
        if let feature = opcode.feature, !localFeatures.contains(feature) { return answerUnknown(opcode) }
        guard let pdu = try? ControlPDU(parsing: &payload) else {
            guard !encryption.isStrict else { return output.end(.connectionTerminatedMICFailure) }
            // A PDU of the wrong length is one that we do not understand. 5.4.
            return answerUnknown(opcode)
        }
        switch pdu {
        case .connectionUpdateInd(let indication): receive(indication, at: now, into: &output)
        case .channelMapInd(let indication): receive(indication, into: &output)
        case .terminateInd(let reason): receiveTermination(reason)
        case .unknownRsp(let unknown): receiveUnknownResponse(unknown, at: now, into: &output)
        case .featureReq(let features): receiveFeatureRequest(features, from: .central)
        case .peripheralFeatureReq(let features): receiveFeatureRequest(features, from: .peripheral)
        case .featureRsp(let features): receiveFeatureResponse(features, at: now, into: &output)
        case .versionInd(let version): receive(version, at: now, into: &output)
        case .rejectInd(let reason): receiveReject(of: nil, reason, at: now, into: &output)
        case .rejectExtInd(let rejected, let reason): receiveReject(of: rejected, reason, at: now, into: &output)
        case .connectionParamReq(let proposal): receive(proposal, at: now, knowing: local, into: &output)
        case .lengthReq(let lengths): receiveLengthRequest(lengths, into: &output)
        case .lengthRsp(let lengths): receiveLengthResponse(lengths, at: now, into: &output)
        case .connectionParamRsp:
            // A central of ours does not ask, it decides.
            break
        case .encReq(let request): receive(request, at: now, knowing: local, into: &output)
        case .encRsp(let response): receive(response)
        case .startEncReq: receiveStartRequest(at: now)
        case .startEncRsp: receiveStartResponse(at: now, into: &output)
        case .pauseEncReq: receivePauseRequest(at: now)
        case .pauseEncRsp: receivePauseResponse(at: now)
        case .pingReq: send(.pingRsp)
        case .pingRsp: receivePingResponse(at: now, into: &output)
        case .phyReq(let transmit, let receive):
            receivePHYRequest(PHYPreference(transmit: transmit, receive: receive), at: now, into: &output)
        case .phyRsp(let transmit, let receive):
            receivePHYResponse(PHYPreference(transmit: transmit, receive: receive), at: now, into: &output)
        case .phyUpdateInd(let indication): receive(indication, at: now, into: &output)
        case .minUsedChannelsInd, .cteReq, .cteRsp, .clockAccuracyReq, .clockAccuracyRsp, .unknown:
            // Features that this controller does not claim. 2.4.2.8.
            answerUnknown(opcode)
        }
    }

    /// LL_UNKNOWN_RSP, but never to an answer: that would go on for ever.
    func answerUnknown(_ opcode: ControlOpcode) {
        switch opcode {
        case .unknownRsp, .rejectInd, .rejectExtInd: return
        default: send(.unknownRsp(opcode))
        }
    }

    /// A refusal in the form the peer understands. 5.1.
    func reject(_ opcode: ControlOpcode, _ reason: FailureCode) { send(rejection(of: opcode, reason)) }

    func rejection(of opcode: ControlOpcode, _ reason: FailureCode) -> ControlPDU {
        localFeatures.contains(.extendedRejectIndication)
            && procedures.peerFeatures?.contains(.extendedRejectIndication) ?? true
            ? .rejectExtInd(opcode, reason.error) : .rejectInd(reason.error)
    }

    /// One of our control PDUs has arrived.
    func controlAcknowledged(_ opcode: ControlOpcode, at now: Instant, into output: inout LinkOutput) {
        switch opcode {
        case .terminateInd:
            output.end(.connectionTerminatedByLocalHost)
        case .channelMapInd, .connectionUpdateInd, .phyUpdateInd:
            // From here on the instant decides, not the peer's answer.
            procedures.deadline = nil
        case .startEncReq, .pauseEncRsp:
            encryptionAcknowledged(opcode)
        default:
            break
        }
    }

    /// The peer does not know what we asked for: the procedure is over.
    private func receiveUnknownResponse(
        _ opcode: ControlOpcode,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        switch (procedures.active, opcode) {
        case (.featureExchange, .featureReq), (.featureExchange, .peripheralFeatureReq):
            failFeatureExchange(.unsupportedRemoteFeature, at: now, into: &output)
        case (.dataLengthUpdate, .lengthReq):
            procedures.peerRefusedDataLengthUpdate = true
            finish(at: now, into: &output)
        case (.connectionParameterRequest, .connectionParamReq):
            failConnectionUpdate(.unsupportedRemoteFeature, at: now, into: &output)
        case (.encryption, .encReq), (.encryption, .pauseEncReq):
            failEncryption(.unsupportedRemoteFeature, at: now, into: &output)
        case (.phyUpdate, .phyReq):
            finishPHYUpdate(.failed(.unsupportedRemoteFeature), at: now, into: &output)
        case (.ping, .pingReq):
            finish(at: now, into: &output)
        default:
            break
        }
    }

    /// The peer refuses what we asked for: the procedure has failed, even with a code that says success.
    private func receiveReject(
        of opcode: ControlOpcode?,
        _ code: ControllerError,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        let reason = FailureCode(received: code)
        switch procedures.active {
        case .connectionParameterRequest where opcode == nil || opcode == .connectionParamReq:
            failConnectionUpdate(reason, at: now, into: &output)
        case .dataLengthUpdate where opcode == nil || opcode == .lengthReq:
            finish(at: now, into: &output)
        case .featureExchange where opcode == nil || opcode == .featureReq || opcode == .peripheralFeatureReq:
            failFeatureExchange(reason, at: now, into: &output)
        case .phyUpdate where opcode == nil || opcode == .phyReq:
            finishPHYUpdate(.failed(reason), at: now, into: &output)
        case .encryption where opcode == nil || opcode == .encReq || opcode == .pauseEncReq:
            failEncryption(reason, at: now, into: &output)
        default:
            break
        }
    }

    /// Supervision and procedure timeouts. 4.5.2, 5.2.
    func expire(at now: Instant, into output: inout LinkOutput) {
        if now >= supervisionDeadline {
            output.end(
                lastHeard == nil
                    ? .connectionFailedToBeEstablished : procedures.terminationReason ?? .connectionTimeout
            )
        } else if now >= min(procedures.nextDeadline, encryption.deadline ?? .distantFuture) {
            output.end(procedures.terminationReason ?? .linkLayerResponseTimeout)
        } else {
            expireAuthenticatedPayload(at: now, into: &output)
        }
    }
}
