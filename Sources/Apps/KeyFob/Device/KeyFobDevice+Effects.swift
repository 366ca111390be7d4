import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

// From the model to the host and to the observer.
extension KeyFobDevice {
    func feed(_ event: KeyFobEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        var effects: [KeyFobEffect] = []
        model.handle(event, at: now, into: &effects)
        carryOut(effects, host: host, at: now, into: &actions)
    }

    func carryOut(_ effects: [KeyFobEffect], host: Host, at now: Instant, into actions: inout HostActions) {
        for effect in effects {
            switch effect {
            case .startStack: startStack(host: host, at: now, into: &actions)
            case .startAdvertising: startAdvertising(host: host, at: now, into: &actions)
            case .stopAdvertising: stopAdvertising(host: host, at: now, into: &actions)
            case .setTransmitPower: break
            case .notify(let value, let byte): notify(value, byte, host: host, at: now, into: &actions)
            case .advertising(let on): tell(.advertising(on), at: now)
            case .keys(let keys): tell(.keys(keys), at: now)
            case .alert(let level, let source): tell(.alert(level, source), at: now)
            case .tone(let hertz): tell(.tone(hertz: hertz), at: now)
            case .led(let led, let on): tell(.led(led, on: on), at: now)
            case .battery(let percent): tell(.battery(percent: percent), at: now)
            case .transmitPower(let dBm): tell(.transmitPower(dBm: dBm), at: now)
            case .accelerometer(let on): tell(.accelerometer(enabled: on), at: now)
            }
        }
    }

    private func startStack(host: Host, at now: Instant, into actions: inout HostActions) {
        if let identity = host.identity {
            stackStarted(identity, host: host, at: now, into: &actions)
        } else {
            host.powerOn(at: now, into: &actions)
        }
    }

    func stackStarted(_ identity: HostIdentity, host: Host, at now: Instant, into actions: inout HostActions) {
        setSystemID(KeyFobTable.systemID(of: identity.address), on: host)
        feed(.stackStarted, host: host, at: now, into: &actions)
    }

    private func startAdvertising(host: Host, at now: Instant, into actions: inout HostActions) {
        do throws(OrderError) {
            // The model watches the clock itself.
            try host.startAdvertising(
                AdvertisingParameters(.connectable, interval: options.advertisingInterval),
                data: KeyFobAdvertisement.data,
                scanResponse: KeyFobAdvertisement.scanResponse,
                at: now,
                into: &actions
            )
        } catch {
            feed(.advertisingFailed, host: host, at: now, into: &actions)
        }
    }

    private func stopAdvertising(host: Host, at now: Instant, into actions: inout HostActions) {
        do throws(OrderError) {
            try host.stopAdvertising(at: now, into: &actions)
        } catch {
            feed(.advertisingStopped, host: host, at: now, into: &actions)
        }
    }

    /// Where the firmware finds no buffer for a notification, the value is not sent; here neither.
    private func notify(
        _ value: KeyFobValue,
        _ byte: UInt8,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let connection, let handle = handles?.handle(of: value) else { return }
        _ = host.notify([byte], handle: handle, to: connection.id, at: now, into: &actions)
    }

    func askForParameters(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let connection, requester.expire(at: now, current: connection.parameters) else { return }
        do throws(OrderError) {
            try host.updateParameters(connection.id, ParameterRequester.preferred, at: now, into: &actions)
        } catch {
            requester.finish()
        }
    }
}
