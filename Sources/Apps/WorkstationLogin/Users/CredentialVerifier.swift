/// Decides whether credentials are right. It may take its time: a desk asks away from the thread it lives on.
public protocol CredentialVerifier: Sendable {
    func verify(_ credentials: Credentials) -> CredentialVerdict
}

public enum CredentialVerdict: Equatable, Sendable {
    case accepted
    case rejected
    /// It could not be found out, and why, for the desk's operator. That has nothing to do with the password.
    case unavailable(String)
    /// It could not be found out, maybe since the password is wrong, and why. It counts as a failure.
    case undecided(String)
}
