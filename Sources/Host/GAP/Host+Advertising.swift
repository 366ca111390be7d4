public import BluetoothValues
internal import HCI
public import VirtualTime

extension Host {
    /// Sets both data blocks, at most 31 bytes each, and begins to advertise. Ends with `advertisingStarted`, or
    /// `advertisingEnded` with the reason. While earlier advertising is being stopped the order waits for that.
    public func startAdvertising(
        _ parameters: AdvertisingParameters,
        data: AdvertisingData = AdvertisingData(),
        scanResponse: AdvertisingData = AdvertisingData(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(
            .leSetAdvertisingParameters,
            .leSetAdvertisingData,
            .leSetScanResponseData,
            .leSetAdvertisingEnable
        )
        let advertisement = Advertiser.Advertisement(
            parameters: parameters,
            ownAddressType: try findings.type(of: parameters.ownAddress),
            data: data.bytes,
            scanResponse: scanResponse.bytes
        )
        // Data of directed advertising and the scan response of what nobody may scan are never sent.
        let longest = 31
        guard advertisement.data.count <= longest, advertisement.scanResponse.count <= longest else {
            throw .dataTooLong
        }
        guard gap.advertiser.start(advertisement, commands: &pipeline) else { throw .busy }
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Ends with `advertisingEnded`.
    public func stopAdvertising(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard phase == .up else { throw .notPoweredOn }
        guard gap.advertiser.stop(commands: &pipeline) else { throw .notActive }
        pipeline.flush(at: now, into: &actions.packets)
    }
}
