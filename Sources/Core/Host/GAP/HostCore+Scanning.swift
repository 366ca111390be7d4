internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

extension HostCore {
    mutating func startScanning(
        _ parameters: ScanParameters = ScanParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leSetScanParameters, .leSetScanEnable)
        var scan = ScanSequencer.Scan(
            parameters: parameters,
            choice: try choice(of: parameters.ownAddress, towards: nil)
        )
        scan.isFilteredByHost = filtersByHost(parameters)
        guard gap.scanner.applicationScan == nil else { throw .busy }
        try claim(scan.choice)
        holdIfNeeded(for: scan.choice, at: now)
        _ = gap.scanner.start(scan, commands: &pipeline)
    }

    mutating func stopScanning(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard gap.scanner.stop(commands: &pipeline, events: &actions.events) else { throw .notActive }
    }

    mutating func setFilterAcceptList(
        _ addresses: [DeviceAddress],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leClearFilterAcceptList, .leAddDeviceToFilterAcceptList)
        guard gap.isIdle else { throw .busy }
        guard addresses.count <= controller.findings.filterAcceptListSize else { throw .filterAcceptListTooLong }
        gap.filterAcceptList.start(addresses, commands: &pipeline)
    }
}
