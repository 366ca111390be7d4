public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

extension Host {
    /// Begins to listen for advertisements; each is an `advertisingReport`. Ends with `scanningEnded`. While an
    /// earlier scan is being stopped the order waits for that.
    public func startScanning(
        _ parameters: ScanParameters = ScanParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.startScanning(parameters, at: now, into: &actions)
        }
    }

    /// Ends with `scanningEnded`.
    public func stopScanning(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.stopScanning(at: now, into: &actions)
        }
    }

    /// Replaces the controller's filter accept list; bonded peers are named by their identities. Ends with `filterAcceptListSet`. Refused with `busy` while
    /// something that may be using the list is under way (Core 6.0, Vol 4, Part E, 7.8.15).
    public func setFilterAcceptList(
        _ addresses: [DeviceAddress],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.setFilterAcceptList(addresses, at: now, into: &actions)
        }
    }
}
