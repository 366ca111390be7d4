public import BluetoothValues
public import VirtualTime

extension Host {
    /// Begins to listen for advertisements; each is an `advertisingReport`. Ends with `scanningEnded`.
    public func startScanning(
        _ parameters: ScanParameters = ScanParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Ends with `scanningEnded`.
    public func stopScanning(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Replaces the controller's filter accept list. Refused with `busy` while something that may be using the list
    /// is under way (Core 6.0, Vol 4, Part E, 7.8.16).
    public func setFilterAcceptList(
        _ addresses: [DeviceAddress],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }
}
