/// What a controller reports to its host, with up to 255 bytes of parameters. Core 6.0, Vol 4, Part E, 5.4.4 and 7.7.
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

extension Event {
    /// Every event that is known here, by its type. All tables follow from this list.
    public static let types: [any HCIEvent.Type] = [
        CommandComplete.self,
        CommandStatus.self,
        DisconnectionComplete.self,
        EncryptionChange.self,
        ReadRemoteVersionInformationComplete.self,
        EncryptionKeyRefreshComplete.self,
        AuthenticatedPayloadTimeoutExpired.self,
        HardwareError.self,
        NumberOfCompletedPackets.self,
        DataBufferOverflow.self,
        LEConnectionComplete.self,
        LEConnectionUpdateComplete.self,
        LEReadRemoteFeaturesComplete.self,
        LERemoteConnectionParameterRequest.self,
        LEDataLengthChange.self,
        LEEnhancedConnectionComplete.self,
        LEPHYUpdateComplete.self,
        LEChannelSelectionAlgorithm.self,
        LELongTermKeyRequest.self,
        LEReadLocalP256PublicKeyComplete.self,
        LEGenerateDHKeyComplete.self,
        LEAdvertisingReport.self,
        LEDirectedAdvertisingReport.self,
        LEExtendedAdvertisingReport.self,
        LEScanTimeout.self,
        LEAdvertisingSetTerminated.self,
        LEScanRequestReceived.self,
    ]

    /// Hands the event to a visitor, in its own type: the one place where the cases stand, beside the list above.
    func accept<Visitor: EventVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
        switch self {
        case .commandComplete(let event): visitor.visit(event)
        case .commandStatus(let event): visitor.visit(event)
        case .disconnectionComplete(let event): visitor.visit(event)
        case .encryptionChange(let event): visitor.visit(event)
        case .readRemoteVersionInformationComplete(let event): visitor.visit(event)
        case .encryptionKeyRefreshComplete(let event): visitor.visit(event)
        case .authenticatedPayloadTimeoutExpired(let event): visitor.visit(event)
        case .hardwareError(let event): visitor.visit(event)
        case .numberOfCompletedPackets(let event): visitor.visit(event)
        case .dataBufferOverflow(let event): visitor.visit(event)
        case .leConnectionComplete(let event): visitor.visit(event)
        case .leConnectionUpdateComplete(let event): visitor.visit(event)
        case .leReadRemoteFeaturesComplete(let event): visitor.visit(event)
        case .leRemoteConnectionParameterRequest(let event): visitor.visit(event)
        case .leDataLengthChange(let event): visitor.visit(event)
        case .leEnhancedConnectionComplete(let event): visitor.visit(event)
        case .lePHYUpdateComplete(let event): visitor.visit(event)
        case .leChannelSelectionAlgorithm(let event): visitor.visit(event)
        case .leLongTermKeyRequest(let event): visitor.visit(event)
        case .leReadLocalP256PublicKeyComplete(let event): visitor.visit(event)
        case .leGenerateDHKeyComplete(let event): visitor.visit(event)
        case .leAdvertisingReport(let event): visitor.visit(event)
        case .leDirectedAdvertisingReport(let event): visitor.visit(event)
        case .leExtendedAdvertisingReport(let event): visitor.visit(event)
        case .leScanTimeout: visitor.visit(LEScanTimeout())
        case .leAdvertisingSetTerminated(let event): visitor.visit(event)
        case .leScanRequestReceived(let event): visitor.visit(event)
        case .unknown(let code, let subevent, let parameters):
            visitor.visit(unknown: EventIdentifier(code, subevent: subevent), parameters: parameters)
        }
    }
}
