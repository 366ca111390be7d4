import BluethroatAppEnvironment

// Asking the verifier, wherever a password comes from.
extension Desk {
    /// How many checks may go on at once: those that a verifier does not end keep their threads.
    static let checksAtOnce = 3
    static let busyReason = "checks of earlier credentials have not ended"
    static let lateReason = "the check took longer than \(Int(checkSeconds)) s"

    /// A check that the verifier was asked for.
    private final class Check {
        /// Whether it was counted as what has come of it, or as a failure since it took too long.
        var isCounted = false
        var alarm: AppTimer?
    }

    /// Has a user's credentials checked. It counts as a failure, and is kept as one, until it has ended otherwise.
    ///
    /// - Parameter conclude: hears what has come of it, and what is closed because of that; maybe at once.
    /// - Returns: why nothing is checked, in one line; nil if it is.
    func check(
        _ credentials: Credentials,
        then conclude: @escaping (CredentialVerdict, DeskGuard.Closing) -> Void
    ) -> String? {
        let user = credentials.user
        if let reason = refusalOfChecks(of: user) { return reason }
        watch.begins(user)
        if let keepingFault {
            _ = watch.ends(user, isFailure: false, at: clock.now)
            return keepingFault
        }
        checksUnderWay += 1
        let check = Check()
        // One that never ends does not keep the name, or the desk, from others for ever.
        check.alarm = clock.once(after: Self.checkSeconds) { [weak self] in
            guard let self else { return }
            tell(count(check, of: user, isFailure: true), of: user)
        }
        let verifier = verifier
        work {
            verifier.verify(credentials)
        } then: { [weak self] verdict in
            guard let self else { return }
            checksUnderWay -= 1
            conclude(verdict, count(check, of: user, isFailure: verdict.isFailure))
        }
        return nil
    }

    private func count(_ check: Check, of user: String, isFailure: Bool) -> DeskGuard.Closing {
        guard !check.isCounted else { return DeskGuard.Closing() }
        check.isCounted = true
        check.alarm?.cancel()
        return watch.ends(user, isFailure: isFailure, at: clock.now)
    }

    /// Tells the operator what is closed.
    func tell(_ closing: DeskGuard.Closing, of user: String) {
        tellClosed(closing.desk)
        if let seconds = closing.user { tell(.closedFor(user: user, seconds: seconds)) }
    }
}

extension CredentialVerdict {
    /// Whether a password was wrong, or may have been.
    fileprivate var isFailure: Bool {
        switch self {
        case .rejected, .undecided: true
        case .accepted, .unavailable: false
        }
    }
}
