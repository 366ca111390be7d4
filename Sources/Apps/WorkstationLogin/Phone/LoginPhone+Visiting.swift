import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// Going to a desk, and leaving it.
extension LoginPhone {
    /// To a desk that was found: its person has to have said who they are.
    func proceed(to identifier: DeskIdentifier) {
        guard vault.record?.credentials != nil || typed != nil else {
            screen.page = .credentials(identifier, fault: nil)
            return lookAround()
        }
        connect(identifier)
    }

    func connect(_ identifier: DeskIdentifier) {
        screen.page = .connecting(identifier)
        candidates = registry.candidates(identifier)
        suspicion = nil
        reach = DeskReach()
        reach.isStale = candidates.isEmpty
        lookAround()
        connectNext(identifier)
    }

    /// The next one with these digits, if there is another.
    func connectNext(_ identifier: DeskIdentifier) {
        dropVisit()
        if candidates.isEmpty, reach.deadline != nil { candidates = untried(identifier) }
        guard !candidates.isEmpty else {
            if reach.isStale, reach.deadline == nil { return lookAgain(identifier) }
            switch suspicion {
            case .otherKey:
                forgetTyped()
                screen.page = .otherKey(identifier)
                screen.notice =
                    "Something has the digits \(identifier) and is not the desk that you know. Nothing was sent."
            case .intrusion: giveUp(Self.intrusionNotice(identifier, hasSent: false))
            case .unencrypted:
                giveUp("The link to desk \(identifier) is not encrypted. Nothing was sent; do not use this desk.")
            case nil: giveUp("Desk \(identifier) does not answer; try again")
            }
            return
        }
        let peripheral = candidates.removeFirst()
        reach.tried.insert(peripheral.identifier)
        let visit = DeskVisit(identifier, peripheral, conversation(with: identifier))
        self.visit = visit
        peripheral.delegate = self
        call(visit)
        visit.alarm = clock.once(after: Self.connectSeconds) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            connectNext(visit.identifier)
        }
    }

    private func untried(_ identifier: DeskIdentifier) -> [CBPeripheral] {
        registry.candidates(identifier).filter { !reach.tried.contains($0.identifier) }
    }

    /// What was heard of a desk is stale: it is looked for again.
    private func lookAgain(_ identifier: DeskIdentifier) {
        reach.tried = reach.linked
        reach.isLooking = true
        reach.deadline = clock.now + DeskReach.againSeconds
        reachTimer?.cancel()
        reachTimer = clock.once(after: DeskReach.againSeconds) { [weak self] in
            guard let self, reach.isLooking else { return }
            reach.isLooking = false
            // A device that has answered, and is not the desk, is what its person has to hear of.
            guard suspicion == nil else { return connectNext(identifier) }
            leaveDesk()
            showNotFound(identifier)
        }
        lookAround()
    }

    /// A desk was heard: it is the one that is looked for again.
    func foundAgain(_ identifier: DeskIdentifier) {
        guard reach.isLooking, screen.page == .connecting(identifier), !untried(identifier).isEmpty else { return }
        reach.isLooking = false
        reachTimer?.cancel()
        lookAround()
        connectNext(identifier)
    }

    /// A desk is not where it was heard.
    func drop(_ peripheral: CBPeripheral) {
        registry.remove(peripheral)
        screen.registry = registry.identifiers
    }

    private func conversation(with identifier: DeskIdentifier) -> PhoneConversation {
        PhoneConversation(identifier, knownKey: knownKey(identifier), random: random)
    }

    private func call(_ visit: DeskVisit) {
        visit.attempts += 1
        manager.connect(visit.peripheral)
        visit.linkAlarm?.cancel()
        let patience = reach.patience(at: clock.now, isLast: candidates.isEmpty)
        visit.linkAlarm = clock.once(after: patience) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            reach.isStale = true
            drop(visit.peripheral)
            connectNext(visit.identifier)
        }
    }

    /// There is a link to a desk.
    func linked(_ visit: DeskVisit) {
        visit.linkAlarm?.cancel()
        reach.linked.insert(visit.peripheral.identifier)
    }

    /// The link to a desk has ended.
    func lost(_ peripheral: CBPeripheral) {
        guard let visit, visit.peripheral === peripheral else { return }
        switch visit.conversation.phase {
        case .greeting, .revealing:
            guard visit.attempts < 3 else { return connectNext(visit.identifier) }
            // A connection that was lost before it was one.
            visit.pipe?.close()
            visit.pipe = nil
            visit.conversation = conversation(with: visit.identifier)
            call(visit)
        case .awaitingCode:
            drop(peripheral)
            giveUp("The desk is out of reach" + (visit.conversation.hasSent ? "" : ". Nothing was sent."))
        case .inside:
            drop(peripheral)
            if case .connected(let connected) = screen.page, connected.isLocked, !visit.isLockedByAbsence {
                lockedByPerson.insert(visit.identifier)
            }
            leave(
                screen.settings.endsWithLink
                    ? "The desk is out of reach; the session has ended there"
                    : "The desk is out of reach; the session goes on there"
            )
            // Out of reach is away: coming near counts again.
            nearness[visit.identifier] = nil
        case .ending: leave(nil)
        case .sent: connectNext(visit.identifier)
        case .trusted where hasComeNear: connectNext(visit.identifier)
        // Typing takes its time; then there is another connection.
        case .trusted, .over:
            visit.close()
            self.visit = nil
        }
    }

    static func intrusionNotice(_ identifier: DeskIdentifier, hasSent: Bool) -> String {
        let known = "Desk \(identifier) sent something out of order"
        return hasSent
            ? known + ". The connection was ended, and nothing more was sent; look at the desk's monitor."
            : known + ". Nothing was sent; it may be another device that uses these digits."
    }

    /// Back to the start, with a word about it.
    func giveUp(_ notice: String) {
        leaveDesk()
        screen.notice = notice
        toStart()
    }

    /// A session is over.
    func leave(_ notice: String?) {
        // A user who has just left is not logged in again before they were away.
        if let visit { nearness[visit.identifier] = .afterSession(screen.settings, at: clock.now) }
        dropVisit()
        screen.notice = notice
        toStart()
    }

    func showNotFound(_ identifier: DeskIdentifier) {
        forgetTyped()
        screen.page = .notFound(identifier)
        lookAround()
    }

    /// After a login that failed: where each login asks for name and password, or a PIN protects them, what was typed is forgotten.
    private func forgetTyped() {
        if screen.settings.asksEachTime || vault.needsPIN { typed = nil }
    }

    func toStart() {
        forgetTyped()
        screen.page = vault.needsPIN ? .locked : .start
        lookAround()
    }

    func leaveDesk() {
        searchTimer?.cancel()
        reachTimer?.cancel()
        reach.isLooking = false
        candidates = []
        dropVisit()
    }

    private func dropVisit() {
        guard let visit else { return }
        self.visit = nil
        visit.close()
        if visit.peripheral.state != .disconnected { manager.cancelPeripheralConnection(visit.peripheral) }
    }
}
