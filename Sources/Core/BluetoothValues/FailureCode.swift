/// Why something has failed or ended: any error code but 0x00, which says success. Core 6.0, Vol 1, Part F, 1.
///
/// A peer may write 0x00 where it refuses something. What it refuses has failed all the same.
public struct FailureCode: Hashable, Sendable {
    /// The code; never `success`.
    public let error: ControllerError

    /// Nil for `success`.
    @inlinable
    public init?(_ error: ControllerError) {
        guard error != .success else { return nil }
        self.error = error
    }

    /// What the other side gives as its reason. `success` is none, and counts as an unspecified error.
    @inlinable
    public init(received code: ControllerError) { error = code == .success ? .unspecifiedError : code }

    private init(named error: ControllerError) { self.error = error }

    public static let pinOrKeyMissing = Self(named: .pinOrKeyMissing)
    public static let connectionTimeout = Self(named: .connectionTimeout)
    public static let commandDisallowed = Self(named: .commandDisallowed)
    public static let connectionTerminatedByLocalHost = Self(named: .connectionTerminatedByLocalHost)
    public static let unsupportedRemoteFeature = Self(named: .unsupportedRemoteFeature)
    public static let invalidLinkLayerParameters = Self(named: .invalidLinkLayerParameters)
    public static let unsupportedLinkLayerParameterValue = Self(named: .unsupportedLinkLayerParameterValue)
    public static let linkLayerResponseTimeout = Self(named: .linkLayerResponseTimeout)
    public static let linkLayerProcedureCollision = Self(named: .linkLayerProcedureCollision)
    public static let instantPassed = Self(named: .instantPassed)
    public static let differentTransactionCollision = Self(named: .differentTransactionCollision)
    public static let connectionTerminatedMICFailure = Self(named: .connectionTerminatedMICFailure)
    public static let connectionFailedToBeEstablished = Self(named: .connectionFailedToBeEstablished)
}
