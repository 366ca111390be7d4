import BluethroatBluetoothValues
import BluethroatHost

/// The advertisements of all apps in one.
extension PeripheralCore {
    mutating func startAdvertising(_ request: AdvertisementRequest, of session: SessionID, _ turn: inout ServiceTurn) {
        for key in request.ignoredKeys {
            turn.note(
                .ignoredBySystem,
                "your advertisement carried \(Self.name(ofKey: key)): iOS drops it",
                of: session
            )
        }
        guard !advertisements.contains(where: { $0.session == session }) else {
            return turn.emit(.advertisingStarted(.local(.alreadyAdvertising)), to: session)
        }
        advertisements.append(AppAdvertisement(session: session, request: request))
        freeze(request, of: session, turn)
        noteAdvertising(of: session, &turn)
        let old = onAir
        refreshAdvertising(&turn)
        // What others have on the air already is not put there again, and what has no bytes is nowhere.
        if old == onAir, old != nil || layout(turn) == nil { advertisingStarted(&turn) }
    }

    mutating func stopAdvertising(of session: SessionID, _ turn: inout ServiceTurn) {
        guard let index = advertisements.firstIndex(where: { $0.session == session }) else { return }
        advertisements.remove(at: index)
        refreshAdvertising(&turn)
    }

    /// Has the controller advertise what the apps want, if it does not already.
    mutating func refreshAdvertising(_ turn: inout ServiceTurn) {
        guard turn.clients.radio == .poweredOn else { return }
        let wanted = layout(turn)
        guard wanted != onAir else { return }
        if onAir != nil { try? turn.host.stopAdvertising(at: turn.now, into: &turn.actions) }
        onAir = nil
        guard let wanted else { return }
        let usual = wanted.isInBackground ? AdvertisingInterval(steps: 1636) : AdvertisingInterval(steps: 244)
        let chosen = wanted.isInBackground ? settings.backgroundAdvertisingInterval : settings.advertisingInterval
        guard let interval = chosen ?? usual else { return }
        do {
            try turn.host.startAdvertising(
                AdvertisingParameters(interval: interval),
                data: wanted.data,
                scanResponse: wanted.scanResponse,
                at: turn.now,
                into: &turn.actions
            )
            onAir = wanted
        } catch {
            advertisingRefused(&turn)
        }
    }

    /// What apps may do has changed, and with it perhaps what is on the air.
    mutating func policyChanged(_ turn: inout ServiceTurn) {
        let old = onAir
        refreshAdvertising(&turn)
        if old != nil, old == onAir { advertisingStarted(&turn) }
    }

    mutating func advertisingStarted(_ turn: inout ServiceTurn) {
        for index in advertisements.indices
        where !advertisements[index].isAnnounced && turn.isActive(advertisements[index].session) {
            advertisements[index].isAnnounced = true
            turn.emit(.advertisingStarted(nil), to: advertisements[index].session)
        }
    }

    mutating func advertisingEnded(_ end: AdvertisingEnd, _ turn: inout ServiceTurn) {
        switch end {
        case .connected:
            // A central that has connected does not end advertising, as long as the controller can do both.
            onAir = nil
            refreshAdvertising(&turn)
        case .refused:
            onAir = nil
            advertisingRefused(&turn)
        case .stopped:
            // Either it was replaced, or the power is off, and advertising waits for it.
            if turn.clients.radio != .poweredOn { onAir = nil }
        case .controllerFailed, .durationOver, .directedTimeout: onAir = nil
        }
    }

    // MARK: In the background

    /// A session's app leaves the foreground.
    mutating func enterBackground(_ session: SessionID, _ turn: inout ServiceTurn) {
        let advertisement = advertisements.first { $0.session == session }
        if settings.systemVersion >= 14 { frozen[session] = advertisement?.request }
        if advertisement != nil { noteAdvertising(of: session, &turn) }
    }

    /// A session's app comes to the foreground, or the session has ended.
    mutating func unfreeze(_ session: SessionID) { frozen[session] = nil }

    /// What is to be advertised at the moment; nil for nothing.
    private func layout(_ turn: borrowing ServiceTurn) -> AdvertisementLayout? {
        var onScreen: [AdvertisementRequest] = []
        var elsewhere: [BluetoothUUID] = []
        for advertisement in advertisements where turn.isActive(advertisement.session) {
            if turn.isInForeground(advertisement.session) {
                onScreen.append(advertisement.request)
            } else {
                let services = (frozen[advertisement.session] ?? advertisement.request).services
                // The list of one app is shared; `+=` would copy it.
                elsewhere = elsewhere.isEmpty ? services : elsewhere + services
            }
        }
        return onScreen.isEmpty && elsewhere.isEmpty ? nil : AdvertisementLayout(onScreen, inBackground: elsewhere)
    }

    /// From iOS 14 on, what an app in the background advertises is what it advertised first there, or before.
    private mutating func freeze(
        _ request: AdvertisementRequest,
        of session: SessionID,
        _ turn: borrowing ServiceTurn
    ) {
        guard settings.systemVersion >= 14, !turn.isInForeground(session) else { return }
        if frozen[session] == nil { frozen[session] = request }
    }

    /// Has developers know of advertising that ends in the background.
    private func noteAdvertising(of session: SessionID, _ turn: inout ServiceTurn) {
        guard !turn.isInForeground(session) else { return }
        if advertisements.contains(where: { $0.session == session && $0.request.beacon != nil }) {
            turn.note(
                .ignoredBySystem,
                "your app is an iBeacon in the background: iOS advertises none until the app is in the foreground",
                of: session
            )
        }
        guard !turn.isActive(session) else { return }
        turn.note(
            .ignoredBySystem,
            "your app advertises in the background without the background mode \"bluetooth-peripheral\": "
                + "iOS stops advertising until the app is in the foreground",
            of: session
        )
    }

    /// Those that wait hear of it; those that were on the air wait until there is room again.
    private mutating func advertisingRefused(_ turn: inout ServiceTurn) {
        for advertisement in advertisements where !advertisement.isAnnounced {
            turn.emit(.advertisingStarted(.local(.unknown)), to: advertisement.session)
        }
        advertisements.removeAll { !$0.isAnnounced }
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
