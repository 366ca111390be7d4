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
        let old = peripheral.onAir
        refreshAdvertising(host: host, at: now, into: &actions)
        // What others have on the air already is not put there again.
        if old != nil, old == peripheral.onAir { advertisingStarted() }
    }

    func stopAdvertising(of session: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard peripheral.advertisements.contains(where: { $0.session == session }) else { return }
        peripheral.advertisements.removeAll { $0.session == session }
        refreshAdvertising(host: host, at: now, into: &actions)
    }

    /// Has the controller advertise what the apps want, if it does not already.
    func refreshAdvertising(host: Host, at now: Instant, into actions: inout HostActions) {
        guard radio == .poweredOn else { return }
        let wanted =
            peripheral.advertisements.isEmpty ? nil : AdvertisementLayout(peripheral.advertisements.map(\.request))
        guard wanted != peripheral.onAir else { return }
        if peripheral.onAir != nil { try? host.stopAdvertising(at: now, into: &actions) }
        peripheral.onAir = nil
        guard let wanted else { return }
        guard let interval = settings.advertisingInterval ?? AdvertisingInterval(steps: 244) else { return }
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

    func advertisingStarted() {
        for index in peripheral.advertisements.indices where !peripheral.advertisements[index].isAnnounced {
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
        default: "the key \(key)"
        }
    }
}
