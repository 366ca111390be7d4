import AppTime
import CoreBluetooth
import Foundation

// Talking to a desk.
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
        sawOtherKey = false
        lookAround()
        connectNext(identifier)
    }

    /// The next one with these digits, if there is another.
    func connectNext(_ identifier: DeskIdentifier) {
        dropVisit()
        guard !candidates.isEmpty else {
            guard sawOtherKey else { return giveUp("Desk \(identifier) does not answer; try again") }
            screen.page = .otherKey(identifier)
            screen.notice =
                "Something has the digits \(identifier) and is not the desk that you know. Nothing was sent."
            return
        }
        let peripheral = candidates.removeFirst()
        let handshake = PhoneHandshake(identifier, wantsCode: knownKey(identifier) == nil, random: random)
        let visit = DeskVisit(identifier, peripheral, handshake: handshake)
        self.visit = visit
        peripheral.delegate = self
        call(visit)
        visit.alarm = clock.once(after: Self.connectSeconds) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            connectNext(visit.identifier)
        }
    }

    private func call(_ visit: DeskVisit) {
        visit.attempts += 1
        manager.connect(visit.peripheral)
    }

    /// The link to a desk has ended.
    func lost(_ peripheral: CBPeripheral) {
        guard let visit, visit.peripheral === peripheral else { return }
        switch screen.page {
        case .connecting where !visit.isEnding && visit.channel == nil && visit.attempts < 3:
            // A connection that was lost before it was one.
            visit.pipe?.close()
            visit.pipe = nil
            visit.handshake = PhoneHandshake(
                visit.identifier,
                wantsCode: knownKey(visit.identifier) == nil,
                random: random
            )
            call(visit)
        case .connecting(let identifier): connectNext(identifier)
        case .connected where !visit.isEnding:
            leave(
                screen.settings.endsWithLink
                    ? "The desk is out of reach; the session has ended there"
                    : "The desk is out of reach; the session goes on there"
            )
        case .connected: leave(nil)
        case .code: giveUp("The desk is out of reach. Nothing was sent.")
        // Typing takes its time; then there is another connection.
        default:
            visit.close()
            self.visit = nil
        }
    }

    func sendCredentials(_ visit: DeskVisit) {
        guard let credentials = typed ?? vault.record?.credentials else {
            return screen.page = .credentials(visit.identifier, fault: nil)
        }
        screen.page = .connecting(visit.identifier)
        visit.user = credentials.user
        visit.alarm?.cancel()
        visit.alarm = clock.once(after: Self.connectSeconds) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            giveUp("Desk \(visit.identifier) does not answer; try again")
        }
        visit.send(.credentials(credentials, endsWithLink: screen.settings.endsWithLink))
    }

    func end(walkedAway: Bool) {
        guard let visit, !visit.isEnding else { return }
        visit.isEnding = true
        visit.pulse?.cancel()
        visit.send(.end(walkedAway: walkedAway))
        // The desk says that it has; or its link ends.
        visit.alarm = clock.once(after: 5) { [weak self, weak visit] in
            if let self, visit === self.visit { leave("The desk did not say that the session has ended") }
        }
    }

    func receive(_ bytes: Data, _ visit: DeskVisit) {
        guard visit === self.visit else { return }
        switch LoginMessage(bytes) {
        case .offer(let offer) where visit.deskKey == nil:
            if let known = knownKey(visit.identifier), known != offer.deskKey {
                sawOtherKey = true
                return connectNext(visit.identifier)
            }
            visit.deskKey = offer.deskKey
            visit.demandsCode = offer.demandsCode
            visit.handshake.take(offer)
            visit.pipe?.send(visit.handshake.reveal)
        case .proof(let proof) where visit.deskKey != nil && visit.channel == nil:
            guard let (channel, code) = try? visit.handshake.conclude(proof) else {
                sawOtherKey = sawOtherKey || knownKey(visit.identifier) != nil
                return connectNext(visit.identifier)
            }
            visit.alarm?.cancel()
            visit.channel = channel
            if knownKey(visit.identifier) == nil || visit.demandsCode {
                visit.code = code
                screen.page = .code(visit.identifier, fault: nil)
            } else {
                sendCredentials(visit)
            }
        case .sealed(let box):
            guard let message = try? visit.channel?.open(box) else { return }
            obey(message, visit)
        case .refusal(let refusal) where screen.page.isOnTheWay: refused(refusal, visit)
        // Nothing that anybody in between could do with it.
        default: return
        }
    }

    private func obey(_ message: SealedMessage, _ visit: DeskVisit) {
        switch message {
        case .accepted: accepted(visit)
        case .rejected(let rejection):
            typed = nil
            visit.alarm?.cancel()
            if case .wait = rejection { leaveDesk() }
            let fault =
                switch rejection {
                case .wrong: "User name or password is wrong"
                case .unavailable: "The desk cannot check passwords at the moment; try again later"
                case .wait(let seconds): "User name or password is wrong; the desk is closed for \(seconds) s"
                }
            screen.page = .credentials(visit.identifier, fault: fault)
        case .ended(let end):
            let words: String? =
                switch end {
                case .requested: nil
                case .walkedAway: "You have walked away: the session has ended"
                case .atDesk: "The session was ended at the desk"
                case .linkLost: "The session has ended"
                }
            leave(words)
        case .locked, .unlocked:
            guard case .connected(var connected) = screen.page else { return }
            connected.isLocked = message == .locked
            screen.page = .connected(connected)
        // These are the phone's to say.
        case .credentials, .end, .lock, .unlock: return
        }
    }

    private func accepted(_ visit: DeskVisit) {
        visit.alarm?.cancel()
        if var record = vault.record {
            if let typed { record.credentials = typed }
            // The latest first.
            if let index = record.desks.firstIndex(where: { $0.identifier == visit.identifier }) {
                record.desks.insert(record.desks.remove(at: index), at: 0)
            }
            save(record)
        }
        typed = nil
        screen.page = .connected(LoginScreen.Connected(desk: visit.identifier, user: visit.user))
        visit.nearness = Nearness(screen.settings)
        visit.pulse = clock.each(1) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            if screen.settings.walkingAway != .nothing { visit.peripheral.readRSSI() }
        }
    }

    private func refused(_ refusal: DeskRefusal, _ visit: DeskVisit) {
        let identifier = visit.identifier
        // Who types a name has the time: then there is another connection.
        if case .credentials = screen.page { return leaveDesk() }
        switch refusal {
        case .otherDesk: connectNext(identifier)
        case .busy: giveUp("Somebody else is at desk \(identifier)")
        case .wait(let seconds): giveUp("Desk \(identifier) is closed for \(seconds) s, as too much went wrong there")
        case .noSense: giveUp("Desk \(identifier) did not understand; it may need another version of this app")
        case .tooSlow: giveUp("That took too long; try again")
        }
    }

    /// Back to the start, with a word about it.
    func giveUp(_ notice: String) {
        leaveDesk()
        screen.notice = notice
        toStart()
    }

    /// A session is over.
    private func leave(_ notice: String?) {
        // Who has just left is not let in again before they were away.
        if let visit { nearness[visit.identifier] = .afterSession(screen.settings, at: clock.now) }
        dropVisit()
        screen.notice = notice
        toStart()
    }

    func toStart() {
        screen.page = vault.needsPIN ? .locked : .start
        lookAround()
    }

    func leaveDesk() {
        searchTimer?.cancel()
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

extension LoginScreen.Page {
    /// Whether a word of refusal from a desk can mean anything.
    fileprivate var isOnTheWay: Bool {
        switch self {
        case .connecting, .code, .credentials: true
        default: false
        }
    }
}
