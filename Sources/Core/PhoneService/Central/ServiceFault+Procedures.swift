import BluethroatBluetoothValues
import BluethroatHost

extension ATTError {
    /// Whether the peer would answer differently on an encrypted link.
    var asksForSecurity: Bool {
        self == .insufficientAuthentication || self == .insufficientEncryption || self == .encryptionKeySizeTooShort
    }
}

extension ProcedureError {
    var fault: ServiceFault {
        switch self {
        case .refused(let error, _, _): .att(error)
        case .timedOut: .local(.connectionTimeout)
        case .disconnected: .local(.notConnected)
        case .malformedResponse, .contradictoryResponse, .echoMismatch, .tooLong: .local(.unknown)
        }
    }
}

extension PeerCommand {
    /// How the app hears that it failed.
    func failure(_ fault: ServiceFault) -> PeerEvent? {
        switch self {
        case .discoverServices: .servicesDiscovered(.failure(fault))
        case .discoverIncludedServices(_, let handle): .includedServicesDiscovered(of: handle, .failure(fault))
        case .discoverCharacteristics(_, let handle): .characteristicsDiscovered(of: handle, .failure(fault))
        case .discoverDescriptors(let handle): .descriptorsDiscovered(of: handle, .failure(fault))
        case .read(let handle): .value(handle, .failure(fault))
        case .readDescriptor(let handle): .descriptorValue(handle, .failure(fault))
        case .write(let handle, _): .written(handle, fault)
        case .writeDescriptor(let handle, _): .descriptorWritten(handle, fault)
        case .setNotifying(let handle, _): .notifying(handle, .failure(fault))
        case .readRSSI: .signalStrength(.failure(fault))
        case .openChannel: .channelRefused(fault)
        case .startChannelSounding: .channelSoundingEnded(fault)
        case .writeWithoutResponse: nil
        }
    }
}
