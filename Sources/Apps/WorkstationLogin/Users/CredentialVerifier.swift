/// Decides whether credentials are right. It may take its time: a desk asks away from the thread it lives on.
public protocol CredentialVerifier: Sendable {
    func verify(_ credentials: Credentials) -> CredentialVerdict
}

public enum CredentialVerdict: Equatable, Sendable {
    case accepted
    case rejected
    /// It could not be found out, and why, for the desk's operator.
    case unavailable(String)
}
