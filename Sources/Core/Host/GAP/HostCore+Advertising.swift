internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

extension HostCore {
    mutating func startAdvertising(
        _ parameters: AdvertisingParameters,
        data: AdvertisingData = AdvertisingData(),
        scanResponse: AdvertisingData = AdvertisingData(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard controller.offersAdvertising else { throw .unsupported }
        let advertisement = AdvertisingSequencer.Advertisement(
            parameters: parameters,
            choice: try advertisingChoice(of: parameters),
            peer: advertisingPeer(of: parameters),
            filterPolicy: advertisingPolicy(of: parameters),
            data: data.bytes,
            scanResponse: scanResponse.bytes
        )
        // Data of directed advertising and the scan response of an advertiser that is not scannable are never sent.
        let longest = 31
        guard advertisement.data.count <= longest, advertisement.scanResponse.count <= longest else {
            throw .dataTooLong
        }
        guard gap.advertiser.advertisement == nil else { throw .busy }
        try claim(advertisement.choice)
        prepareList(for: parameters)
        holdIfNeeded(for: advertisement.choice, at: now)
        _ = gap.advertiser.start(advertisement, commands: &pipeline)
    }

    mutating func stopAdvertising(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard gap.advertiser.stop(commands: &pipeline, events: &actions.events) else { throw .notActive }
    }
}
