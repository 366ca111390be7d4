import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_CONNECTION_PARAM_REQ and LL_CONNECTION_PARAM_RSP. Core 6.0, Vol 6, Part B, 5.1.7.
extension Connection {
    func beginConnectionParameterRequest(_ range: ConnectionParameterRange, at now: Instant) {
        send(.connectionParamReq(ConnectionParameterProposal(range: range)))
        expectResponse(at: now)
    }

    /// The peer wants another pace: the host decides if it wants to, else whatever is allowed is accepted.
    func receive(
        _ proposal: ConnectionParameterProposal,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        guard let range = proposal.range else {
            return reject(.connectionParamReq, .unsupportedLinkLayerParameterValue)
        }
        // Both sides began a procedure with an instant: the central's wins. 5.3.
        if procedures.pending != nil || procedures.active?.hasInstant == true {
            guard role == .peripheral, case .connectionParameterRequest = procedures.active else {
                return reject(
                    .connectionParamReq,
                    procedures.active?.isConnectionUpdate == true
                        ? .linkLayerProcedureCollision : .differentTransactionCollision)
            }
        }
        guard local.asksHostForParameters, procedures.askedHost == nil else {
            return accept(range, at: now, into: &output)
        }
        procedures.askedHost = proposal
        output.events.append(
            .leRemoteConnectionParameterRequest(
                LERemoteConnectionParameterRequest(
                    connection: handle,
                    minimumInterval: proposal.minimumIntervalSteps,
                    maximumInterval: proposal.maximumIntervalSteps,
                    maximumLatency: proposal.latencyEvents,
                    supervisionTimeout: proposal.timeoutSteps
                )))
    }

    /// The host agrees, perhaps to something narrower.
    func accept(_ range: ConnectionParameterRange, at now: Instant, into output: inout LinkOutput) {
        procedures.askedHost = nil
        if role == .central {
            begin(.connectionUpdate(range), at: now, into: &output)
        } else {
            send(.connectionParamRsp(ConnectionParameterProposal(range: range)))
        }
    }

    /// The host does not agree.
    func refuse(_ reason: ControllerError) {
        procedures.askedHost = nil
        reject(.connectionParamReq, reason)
    }

    /// A peripheral has answered our request as central: the update itself follows.
    func receiveResponse(
        _ proposal: ConnectionParameterProposal,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        guard role == .central, case .connectionParameterRequest = procedures.active else { return }
        guard let range = proposal.range else {
            reject(.connectionParamRsp, .unsupportedLinkLayerParameterValue)
            return failConnectionUpdate(.unsupportedLinkLayerParameterValue, at: now, into: &output)
        }
        procedures.active = .connectionUpdate(range)
        beginConnectionUpdate(range, at: now)
    }
}

extension Procedures.Local {
    /// Whether it changes the connection's pace.
    var isConnectionUpdate: Bool {
        switch self {
        case .connectionUpdate, .connectionParameterRequest: true
        default: false
        }
    }
}
