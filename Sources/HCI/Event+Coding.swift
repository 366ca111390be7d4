import ByteCoding

extension Event {
    static func parse(_ code: EventCode, _ bytes: inout RawSpan) throws(DecodeError) -> Event {
        switch code {
        case .commandComplete: .commandComplete(try CommandComplete(parsing: &bytes))
        case .commandStatus: .commandStatus(try CommandStatus(parsing: &bytes))
        case .disconnectionComplete: .disconnectionComplete(try DisconnectionComplete(parsing: &bytes))
        case .encryptionChange: .encryptionChange(try EncryptionChange(parsing: &bytes))
        case .readRemoteVersionInformationComplete:
            .readRemoteVersionInformationComplete(try ReadRemoteVersionInformationComplete(parsing: &bytes))
        case .encryptionKeyRefreshComplete:
            .encryptionKeyRefreshComplete(try EncryptionKeyRefreshComplete(parsing: &bytes))
        case .authenticatedPayloadTimeoutExpired:
            .authenticatedPayloadTimeoutExpired(try AuthenticatedPayloadTimeoutExpired(parsing: &bytes))
        case .hardwareError: .hardwareError(try HardwareError(parsing: &bytes))
        case .numberOfCompletedPackets: .numberOfCompletedPackets(try NumberOfCompletedPackets(parsing: &bytes))
        case .dataBufferOverflow: .dataBufferOverflow(try DataBufferOverflow(parsing: &bytes))
        case .leMeta: try parseLE(LESubeventCode(rawValue: try bytes.takeUInt8()), &bytes)
        default: .unknown(code, subevent: nil, parameters: bytes.takeRest())
        }
    }

    private static func parseLE(_ subevent: LESubeventCode, _ bytes: inout RawSpan) throws(DecodeError) -> Event {
        switch subevent {
        case .connectionComplete: .leConnectionComplete(try LEConnectionComplete(parsing: &bytes))
        case .advertisingReport: .leAdvertisingReport(try LEAdvertisingReport(parsing: &bytes))
        case .connectionUpdateComplete: .leConnectionUpdateComplete(try LEConnectionUpdateComplete(parsing: &bytes))
        case .readRemoteFeaturesComplete:
            .leReadRemoteFeaturesComplete(try LEReadRemoteFeaturesComplete(parsing: &bytes))
        case .longTermKeyRequest: .leLongTermKeyRequest(try LELongTermKeyRequest(parsing: &bytes))
        case .remoteConnectionParameterRequest:
            .leRemoteConnectionParameterRequest(try LERemoteConnectionParameterRequest(parsing: &bytes))
        case .dataLengthChange: .leDataLengthChange(try LEDataLengthChange(parsing: &bytes))
        case .readLocalP256PublicKeyComplete:
            .leReadLocalP256PublicKeyComplete(try LEReadLocalP256PublicKeyComplete(parsing: &bytes))
        case .generateDHKeyComplete: .leGenerateDHKeyComplete(try LEGenerateDHKeyComplete(parsing: &bytes))
        case .enhancedConnectionComplete:
            .leEnhancedConnectionComplete(try LEEnhancedConnectionComplete(parsing: &bytes))
        case .directedAdvertisingReport: .leDirectedAdvertisingReport(try LEDirectedAdvertisingReport(parsing: &bytes))
        case .phyUpdateComplete: .lePHYUpdateComplete(try LEPHYUpdateComplete(parsing: &bytes))
        case .extendedAdvertisingReport: .leExtendedAdvertisingReport(try LEExtendedAdvertisingReport(parsing: &bytes))
        case .scanTimeout: .leScanTimeout
        case .advertisingSetTerminated: .leAdvertisingSetTerminated(try LEAdvertisingSetTerminated(parsing: &bytes))
        case .scanRequestReceived: .leScanRequestReceived(try LEScanRequestReceived(parsing: &bytes))
        case .channelSelectionAlgorithm: .leChannelSelectionAlgorithm(try LEChannelSelectionAlgorithm(parsing: &bytes))
        default: .unknown(.leMeta, subevent: subevent, parameters: bytes.takeRest())
        }
    }

    /// Writes the parameters alone; for an LE Meta event without the subevent code.
    func writeParameters(to out: inout [UInt8]) {
        switch self {
        case .commandComplete(let event): event.write(to: &out)
        case .commandStatus(let event): event.write(to: &out)
        case .disconnectionComplete(let event): event.write(to: &out)
        case .encryptionChange(let event): event.write(to: &out)
        case .readRemoteVersionInformationComplete(let event): event.write(to: &out)
        case .encryptionKeyRefreshComplete(let event): event.write(to: &out)
        case .authenticatedPayloadTimeoutExpired(let event): event.write(to: &out)
        case .hardwareError(let event): event.write(to: &out)
        case .numberOfCompletedPackets(let event): event.write(to: &out)
        case .dataBufferOverflow(let event): event.write(to: &out)
        case .leConnectionComplete(let event): event.write(to: &out)
        case .leConnectionUpdateComplete(let event): event.write(to: &out)
        case .leReadRemoteFeaturesComplete(let event): event.write(to: &out)
        case .leRemoteConnectionParameterRequest(let event): event.write(to: &out)
        case .leDataLengthChange(let event): event.write(to: &out)
        case .leEnhancedConnectionComplete(let event): event.write(to: &out)
        case .lePHYUpdateComplete(let event): event.write(to: &out)
        case .leChannelSelectionAlgorithm(let event): event.write(to: &out)
        case .leLongTermKeyRequest(let event): event.write(to: &out)
        case .leReadLocalP256PublicKeyComplete(let event): event.write(to: &out)
        case .leGenerateDHKeyComplete(let event): event.write(to: &out)
        case .leAdvertisingReport(let event): event.write(to: &out)
        case .leDirectedAdvertisingReport(let event): event.write(to: &out)
        case .leExtendedAdvertisingReport(let event): event.write(to: &out)
        case .leAdvertisingSetTerminated(let event): event.write(to: &out)
        case .leScanRequestReceived(let event): event.write(to: &out)
        case .leScanTimeout: break
        case .unknown(_, _, let parameters): out.append(contentsOf: parameters)
        }
    }

    /// The event's number.
    public var code: EventCode {
        switch self {
        case .commandComplete: .commandComplete
        case .commandStatus: .commandStatus
        case .disconnectionComplete: .disconnectionComplete
        case .encryptionChange: .encryptionChange
        case .readRemoteVersionInformationComplete: .readRemoteVersionInformationComplete
        case .encryptionKeyRefreshComplete: .encryptionKeyRefreshComplete
        case .authenticatedPayloadTimeoutExpired: .authenticatedPayloadTimeoutExpired
        case .hardwareError: .hardwareError
        case .numberOfCompletedPackets: .numberOfCompletedPackets
        case .dataBufferOverflow: .dataBufferOverflow
        case .unknown(let code, _, _): code
        default: .leMeta
        }
    }

    /// The number within the LE Meta events; nil for all others.
    public var subevent: LESubeventCode? {
        switch self {
        case .leConnectionComplete: .connectionComplete
        case .leAdvertisingReport: .advertisingReport
        case .leConnectionUpdateComplete: .connectionUpdateComplete
        case .leReadRemoteFeaturesComplete: .readRemoteFeaturesComplete
        case .leLongTermKeyRequest: .longTermKeyRequest
        case .leRemoteConnectionParameterRequest: .remoteConnectionParameterRequest
        case .leDataLengthChange: .dataLengthChange
        case .leReadLocalP256PublicKeyComplete: .readLocalP256PublicKeyComplete
        case .leGenerateDHKeyComplete: .generateDHKeyComplete
        case .leEnhancedConnectionComplete: .enhancedConnectionComplete
        case .leDirectedAdvertisingReport: .directedAdvertisingReport
        case .lePHYUpdateComplete: .phyUpdateComplete
        case .leExtendedAdvertisingReport: .extendedAdvertisingReport
        case .leScanTimeout: .scanTimeout
        case .leAdvertisingSetTerminated: .advertisingSetTerminated
        case .leScanRequestReceived: .scanRequestReceived
        case .leChannelSelectionAlgorithm: .channelSelectionAlgorithm
        case .unknown(_, let subevent, _): subevent
        default: nil
        }
    }
}
