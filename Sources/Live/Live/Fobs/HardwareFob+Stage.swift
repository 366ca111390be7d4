import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

extension HardwareFob: WorkbenchFob {
    var transmitPower: Int8 { Int8(bitPattern: device.model.value(of: .txPowerLevel)) }

    func look(in world: World) -> FobLook {
        var look = FobLook(kind: .hardware)
        let model = device.model
        look.address = address
        look.isPowered = device.isPowered
        look.keys = KeyFobKeys(rawValue: model.value(of: .keys))
        // Its two LEDs are beside its keys; the second one flashes in an alert, and is lit at other times, too.
        look.leftLED = model.led1
        look.rightLED = model.led2
        look.alertLED = model.led2 && model.alertLevel != .none
        look.tones = model.tone.map { [$0] } ?? []
        look.alert = model.alertLevel
        look.battery = charge
        look.reportedBattery = Int(model.value(of: .batteryLevel))
        look.transmitPower = transmitPower
        look.isAdvertising = model.isAdvertising
        look.canAdvertise = canAdvertise
        look.isSensing = model.value(of: .accelerometerEnable) != 0
        look.tilt = tilt
        look.sent = Acceleration(
            x: Int8(bitPattern: model.value(of: .x)),
            y: Int8(bitPattern: model.value(of: .y)),
            z: Int8(bitPattern: model.value(of: .z))
        )
        look.connections = device.isPowered ? id.map { world.clients(of: $0) } ?? [] : []
        (look.label, look.labelColour) =
            if !device.isPowered {
                ("No battery", .black)
            } else if !look.connections.isEmpty {
                ("Connected", .green)
            } else if model.isAdvertising {
                ("Advertising", .blue)
            } else {
                ("Not advertising", .black)
            }
        return look
    }

    func advertise(_ isOn: Bool, in world: World) -> Bool {
        guard canAdvertise else { return !isOn }
        // Its radio may still be on its way to what was wanted before.
        if device.model.wantsAdvertising != isOn { _ = obey(.toggleAdvertising, in: world) }
        return true
    }
}

extension HardwareFob {
    /// The firmware takes no notice of its right key while it is connected.
    private var canAdvertise: Bool { device.isPowered && !device.model.isConnected }

    func setPower(_ isOn: Bool, in world: World) {
        guard let id else { return }
        held = []
        world.perform(on: id) { host, now, actions in
            isOn
                ? device.restorePower(host: host, at: now, into: &actions)
                : device.cutPower(host: host, at: now, into: &actions)
        }
    }
}

extension World {
    /// The centrals that are connected to a device, as its own host knows them.
    func clients(of id: DeviceID) -> [FobLook.Connection] {
        perform(on: id) { host, _, _ in
            host.openConnections.filter { $0.role == .peripheral }.map { connection in
                let handles = host.clientRecord(of: connection.id)?.subscriptions.map(\.value) ?? []
                return FobLook.Connection(
                    peer: connection.peer,
                    intervalMilliseconds: Double(connection.parameters.interval.span.nanoseconds) / 1e6,
                    latency: Int(connection.parameters.latency.events),
                    isEncrypted: host.security(of: connection.id)?.isEncrypted ?? false,
                    subscriptions: handles.compactMap { handle in
                        host.database.rows.first { $0.handle == handle }?.type
                    }
                )
            }
        } ?? []
    }
}
