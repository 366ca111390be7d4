import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// Checking credentials, and the session that comes of it.
extension Desk {
    /// How many checks may go on at once: those that a verifier does not end keep their threads.
    static let checksAtOnce = 3
    static let busyReason = "checks of earlier credentials have not ended"

    func verify(_ credentials: Credentials, _ check: UInt64, _ visitor: DeskVisitor) {
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        let user = credentials.user
        if let seconds = watch.wait(for: user, at: clock.now) {
            tell(.closedFor(user: user, seconds: Int(seconds)))
            return reject(visitor, .wait(seconds: seconds))
        }
        if let reason = refusalOfChecks(of: user) { return conclude(.unavailable(reason), user, check, visitor) }
        if let fault = checkBegins(of: user) { return conclude(.unavailable(fault), user, check, visitor) }
        visitor.alarm = clock.once(after: Self.checkSeconds) { [weak self, weak visitor] in
            guard let self, let visitor, visitor.conversation.isChecking(check) else { return }
            visitor.conversation.happened(.time)
            cannotCheck(visitor, "the check took longer than \(Int(Self.checkSeconds)) s")
        }
        let verifier = verifier
        work {
            verifier.verify(credentials)
        } then: { [weak self, weak visitor] verdict in
            guard let self else { return }
            // First it counts as what has come of it.
            defer { checkEnds(of: user) }
            countUndecided(verdict, user)
            if let visitor, visitor.conversation.isChecking(check) {
                return conclude(verdict, user, check, visitor)
            }
            // Who has hung up, or had to wait for too long, has tried a password all the same.
            if verdict == .rejected { countFailure(of: user) }
        }
    }

    /// Counts a check that begins; why it cannot, since that could not be kept.
    func checkBegins(of user: String) -> String? {
        checksUnderWay += 1
        watch.begins(user)
        guard let keepingFault else { return nil }
        checkEnds(of: user)
        return keepingFault
    }

    func checkEnds(of user: String) {
        checksUnderWay -= 1
        watch.ends(user)
    }

    /// A password was wrong; for how many seconds the name, and the desk, are closed, if they are.
    @discardableResult
    func countFailure(of user: String) -> (user: Int?, desk: Int?) {
        let closed = watch.failed(user: user, at: clock.now)
        tell(.rejected(user: user))
        tellClosed(closed.desk)
        if let seconds = closed.user { tell(.closedFor(user: user, seconds: seconds)) }
        return closed
    }

    /// A verifier that cannot say whether a password is right may fail just because it is wrong, as a script behind PAM does. So
    /// it counts, though nobody is told that it was wrong.
    func countUndecided(_ verdict: CredentialVerdict, _ user: String) {
        guard case .unavailable = verdict else { return }
        let closed = watch.failed(user: user, at: clock.now)
        tellClosed(closed.desk)
        if let seconds = closed.user { tell(.closedFor(user: user, seconds: seconds)) }
    }

    private func conclude(_ verdict: CredentialVerdict, _ user: String, _ check: UInt64, _ visitor: DeskVisitor) {
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
            let closed = countFailure(of: user)
            if let seconds = [closed.user, closed.desk].compactMap(\.self).max() {
                reject(visitor, .wait(seconds: UInt16(seconds)))
            } else {
                // Others may be tried over the same keys.
                awaitCredentials(of: visitor)
                send(.rejected(.wrong), to: visitor)
            }
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
