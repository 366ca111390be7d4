public import BluetoothValues
internal import HCI
public import VirtualTime

extension Host {
    /// Begins to listen for advertisements; each is an `advertisingReport`. Ends with `scanningEnded`. While an
    /// earlier scan is being stopped the order waits for that.
    public func startScanning(
        _ parameters: ScanParameters = ScanParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leSetScanParameters, .leSetScanEnable)
        var scan = Scanner.Scan(parameters: parameters, choice: try choice(of: parameters.ownAddress, towards: nil))
        scan.isFilteredByHost = filtersByHost(parameters)
        guard gap.scanner.applicationScan == nil else { throw .busy }
        try claim(scan.choice)
        holdIfNeeded(for: scan.choice, at: now)
        _ = gap.scanner.start(scan, commands: &pipeline)
        settle(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Ends with `scanningEnded`.
    public func stopScanning(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard phase == .up else { throw .notPoweredOn }
        guard gap.scanner.stop(commands: &pipeline, events: &actions.events) else { throw .notActive }
        settle(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Replaces the controller's filter accept list; bonded peers are named by their identities. Ends with `filterAcceptListSet`. Refused with `busy` while
    /// something that may be using the list is under way (Core 6.0, Vol 4, Part E, 7.8.15).
    public func setFilterAcceptList(
        _ addresses: [DeviceAddress],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leClearFilterAcceptList, .leAddDeviceToFilterAcceptList)
        guard gap.isIdle else { throw .busy }
        guard addresses.count <= findings.filterAcceptListSize else { throw .filterAcceptListTooLong }
        gap.filterAcceptList.start(addresses, commands: &pipeline)
        pipeline.flush(at: now, into: &actions.packets)
    }
}
