import BluethroatBluetoothValues

extension LocalFault {
    init(failureToConnect error: ControllerError) {
        self =
            switch error {
            case .connectionLimitExceeded, .memoryCapacityExceeded: .connectionLimitReached
            default: .connectionFailed
            }
    }

    /// How a connection ended without the app's order.
    init(loss error: ControllerError) {
        self =
            switch error {
            case .connectionTimeout, .linkLayerResponseTimeout: .connectionTimeout
            case .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
                .remoteDeviceTerminatedPowerOff:
                .peripheralDisconnected
            case .connectionFailedToBeEstablished: .connectionFailed
            case .connectionTerminatedMICFailure: .encryptionTimedOut
            case .pinOrKeyMissing: .peerRemovedPairingInformation
            default: .unknown
            }
    }
}
