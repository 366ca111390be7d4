import HCITransports

extension CommandFailure {
    /// A controller cannot be had. If nobody listens where it should be, `opener` is a command that would.
    init(_ error: HCITransportError, opener: String) { self.init(error.advised(opener: opener)) }
}
