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
        guard let range = proposal.range, proposal.preferredPeriodicity <= range.maximumInterval.steps else {
            return reject(.connectionParamReq, .invalidLinkLayerParameters)
        }
        if let collision = collision { return reject(.connectionParamReq, collision) }
        // A host that is being asked has one answer to give.
        guard procedures.askedHost == nil else { return }
        // Nothing but the anchor points would move: that is no business of the host's. 5.1.7.
        guard !range.allows(parameters) else { return accept(range, at: now, into: &output) }
        guard local.asksHostForParameters else { return reject(.connectionParamReq, .unsupportedRemoteFeature) }
        procedures.askedHost = proposal
        output.events.append(
            .leRemoteConnectionParameterRequest(
                LERemoteConnectionParameterRequest(
                    connection: handle,
                    minimumInterval: proposal.minimumIntervalSteps,
                    maximumInterval: proposal.maximumIntervalSteps,
                    maximumLatency: proposal.latencyEvents,
                    supervisionTimeout: proposal.timeoutSteps
                )
            )
        )
    }

    /// Why the peer's request cannot be granted beside what is under way: both would end at an instant. Of two sides
    /// that begin at once the central goes on. 5.3.
    private var collision: FailureCode? {
        if let pending = procedures.pending {
            if case .connectionUpdate = pending.change { return .linkLayerProcedureCollision }
            return .differentTransactionCollision
        }
        guard role == .central else { return nil }
        // A peer asks again when it has its answer. What it asked for before still waits for its turn.
        if procedures.waiting.contains(where: { $0.kind == .connectionUpdateForPeer }) {
            return .linkLayerProcedureCollision
        }
        guard let active = procedures.active, active.hasInstant else { return nil }
        return active.isConnectionUpdate ? .linkLayerProcedureCollision : .differentTransactionCollision
    }

    /// The host agrees, perhaps to something narrower.
    func accept(_ range: ConnectionParameterRange, at now: Instant, into output: inout LinkOutput) {
        procedures.askedHost = nil
        if role == .central {
            begin(.connectionUpdate(range, forHost: false), at: now, into: &output)
        } else {
            send(.connectionParamRsp(ConnectionParameterProposal(range: range)))
            procedures.peerDeadline = now + Procedures.responseTimeout
        }
    }

    /// The host does not agree.
    func refuse(_ reason: FailureCode) {
        procedures.askedHost = nil
        reject(.connectionParamReq, reason)
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
