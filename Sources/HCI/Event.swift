/// What a controller tells its host, with up to 255 bytes of parameters. Core 6.0, Vol 4, Part E, 5.4.4 and 7.7.
public enum Event: Hashable, Sendable {
    case commandComplete(CommandComplete)
    case commandStatus(CommandStatus)
    case disconnectionComplete(DisconnectionComplete)
    case encryptionChange(EncryptionChange)
    case readRemoteVersionInformationComplete(ReadRemoteVersionInformationComplete)
    case encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete)
    case authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired)
    case hardwareError(HardwareError)
    case numberOfCompletedPackets(NumberOfCompletedPackets)
    case dataBufferOverflow(DataBufferOverflow)
    case leConnectionComplete(LEConnectionComplete)
    case leConnectionUpdateComplete(LEConnectionUpdateComplete)
    case leReadRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
    case leRemoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
    case leDataLengthChange(LEDataLengthChange)
    case leEnhancedConnectionComplete(LEEnhancedConnectionComplete)
    case lePHYUpdateComplete(LEPHYUpdateComplete)
    case leChannelSelectionAlgorithm(LEChannelSelectionAlgorithm)
    case leLongTermKeyRequest(LELongTermKeyRequest)
    case leReadLocalP256PublicKeyComplete(LEReadLocalP256PublicKeyComplete)
    case leGenerateDHKeyComplete(LEGenerateDHKeyComplete)
    case leAdvertisingReport(LEAdvertisingReport)
    case leDirectedAdvertisingReport(LEDirectedAdvertisingReport)
    case leExtendedAdvertisingReport(LEExtendedAdvertisingReport)
    case leScanTimeout
    case leAdvertisingSetTerminated(LEAdvertisingSetTerminated)
    case leScanRequestReceived(LEScanRequestReceived)
    /// An event of a vendor's, of another part of Bluetooth, or of tomorrow; its parameters without the
    /// subevent code.
    case unknown(EventCode, subevent: LESubeventCode?, parameters: [UInt8])
}
