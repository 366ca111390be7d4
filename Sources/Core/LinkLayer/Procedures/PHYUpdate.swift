import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_PHY_REQ, LL_PHY_RSP and LL_PHY_UPDATE_IND as the side that asks. Core 6.0, Vol 6, Part B, 5.1.10.
struct PHYUpdate: Sendable {
    private enum State {
        /// LL_PHY_RSP has to come to a central, LL_PHY_UPDATE_IND to a peripheral.
        case awaitingAnswer
        /// As central: LL_PHY_UPDATE_IND is out.
        case awaitingAcknowledgement
        case awaitingInstant
        case over
    }

    let wanted: PHYPreference
    private var state = State.awaitingAnswer

    init(_ wanted: PHYPreference) { self.wanted = wanted }

    var isOver: Bool { state == .over }
    var awaitsAnswer: Bool { state == .awaitingAnswer }

    /// A central has decided on a change.
    mutating func decide() { state = .awaitingAcknowledgement }

    /// The peer has the central's decision; true if that is not old.
    mutating func acknowledged() -> Bool {
        guard state == .awaitingAcknowledgement else { return false }
        state = .awaitingInstant
        return true
    }

    /// A peripheral has the central's decision.
    mutating func receiveDecision() { state = .awaitingInstant }

    /// The instant has come, or nothing changes.
    mutating func end() { state = .over }
}

extension Procedures {
    var phyUpdate: PHYUpdate? {
        get { if case .phyUpdate(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.phyUpdate(newValue)) } }
    }

    /// Whether a peripheral has answered the central's LL_PHY_REQ, and waits for the decision.
    var awaitsPHYUpdate: Bool { if case .phyUpdate = remote { true } else { false } }
}

extension Connection {
    mutating func startPHYUpdate(_ wanted: PHYPreference) {
        send(.phyReq(transmit: wanted.transmit, receive: wanted.receive))
        procedures.begin(.phyUpdate(PHYUpdate(wanted)))
    }

    /// The peer requests other PHYs: a central decides at once, a peripheral says what it could do.
    mutating func receivePHYRequest(_ wanted: PHYPreference, at now: Instant) {
        if let collision = procedures.collision(with: .phyUpdate, as: role) { return reject(.phyReq, collision) }
        if role == .central {
            _ = decidePHYs(ours: phys.preference, theirs: wanted)
        } else {
            send(.phyRsp(transmit: phys.preference.transmit, receive: phys.preference.receive))
            expect(.phyUpdate, at: now)
        }
    }

    /// The peripheral has said what it could do.
    mutating func receivePHYResponse(_ theirs: PHYPreference, at now: Instant, into output: inout LinkOutput) {
        guard role == .central, let update = procedures.phyUpdate, update.awaitsAnswer else { return }
        if decidePHYs(ours: update.wanted, theirs: theirs) {
            procedures.phyUpdate?.decide()
            expectResponse(at: now)
        } else {
            endPHYUpdate(.completed, into: &output)
        }
    }

    /// The central's choice; true if it is a change.
    private mutating func decidePHYs(ours: PHYPreference, theirs: PHYPreference) -> Bool {
        let (down, up) = phys.choose(ours: ours, theirs: theirs)
        let isChange = down != phys.transmit || up != phys.receive
        let instant = isChange ? schedule.futureInstant(duringEvent: event.phase != .idle) : 0
        let indication = PHYUpdateIndication(
            centralToPeripheral: down == phys.transmit ? [] : PHYSet(down),
            peripheralToCentral: up == phys.receive ? [] : PHYSet(up),
            instant: instant
        )
        if isChange { procedures.plan(.phys(transmit: down, receive: up), at: instant) }
        send(.phyUpdateInd(indication))
        return isChange
    }

    /// The central's decision.
    mutating func receive(_ indication: PHYUpdateIndication, at now: Instant, into output: inout LinkOutput) {
        guard role == .peripheral else { return answerUnknown(.phyUpdateInd) }
        let isAnswer = procedures.awaitsPHYUpdate
        if isAnswer { finishRemoteProcedure() }
        guard !indication.centralToPeripheral.isEmpty || !indication.peripheralToCentral.isEmpty else {
            // Everything stays; the instant means nothing.
            if !isAnswer { endPHYUpdate(.completed, into: &output) }
            return
        }
        guard schedule.isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.change == nil else { return output.end(.differentTransactionCollision) }
        let (transmit, receive) = phys.read(indication)
        // It is the answer to a request of ours, if there was one.
        if !isAnswer, procedures.phyUpdate != nil {
            procedures.phyUpdate?.receiveDecision()
            disarm(.localProcedure)
        }
        if indication.instant == schedule.counter {
            apply(transmit: transmit, receive: receive, into: &output)
        } else {
            procedures.plan(.phys(transmit: transmit, receive: receive), at: indication.instant)
        }
    }

    /// The instant has come. The host is notified if it asked for it, or if something has changed.
    mutating func apply(transmit: PHY, receive: PHY, into output: inout LinkOutput) {
        let isChange = phys.use(transmit: transmit, receive: receive)
        if procedures.phyUpdate != nil {
            endPHYUpdate(.completed, into: &output)
        } else if isChange {
            output.events.append(phyUpdateComplete(.completed))
        }
    }

    mutating func failPHYUpdate(_ reason: FailureCode, into output: inout LinkOutput) {
        endPHYUpdate(.failed(reason), into: &output)
    }

    /// The procedure of ours, if there is one, is over.
    private mutating func endPHYUpdate(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        guard procedures.phyUpdate != nil else { return }
        procedures.phyUpdate?.end()
        output.events.append(phyUpdateComplete(outcome))
    }

    func phyUpdateComplete(_ outcome: ProcedureOutcome) -> Event {
        .lePHYUpdateComplete(
            LEPHYUpdateComplete(
                status: outcome.status,
                connection: handle,
                transmit: phys.transmit,
                receive: phys.receive
            )
        )
    }

    /// The PHY by which the length of our next PDU is measured: while a change is under way a PDU must be short enough
    /// for every PHY that it may have to be sent again on. 5.1.10.
    var slowestPHY: PHY {
        guard phys.transmit != .le1M, !procedures.awaitsPHYUpdate, procedures.phyUpdate == nil,
            procedures.change?.kind != .phyUpdate
        else { return .le1M }
        return phys.transmit
    }
}
