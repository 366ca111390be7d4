import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_CONNECTION_PARAM_REQ as the side that sends it, for its host. Core 6.0, Vol 6, Part B, 5.1.7.
struct ConnectionParameterRequest: Sendable {
    private enum State {
        case awaitingAnswer
        /// LL_CONNECTION_UPDATE_IND has come.
        case awaitingInstant
        case over
    }

    /// What is asked for.
    let range: ConnectionParameterRange
    private var state = State.awaitingAnswer

    init(_ range: ConnectionParameterRange) { self.range = range }

    var awaitsAnswer: Bool { state == .awaitingAnswer }
    var isOver: Bool { state == .over }

    /// What of the range the peer agrees to; nil if that is nothing.
    func agreed(_ answer: ConnectionParameterProposal) -> ConnectionParameterRange? {
        answer.range.flatMap { theirs in
            ConnectionParameterRange(
                minimumInterval: max(range.minimumInterval, theirs.minimumInterval),
                maximumInterval: min(range.maximumInterval, theirs.maximumInterval),
                latency: theirs.latency,
                supervisionTimeout: theirs.supervisionTimeout
            )
        }
    }

    /// The central changes the parameters; true if it was not known before.
    mutating func granted() -> Bool {
        guard state == .awaitingAnswer else { return false }
        state = .awaitingInstant
        return true
    }

    /// The instant has come, or the peer does not agree.
    mutating func end() { state = .over }
}

/// LL_CONNECTION_PARAM_REQ as the side that receives it. Core 6.0, Vol 6, Part B, 5.1.7.
struct ConnectionParameterAnswer: Sendable {
    private enum State {
        case askingHost
        /// LL_CONNECTION_PARAM_RSP is out; the central changes the parameters now.
        case accepted
    }

    private let state: State

    static let askingHost = Self(state: .askingHost)
    static let accepted = Self(state: .accepted)

    var isAskingHost: Bool { state == .askingHost }
    var isAccepted: Bool { state == .accepted }
}

extension Procedures {
    var connectionParameterRequest: ConnectionParameterRequest? {
        get { if case .connectionParameterRequest(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.connectionParameterRequest(newValue)) } }
    }

    var parameterAnswer: ConnectionParameterAnswer? {
        if case .connectionParameterRequest(let answer) = remote { answer } else { nil }
    }

    /// Whether our host is being asked for parameters that the peer requests.
    var isAskingHost: Bool { parameterAnswer?.isAskingHost ?? false }
}

extension Connection {
    /// How the host's LE Connection Update is carried out. A central asks the peripheral where both sides are known to have
    /// the procedure, so that the peripheral's host has a say; else it decides.
    func parameterProcedure(_ range: ConnectionParameterRange) -> ProcedureRequest {
        let features = procedures.features
        let canAsk =
            features.own.contains(.connectionParametersRequest)
            && features.peer?.contains(.connectionParametersRequest) == true
        return role == .peripheral || canAsk
            ? .connectionParameterRequest(range) : .connectionUpdate(range, forHost: true)
    }

    mutating func startConnectionParameterRequest(_ range: ConnectionParameterRange) {
        send(.connectionParamReq(ConnectionParameterProposal(range: range)))
        procedures.begin(.connectionParameterRequest(ConnectionParameterRequest(range)))
    }

    /// The peer requests other parameters. A request that the present ones satisfy is accepted. Else the host decides, if
    /// it receives such requests; if not, the request is rejected.
    mutating func receive(
        _ proposal: ConnectionParameterProposal,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        guard let range = proposal.range, proposal.preferredPeriodicity <= range.maximumInterval.steps else {
            return reject(.connectionParamReq, .invalidLinkLayerParameters)
        }
        if let collision = procedures.collision(with: .connectionUpdateForPeer, as: role) {
            return reject(.connectionParamReq, collision)
        }
        // A host that is being asked has one answer to give.
        guard !procedures.isAskingHost else { return }
        // Nothing but the anchor points would move: that is no business of the host's. 5.1.7.
        guard !range.allows(parameters) else { return accept(range, at: now, into: &output) }
        guard local.asksHostForParameters else { return reject(.connectionParamReq, .unsupportedRemoteFeature) }
        disarm(.remoteProcedure)
        procedures.begin(.connectionParameterRequest(.askingHost))
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

    /// The host agrees, perhaps to something narrower.
    mutating func accept(_ range: ConnectionParameterRange, at now: Instant, into output: inout LinkOutput) {
        if role == .central {
            if procedures.isAskingHost { finishRemoteProcedure() }
            begin(.connectionUpdate(range, forHost: false), at: now, into: &output)
        } else {
            send(.connectionParamRsp(ConnectionParameterProposal(range: range)))
            expect(.connectionParameterRequest(.accepted), at: now)
        }
    }

    /// The host does not agree.
    mutating func refuse(_ reason: FailureCode) {
        finishRemoteProcedure()
        reject(.connectionParamReq, reason)
    }

    /// The peripheral agrees, perhaps to something narrower: the central changes the parameters.
    mutating func receiveAnswer(_ answer: ConnectionParameterProposal, at now: Instant, into output: inout LinkOutput) {
        guard role == .central, let request = procedures.connectionParameterRequest, request.awaitsAnswer else {
            return
        }
        guard let range = request.agreed(answer) else {
            // The peripheral waits for an answer to its own. 5.1.7.2.
            let reason: FailureCode =
                answer.range == nil ? .invalidLinkLayerParameters : .unsupportedLinkLayerParameterValue
            reject(.connectionParamRsp, reason)
            return failParameterRequest(reason, at: now, into: &output)
        }
        startConnectionUpdate(range, isForHost: true)
        expectResponse(at: now)
    }

    /// The peer does not agree. A central whose peripheral lacks the procedure, or whose host does, changes the parameters
    /// without asking. 5.1.7.1.
    mutating func failParameterRequest(_ reason: FailureCode, at now: Instant, into output: inout LinkOutput) {
        if role == .central, reason == .unsupportedRemoteFeature, let request = procedures.connectionParameterRequest {
            startConnectionUpdate(request.range, isForHost: true)
            return expectResponse(at: now)
        }
        reportUpdate(.failed(reason), into: &output)
        procedures.connectionParameterRequest?.end()
    }
}
