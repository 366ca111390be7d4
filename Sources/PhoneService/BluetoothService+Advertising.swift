import BluetoothValues
import Host
import VirtualTime

/// The advertisements of all apps in one.
extension BluetoothService {
    func startAdvertising(
        _ request: AdvertisementRequest,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        for key in request.ignoredKeys {
            note("your advertisement carried \(Self.name(ofKey: key)): iOS drops it", of: session, at: now)
        }
        guard !peripheral.advertisements.contains(where: { $0.session == session }) else {
            return tell(.advertisingStarted(.local(.alreadyAdvertising)), to: session)
        }
        peripheral.advertisements.append(PeripheralSide.Advertisement(session: session, request: request))
        freeze(request, of: session)
        noteAdvertising(of: session, at: now)
        let old = peripheral.onAir
        refreshAdvertising(host: host, at: now, into: &actions)
        // What others have on the air already is not put there again, and what has no bytes is nowhere.
        if old == peripheral.onAir, old != nil || layout == nil { advertisingStarted() }
    }

    func stopAdvertising(of session: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard peripheral.advertisements.contains(where: { $0.session == session }) else { return }
        peripheral.advertisements.removeAll { $0.session == session }
        refreshAdvertising(host: host, at: now, into: &actions)
    }

    /// Has the controller advertise what the apps want, if it does not already.
    func refreshAdvertising(host: Host, at now: Instant, into actions: inout HostActions) {
        guard radio == .poweredOn else { return }
        let wanted = layout
        guard wanted != peripheral.onAir else { return }
        if peripheral.onAir != nil { try? host.stopAdvertising(at: now, into: &actions) }
        peripheral.onAir = nil
        guard let wanted else { return }
        let usual = wanted.isInBackground ? AdvertisingInterval(steps: 1636) : AdvertisingInterval(steps: 244)
        let chosen = wanted.isInBackground ? settings.backgroundAdvertisingInterval : settings.advertisingInterval
        guard let interval = chosen ?? usual else { return }
        do {
            try host.startAdvertising(
                AdvertisingParameters(interval: interval),
                data: wanted.data,
                scanResponse: wanted.scanResponse,
                at: now,
                into: &actions
            )
            peripheral.onAir = wanted
        } catch {
            advertisingRefused()
        }
    }

    /// The 16 bytes of the mask that the phone sends at the moment, as on the air; nil if it sends none.
    public var overflowMaskOnAir: [UInt8]? {
        guard radio == .poweredOn, let onAir = peripheral.onAir else { return nil }
        return OverflowArea(in: onAir.data)?.mask ?? OverflowArea(in: onAir.scanResponse)?.mask
    }

    func advertisingStarted() {
        for index in peripheral.advertisements.indices
        where !peripheral.advertisements[index].isAnnounced && goesOn(peripheral.advertisements[index].session) {
            peripheral.advertisements[index].isAnnounced = true
            tell(.advertisingStarted(nil), to: peripheral.advertisements[index].session)
        }
    }

    func advertisingEnded(
        _ end: AdvertisingEnd,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch end {
        case .connected:
            // A central that has connected does not end advertising, as long as the controller can do both.
            peripheral.onAir = nil
            refreshAdvertising(host: host, at: now, into: &actions)
        case .refused:
            peripheral.onAir = nil
            advertisingRefused()
        case .stopped:
            // Either it was replaced, or the power is off, and advertising waits for it.
            if radio != .poweredOn { peripheral.onAir = nil }
        case .controllerFailed, .durationOver, .directedTimeout: peripheral.onAir = nil
        }
    }

    // MARK: In the background

    /// What is to be advertised at the moment; nil for nothing.
    private var layout: AdvertisementLayout? {
        var onScreen: [AdvertisementRequest] = []
        var elsewhere: [BluetoothUUID] = []
        for advertisement in peripheral.advertisements where goesOn(advertisement.session) {
            if isInForeground(advertisement.session) {
                onScreen.append(advertisement.request)
            } else {
                let frozen = sessions.first { $0.id == advertisement.session }?.frozenAdvertisement
                elsewhere += (frozen ?? advertisement.request).services
            }
        }
        return onScreen.isEmpty && elsewhere.isEmpty ? nil : AdvertisementLayout(onScreen, inBackground: elsewhere)
    }

    /// From iOS 14 on, what an app in the background advertises is what it advertised first there, or before.
    private func freeze(_ request: AdvertisementRequest, of id: SessionID) {
        guard !isInForeground(id), let index = sessions.firstIndex(where: { $0.id == id }) else { return }
        if settings.systemVersion < 14 || sessions[index].frozenAdvertisement == nil {
            sessions[index].frozenAdvertisement = request
        }
    }

    /// Tells developers of advertising that ends in the background.
    func noteAdvertising(of id: SessionID, at now: Instant) {
        guard !isInForeground(id) else { return }
        if peripheral.advertisements.contains(where: { $0.session == id && $0.request.beacon != nil }) {
            note(
                "your app is an iBeacon in the background: iOS advertises none until the app is in the foreground",
                of: id,
                at: now
            )
        }
        guard !goesOn(id) else { return }
        note(
            "your app advertises in the background without the background mode \"bluetooth-peripheral\": "
                + "iOS stops advertising until the app is in the foreground",
            of: id,
            at: now
        )
    }

    /// Those who wait hear of it; those who were on the air wait until there is room again.
    private func advertisingRefused() {
        for advertisement in peripheral.advertisements where !advertisement.isAnnounced {
            tell(.advertisingStarted(.local(.unknown)), to: advertisement.session)
        }
        peripheral.advertisements.removeAll { !$0.isAnnounced }
    }

    /// What people call a part of an advertisement.
    private static func name(ofKey key: String) -> String {
        switch key {
        case "kCBAdvDataManufacturerData": "manufacturer data"
        case "kCBAdvDataServiceData": "service data"
        case "kCBAdvDataTxPowerLevel": "a transmit power"
        case "kCBAdvDataIsConnectable": "whether it is connectable"
        case "kCBAdvDataSolicitedServiceUUIDs": "solicited services"
        case "kCBAdvDataHashedServiceUUIDs": "services for the overflow area"
        case "kCBAdvDataAppleBeaconKey": "an iBeacon that has not 21 bytes"
        default: "the key \(key)"
        }
    }
}
