import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// How the control procedures of a connection begin, go on and end.
extension Connection {
    var isTerminating: Bool { procedures.isTerminating }

    /// Whether the host has asked for other connection parameters and not heard of the end yet.
    var isUpdateAsked: Bool {
        procedures.isAsked(for: .connectionUpdate) || procedures.isAsked(for: .connectionParameterRequest)
    }

    /// Asks for a procedure; it begins at once if no other is under way.
    mutating func begin(_ request: ProcedureRequest, at now: Instant, into output: inout LinkOutput) {
        if case .termination(let reason) = request { return terminate(reason, at: now) }
        guard procedures.mayBegin(request.kind) else { return procedures.wait(for: request) }
        start(request, at: now, into: &output)
        goOn(at: now, into: &output)
    }

    /// Does what follows from the procedures: one of ours that is over makes room for the next that waits. Called after
    /// whatever may have ended one.
    mutating func goOn(at now: Instant, into output: inout LinkOutput) {
        while true {
            if let local = procedures.local {
                guard local.isOver else { return }
                procedures.finishLocal()
                disarm(.localProcedure)
            }
            guard let request = procedures.takeNext() else { return }
            start(request, at: now, into: &output)
        }
    }

    private mutating func start(_ request: ProcedureRequest, at now: Instant, into output: inout LinkOutput) {
        switch request {
        case .featureExchange: startFeatureExchange()
        case .versionExchange: startVersionExchange(into: &output)
        case .dataLengthUpdate: startDataLengthUpdate()
        case .connectionUpdate(let range, let isForHost): startConnectionUpdate(range, isForHost: isForHost)
        case .connectionParameterRequest(let range): startConnectionParameterRequest(range)
        case .channelMapUpdate(let map): startChannelMapUpdate(map)
        case .encryptionStart(let order): startEncryption(order)
        case .ping: startPing()
        case .phyUpdate(let wanted): startPHYUpdate(wanted)
        case .termination: break
        }
        expectResponse(at: now)
    }

    /// The peer must answer within 40 s.
    mutating func expectResponse(at now: Instant) { arm(.localProcedure, at: now + Procedures.responseTimeout) }

    /// The same for a procedure of the peer's, which begins or goes on.
    mutating func expect(_ procedure: RemoteProcedure, at now: Instant) {
        procedures.begin(procedure)
        arm(.remoteProcedure, at: now + Procedures.responseTimeout)
    }

    /// The procedure of the peer's is over, or waits for our host.
    mutating func finishRemoteProcedure() {
        procedures.finishRemote()
        disarm(.remoteProcedure)
    }

    /// A refusal in the form the peer understands. 5.1.
    mutating func reject(_ opcode: ControlOpcode, _ reason: FailureCode) { send(rejection(of: opcode, reason)) }

    func rejection(of opcode: ControlOpcode, _ reason: FailureCode) -> ControlPDU {
        procedures.features.own.contains(.extendedRejectIndication)
            && procedures.features.peer?.contains(.extendedRejectIndication) ?? true
            ? .rejectExtInd(opcode, reason.error) : .rejectInd(reason.error)
    }

    /// One of our control PDUs has arrived.
    mutating func controlAcknowledged(_ opcode: ControlOpcode, into output: inout LinkOutput) {
        switch opcode {
        case .terminateInd: output.end(.connectionTerminatedByLocalHost)
        // From here on the instant decides, not the peer's answer.
        case .channelMapInd: if procedures.channelMapUpdate?.acknowledged() == true { disarm(.localProcedure) }
        case .connectionUpdateInd: if procedures.connectionUpdate?.acknowledged() == true { disarm(.localProcedure) }
        case .phyUpdateInd: if procedures.phyUpdate?.acknowledged() == true { disarm(.localProcedure) }
        case .startEncReq, .pauseEncRsp: encryptionAcknowledged(opcode)
        default: break
        }
    }

    /// The peer does not know what we asked for, or does not want it: the procedure is over.
    mutating func refused(
        _ opcode: ControlOpcode?,
        _ reason: FailureCode,
        isUnknown: Bool,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        guard let local = procedures.local, local.asked(with: opcode) else {
            // The central cannot use the parameters that we have agreed to.
            if role == .peripheral, procedures.parameterAnswer?.isAccepted == true,
                opcode == nil || opcode == .connectionParamRsp || opcode == .connectionParamReq
            {
                finishRemoteProcedure()
            }
            return
        }
        switch local {
        case .featureExchange: failFeatureExchange(reason, into: &output)
        case .dataLengthUpdate: failDataLengthUpdate(isUnknown: isUnknown)
        case .connectionParameterRequest: failParameterRequest(reason, at: now, into: &output)
        case .encryptionStart: failEncryption(reason, into: &output)
        case .phyUpdate: failPHYUpdate(reason, into: &output)
        // A peer may not know it, but cannot refuse it.
        case .ping: if isUnknown { procedures.ping?.receiveResponse() }
        case .versionExchange, .connectionUpdate, .channelMapUpdate, .termination: break
        }
    }

    /// A timer has run out. 4.5.2, 5.2, 5.4.
    mutating func expire(_ timer: LinkTimer, at now: Instant, into output: inout LinkOutput) {
        switch timer {
        case .supervision where !supervision.isEstablished: output.end(.connectionFailedToBeEstablished)
        case .supervision: output.end(procedures.terminationReason ?? .connectionTimeout)
        case .localProcedure, .remoteProcedure: output.end(procedures.terminationReason ?? .linkLayerResponseTimeout)
        case .authenticatedPayload: expireAuthenticatedPayload(at: now, into: &output)
        // The controller begins events, since it has the radio.
        case .event: break
        }
    }
}
