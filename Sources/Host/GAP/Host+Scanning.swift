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
        let ownAddress = try findings.type(of: parameters.ownAddress)
        guard gap.scanner.start(parameters, ownAddressType: ownAddress, commands: &pipeline) else { throw .busy }
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Ends with `scanningEnded`.
    public func stopScanning(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard phase == .up else { throw .notPoweredOn }
        guard gap.scanner.stop(commands: &pipeline) else { throw .notActive }
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Replaces the controller's filter accept list. Ends with `filterAcceptListSet`. Refused with `busy` while
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
