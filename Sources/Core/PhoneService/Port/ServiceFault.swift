public import BluethroatHost

/// Why something failed, in the terms that apps get.
public enum ServiceFault: Error, Hashable, Sendable {
    /// An error of the link or of the phone.
    case local(LocalFault)
    /// The peer's ATT server refused.
    case att(ATTError)
}

/// Errors of the link or of the phone; the values are the codes of CoreBluetooth.
public enum LocalFault: Int, Error, Hashable, Sendable {
    case unknown = 0
    case invalidParameters = 1
    case invalidHandle = 2
    case notConnected = 3
    case outOfSpace = 4
    case operationCancelled = 5
    /// The supervision timeout has ended.
    case connectionTimeout = 6
    /// The peer has ended the connection.
    case peripheralDisconnected = 7
    case uuidNotAllowed = 8
    case alreadyAdvertising = 9
    case connectionFailed = 10
    case connectionLimitReached = 11
    case unknownDevice = 12
    case operationNotSupported = 13
    case peerRemovedPairingInformation = 14
    case encryptionTimedOut = 15
    case tooManyPairedDevices = 16
}
