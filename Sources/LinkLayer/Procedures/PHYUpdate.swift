import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// The PHYs that a side would use in its two directions. Core 6.0, Vol 6, Part B, 2.4.2.22.
struct PHYPreference: Hashable, Sendable {
    /// Those that this Link Layer and the medium below it have. LE Coded is not among them.
    static let supported: PHYSet = [.le1M, .le2M]

    var transmit = Self.supported
    var receive = Self.supported

    /// One PHY, the same both ways: a side that asks for this wants it or nothing. 5.1.10.
    var isSymmetric: Bool { transmit == receive && transmit.only != nil }
}

/// LL_PHY_REQ, LL_PHY_RSP, LL_PHY_UPDATE_IND and the change at its instant. Core 6.0, Vol 6, Part B, 5.1.10.
extension Connection {
    func beginPHYUpdate(_ wanted: PHYPreference, at now: Instant) {
        send(.phyReq(transmit: wanted.transmit, receive: wanted.receive))
        expectResponse(at: now)
    }

    /// The peer wants other PHYs: a central decides at once, a peripheral says what it could do.
    func receivePHYRequest(_ wanted: PHYPreference, at now: Instant, into output: inout LinkOutput) {
        if let collision = phyCollision { return reject(.phyReq, collision) }
        if role == .central {
            decidePHYs(ours: phyPreference, theirs: wanted)
        } else {
            send(.phyRsp(transmit: phyPreference.transmit, receive: phyPreference.receive))
            procedures.awaitsPHYUpdate = true
            procedures.peerDeadline = now + Procedures.responseTimeout
        }
    }

    /// The peripheral has said what it could do.
    func receivePHYResponse(_ theirs: PHYPreference, at now: Instant, into output: inout LinkOutput) {
        guard role == .central, case .phyUpdate(let ours) = procedures.active, procedures.pending == nil else { return }
        decidePHYs(ours: ours, theirs: theirs)
        if procedures.pending == nil {
            finishPHYUpdate(.completed, at: now, into: &output)
        } else {
            expectResponse(at: now)
        }
    }

    /// The central's choice: in each direction the fastest PHY that both sides want, or no change.
    private func decidePHYs(ours: PHYPreference, theirs: PHYPreference) {
        var down = Self.fastest(of: ours.transmit.intersection(theirs.receive), instead: transmitPHY)
        var up = Self.fastest(of: ours.receive.intersection(theirs.transmit), instead: receivePHY)
        if ours.isSymmetric || theirs.isSymmetric, down != up {
            down = transmitPHY
            up = receivePHY
        }
        let isChange = down != transmitPHY || up != receivePHY
        let instant = isChange ? futureInstant : 0
        let indication = PHYUpdateIndication(
            centralToPeripheral: down == transmitPHY ? [] : PHYSet(down),
            peripheralToCentral: up == receivePHY ? [] : PHYSet(up),
            instant: instant
        )
        if isChange { procedures.pending = (.phys(transmit: down, receive: up), instant) }
        send(.phyUpdateInd(indication))
    }

    private static func fastest(of phys: PHYSet, instead present: PHY) -> PHY {
        let phys = phys.intersection(PHYPreference.supported)
        return phys.contains(.le2M) ? .le2M : phys.contains(.le1M) ? .le1M : present
    }

    /// The central's decision.
    func receive(_ indication: PHYUpdateIndication, at now: Instant, into output: inout LinkOutput) {
        guard role == .peripheral else { return answerUnknown(.phyUpdateInd) }
        let isAnswer = procedures.awaitsPHYUpdate
        procedures.awaitsPHYUpdate = false
        if isAnswer { procedures.peerDeadline = nil }
        guard !indication.centralToPeripheral.isEmpty || !indication.peripheralToCentral.isEmpty else {
            // Everything stays; the instant means nothing.
            if !isAnswer, case .phyUpdate = procedures.active { finishPHYUpdate(.completed, at: now, into: &output) }
            return
        }
        guard isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.pending == nil else { return output.end(.differentTransactionCollision) }
        guard let receive = Self.phy(indication.centralToPeripheral, instead: receivePHY),
            let transmit = Self.phy(indication.peripheralToCentral, instead: transmitPHY)
        else { return output.end(.invalidLinkLayerParameters) }
        // It is the answer to a request of ours, if there was one.
        if !isAnswer, case .phyUpdate = procedures.active { procedures.deadline = nil }
        if indication.instant == eventCounter {
            apply(transmit: transmit, receive: receive, at: now, into: &output)
        } else {
            procedures.pending = (.phys(transmit: transmit, receive: receive), indication.instant)
        }
    }

    /// The PHY that a field of LL_PHY_UPDATE_IND names; nil for one that we do not have, or several.
    private static func phy(_ field: PHYSet, instead present: PHY) -> PHY? {
        guard !field.isEmpty else { return present }
        return field.only.flatMap { PHYPreference.supported.contains($0) ? $0 : nil }
    }

    /// The instant has come.
    func apply(transmit: PHY, receive: PHY, at now: Instant, into output: inout LinkOutput) {
        let isNews = transmit != transmitPHY || receive != receivePHY
        transmitPHY = transmit
        receivePHY = receive
        if case .phyUpdate = procedures.active {
            return finishPHYUpdate(.completed, isNews: isNews, at: now, into: &output)
        }
        if isNews { reportPHYs(.completed, into: &output) }
        beginNext(at: now, into: &output)
    }

    /// The procedure of ours is over; the host hears of it if it asked, or if something has changed.
    func finishPHYUpdate(
        _ outcome: ProcedureOutcome,
        isNews: Bool = false,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        if procedures.hostAwaitsPHY || isNews {
            procedures.hostAwaitsPHY = false
            reportPHYs(outcome, into: &output)
        }
        finish(at: now, into: &output)
    }

    private func reportPHYs(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        output.events.append(phyUpdateComplete(outcome))
    }

    func phyUpdateComplete(_ outcome: ProcedureOutcome) -> Event {
        .lePHYUpdateComplete(
            LEPHYUpdateComplete(
                status: outcome.status,
                connection: handle,
                transmit: transmitPHY,
                receive: receivePHY
            )
        )
    }

    /// Why the peer's request cannot be granted beside what is under way: both would end at an instant. Of two sides
    /// that begin at once the central goes on. 5.3.
    private var phyCollision: FailureCode? {
        if let pending = procedures.pending {
            if case .phys = pending.change { return .linkLayerProcedureCollision }
            return .differentTransactionCollision
        }
        guard role == .central, let active = procedures.active, active.hasInstant else { return nil }
        if case .phyUpdate = active { return .linkLayerProcedureCollision }
        return .differentTransactionCollision
    }

    /// The PHY by which the length of our next PDU is measured: while a change is under way a PDU must be short enough
    /// for every PHY that it may have to be sent again on. 5.1.10.
    var slowestPHY: PHY {
        if transmitPHY == .le1M || procedures.awaitsPHYUpdate { return .le1M }
        if case .phyUpdate = procedures.active { return .le1M }
        if case .phys = procedures.pending?.change { return .le1M }
        return transmitPHY
    }
}
