import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// Talking to a desk: what the conversation says is shown and done.
extension LoginPhone {
    /// Sends credentials where the conversation allows it, and asks for them where there are none.
    func sendCredentials(_ visit: DeskVisit) {
        guard let credentials = typed ?? vault.record?.credentials else {
            return screen.page = .credentials(visit.identifier, fault: nil)
        }
        let endsWithLink = screen.settings.endsWithLink
        guard let sealed = visit.conversation.send(credentials, endsWithLink: endsWithLink) else { return }
        screen.page = .connecting(visit.identifier)
        visit.alarm?.cancel()
        visit.alarm = clock.once(after: Self.verdictSeconds) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            giveUp("Desk \(visit.identifier) does not answer; try again")
        }
        visit.send(sealed)
    }

    /// How strong the link is, a few times in a row, to a desk that has shown its key and to which the phone has come because one
    /// with its digits was heard very near; nil if that cannot be told.
    func measured(_ visit: DeskVisit, _ dBm: Int?) {
        visit.strengths.append(dBm ?? .min)
        guard visit.strengths.count >= Nearness.window else {
            visit.pulse = clock.once(after: Nearness.pause) { [weak visit] in visit?.peripheral.readRSSI() }
            return
        }
        if Nearness.median(of: visit.strengths) >= screen.settings.nearAbove - Nearness.hysteresis {
            hasComeNear = false
            visit.alarm?.cancel()
            return sendCredentials(visit)
        }
        guard suspicion == nil, candidates.isEmpty else { return connectNext(visit.identifier) }
        giveUp("Desk \(visit.identifier) is not as near as it sounded. Nothing was sent.")
    }

    func end(walkedAway: Bool) {
        guard let visit, let sealed = visit.conversation.end(walkedAway: walkedAway) else { return }
        visit.pulse?.cancel()
        visit.send(sealed)
        // The desk says that it has; or its link ends.
        visit.alarm = clock.once(after: 5) { [weak self, weak visit] in
            if let self, visit === self.visit { leave("The desk did not say that the session has ended") }
        }
    }

    func receive(_ bytes: Data, _ visit: DeskVisit) {
        guard visit === self.visit else { return }
        let before = visit.conversation.phase
        switch visit.conversation.receive(bytes) {
        case .ignored: break
        case .answer(let reveal):
            reach.reveals += 1
            guard reach.reveals <= DeskReach.mostReveals || knownKey(visit.identifier) != nil else {
                return giveUp("Desk \(visit.identifier) has broken off too often. Nothing was sent.")
            }
            visit.send(reveal)
        case .otherKey:
            if knownKey(visit.identifier) != nil { suspicion = .otherKey }
            connectNext(visit.identifier)
        case .askCode(let digits):
            visit.alarm?.cancel()
            screen.page = .code(visit.identifier, digits: digits, fault: nil)
        case .trusted:
            // The advertisements that were near may be another device's: the RSSI of the link to the trusted desk decides.
            guard !hasComeNear else { return visit.peripheral.readRSSI() }
            visit.alarm?.cancel()
            sendCredentials(visit)
        case .entered(let user): accepted(user, visit)
        case .rejected(let rejection): rejected(rejection, visit)
        case .shown(let isLocked):
            guard case .connected(var connected) = screen.page else { return }
            if !isLocked { visit.isLockedByAbsence = false }
            connected.isLocked = isLocked
            screen.page = .connected(connected)
        case .ended(let end): leave(end.notice)
        case .brokenOff: leave("The desk has broken off; look at its monitor")
        case .refused(let refusal): refused(refusal, visit)
        case .intrusion: intrusion(visit, in: before)
        }
    }

    private func intrusion(_ visit: DeskVisit, in phase: PhoneProtocol.Phase) {
        switch phase {
        // Perhaps another one with these digits is the desk.
        case .greeting, .revealing:
            suspicion = suspicion ?? .intrusion
            connectNext(visit.identifier)
        case .inside, .ending: leave(Self.intrusionNotice(visit.identifier, hasSent: true))
        case .awaitingCode, .trusted, .sent, .over:
            typed = nil
            giveUp(Self.intrusionNotice(visit.identifier, hasSent: visit.conversation.hasSent))
        }
    }

    private func accepted(_ user: String, _ visit: DeskVisit) {
        visit.alarm?.cancel()
        if var record = vault.record {
            if let typed, !record.settings.asksEachTime { record.credentials = typed }
            // The latest first.
            if let index = record.desks.firstIndex(where: { $0.identifier == visit.identifier }) {
                record.desks.insert(record.desks.remove(at: index), at: 0)
            }
            save(record)
        }
        typed = nil
        screen.page = .connected(LoginScreen.Connected(desk: visit.identifier, user: user))
        visit.nearness = Nearness(screen.settings)
        visit.pulse = clock.each(1) { [weak self, weak visit] in
            guard let self, let visit, visit === self.visit else { return }
            if screen.settings.walkingAway != .nothing { visit.peripheral.readRSSI() }
        }
    }

    private func rejected(_ rejection: CredentialRejection, _ visit: DeskVisit) {
        let identifier = visit.identifier
        visit.alarm?.cancel()
        let fault: String
        switch rejection {
        case .wrong: fault = "User name or password is wrong"
        case .unavailable: fault = "The desk cannot check passwords at the moment; try again later"
        case .wait(let seconds):
            fault = "User name or password is wrong; the desk is closed for \(seconds) s"
            leaveDesk()
        case .wrongCode:
            screen.page = .code(identifier, digits: DeskCode.length, fault: Self.wrongCode)
            return
        }
        typed = nil
        screen.page = .credentials(identifier, fault: fault)
    }

    static let wrongCode = "The desk's digits are others; look at its monitor again"

    private func refused(_ refusal: DeskRefusal, _ visit: DeskVisit) {
        let identifier = visit.identifier
        // A user who types a name has the time: then there is another connection.
        if case .credentials = screen.page { return leaveDesk() }
        switch refusal {
        case .otherDesk: connectNext(identifier)
        case .busy: giveUp("Somebody else is at desk \(identifier)")
        case .wait(let seconds): giveUp("Desk \(identifier) is closed for \(seconds) s, as too much went wrong there")
        case .noSense: giveUp("Desk \(identifier) did not understand; it may need another version of this app")
        case .tooSlow: giveUp("That took too long; try again")
        }
    }
}

extension SessionEnd {
    /// What the phone says about it; nil where its person has wanted it.
    fileprivate var notice: String? {
        switch self {
        case .requested: nil
        case .walkedAway: "You have walked away: the session has ended"
        case .atDesk: "The session was ended at the desk"
        case .linkLost: "The session has ended"
        }
    }
}
