public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

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
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.startAdvertising(parameters, data: data, scanResponse: scanResponse, at: now, into: &actions)
        }
    }

    /// Ends with `advertisingEnded`.
    public func stopAdvertising(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.stopAdvertising(at: now, into: &actions)
        }
    }
}
