import BluethroatBluetoothValues

/// A connection that is just being made.
struct ConnectionAttempt {
    let peer: DeviceAddress
    /// In the log.
    let entry: Int
    let answer: WorkbenchCentral.Answer<CentralLink>
    /// It is no longer wanted; it may come about all the same.
    var isGivenUp = false
}
