import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// Logging in without a phone: name and password are typed at the desk itself.
extension Desk {
    /// Checks what was typed at the desk. If it is right a session without a phone opens; a locked session of the same user
    /// is unlocked. Wrong passwords count as those from phones do, and what waits for those waits here.
    ///
    /// - Returns: why nothing is checked, in one line; nil if it is, and then an event says what has come of it.
    @discardableResult
    public func logIn(_ credentials: Credentials) -> String? {
        let user = credentials.user
        if let fault = credentials.fault { return fault }
        if let refusal = keyboardRefusal(user) { return refusal }
        if let seconds = watch.wait(at: clock.now) { return "too many failures; the desk is closed for \(seconds) s" }
        if let seconds = watch.wait(for: user, at: clock.now) {
            return "too many failures of \(user), who has to wait \(seconds) s"
        }
        keyboardCheck += 1
        let number = keyboardCheck
        keyboardAlarm = clock.once(after: Self.checkSeconds) { [weak self] in
            self?.concludeTyped(.unavailable(Self.lateReason), DeskGuard.Closing(), user, number)
        }
        let refusal = check(credentials) { [weak self] verdict, closing in
            self?.concludeTyped(verdict, closing, user, number)
        }
        guard let refusal else { return nil }
        keyboardAlarm?.cancel()
        keyboardAlarm = nil
        return "passwords cannot be checked: \(refusal)"
    }

    /// Why a user cannot log in at the desk now; nil if they can.
    private func keyboardRefusal(_ user: String) -> String? {
        if keyboardAlarm != nil { return "a password is being checked" }
        guard let session = screen.session else { return nil }
        guard session.user == user else { return "\(session.user) is logged in; that session has to end first" }
        return session.isLocked ? nil : "\(user) is logged in already"
    }

    private func concludeTyped(
        _ verdict: CredentialVerdict,
        _ closing: DeskGuard.Closing,
        _ user: String,
        _ check: UInt64
    ) {
        let isAwaited = check == keyboardCheck && keyboardAlarm != nil
        if isAwaited {
            keyboardAlarm?.cancel()
            keyboardAlarm = nil
        }
        switch verdict {
        case .accepted:
            // It may have taken too long, or a phone may have been quicker.
            if isAwaited, keyboardRefusal(user) == nil { openTyped(user) }
        case .rejected: tell(.rejected(user: user))
        case .unavailable(let why), .undecided(let why): if isAwaited { tell(.unavailable(why)) }
        }
        tell(closing, of: user)
    }

    private func openTyped(_ user: String) {
        guard screen.session == nil else {
            // It does not end with the phone that is away: its user is here.
            if owner?.isGone == true {
                lossTimer?.cancel()
                owner = nil
                // Nor is it another phone's turn any more.
                for visitor in visitors { refuseAsBusy(visitor) }
            }
            watch.succeeded(user: user, at: clock.now)
            return setLocked(false)
        }
        if let fault = note(.loggedIn(user: user), isRequired: true) {
            screen.notice = "Passwords cannot be checked at the moment"
            return tell(.unavailable(fault))
        }
        watch.succeeded(user: user, at: clock.now)
        for visitor in visitors { refuseAsBusy(visitor) }
        screen.session = DeskScreen.Session(user: user)
        screen.notice = nil
        happened?(.loggedIn(user: user))
    }
}
