import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// What comes of checked credentials, and the session.
extension Desk {
    func verify(_ credentials: Credentials, _ check: UInt64, _ visitor: DeskVisitor) {
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        let user = credentials.user
        if let seconds = watch.wait(at: clock.now) { return reject(visitor, .wait(seconds: seconds)) }
        if let seconds = watch.wait(for: user, at: clock.now) {
            tell(.closedFor(user: user, seconds: Int(seconds)))
            return reject(visitor, .wait(seconds: seconds))
        }
        visitor.alarm = clock.once(after: Self.checkSeconds) { [weak self, weak visitor] in
            guard let self, let visitor, visitor.conversation.isChecking(check) else { return }
            visitor.conversation.happened(.time)
            cannotCheck(visitor, Self.lateReason)
        }
        let refusal = self.check(credentials) { [weak self, weak visitor] verdict, closing in
            guard let self else { return }
            if let visitor, visitor.conversation.isChecking(check) {
                return conclude(verdict, closing, user, check, visitor)
            }
            // Who has hung up, or had to wait for too long, has tried a password all the same.
            if verdict == .rejected { tell(.rejected(user: user)) }
            tell(closing, of: user)
        }
        if let refusal { conclude(.unavailable(refusal), DeskGuard.Closing(), user, check, visitor) }
    }

    private func conclude(
        _ verdict: CredentialVerdict,
        _ closing: DeskGuard.Closing,
        _ user: String,
        _ check: UInt64,
        _ visitor: DeskVisitor
    ) {
        var verdict = verdict
        if verdict == .accepted {
            // A session whose phone was lost for a while ends first.
            if screen.session != nil { endSession(.linkLost) }
            if let fault = note(.loggedIn(user: user), isRequired: true) { verdict = .unavailable(fault) }
        }
        guard visitor.conversation.conclude(check: check, isRight: verdict == .accepted) else { return }
        switch verdict {
        case .accepted:
            watch.succeeded(user: user, at: clock.now)
            visitor.heldSince = nil
            stopWaiting(for: visitor)
            owner = visitor
            screen.session = DeskScreen.Session(user: user)
            screen.notice = nil
            send(.accepted, to: visitor)
            happened?(.loggedIn(user: user))
            manager.setDesiredConnectionLatency(.high, for: visitor.central)
        case .rejected:
            tell(.rejected(user: user))
            tell(closing, of: user)
            if let seconds = closing.longest { return reject(visitor, .wait(seconds: seconds)) }
            // Others may be tried over the same keys.
            awaitCredentials(of: visitor)
            send(.rejected(.wrong), to: visitor)
        case .undecided(let why):
            tell(closing, of: user)
            guard let seconds = closing.longest else { return cannotCheck(visitor, why) }
            tell(.unavailable(why))
            reject(visitor, .wait(seconds: seconds))
        case .unavailable(let why): cannotCheck(visitor, why)
        }
    }

    private func cannotCheck(_ visitor: DeskVisitor, _ why: String) {
        awaitCredentials(of: visitor)
        screen.notice = "Passwords cannot be checked at the moment"
        tell(.unavailable(why))
        send(.rejected(.unavailable), to: visitor)
    }

    func setLocked(_ isLocked: Bool) {
        guard let session = screen.session, session.isLocked != isLocked else { return }
        screen.session?.isLocked = isLocked
        if let owner { send(isLocked ? .locked : .unlocked, to: owner) }
        tell(isLocked ? .locked(user: session.user) : .unlocked(user: session.user))
    }

    func endSession(_ end: SessionEnd) {
        guard let session = screen.session else { return }
        lossTimer?.cancel()
        screen.session = nil
        if let owner, !owner.isGone {
            send(.ended(end), to: owner)
            // What comes now begins anew.
            owner.conversation.happened(.leave)
        }
        owner = nil
        tell(.loggedOut(user: session.user, end))
    }
}
