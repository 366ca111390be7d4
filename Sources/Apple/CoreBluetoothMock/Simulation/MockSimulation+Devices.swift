import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// What happens to simulated peripherals.
extension MockSimulation {
    /// As sensitive as it has to be for -100 dBm.
    static let sensitivity = SignalStrength(dBm: -110)

    /// These are simulated, and no others. One that is already stays as it is.
    func simulate(_ specs: [CBMPeripheralSpec]) {
        for device in devices where !specs.contains(where: { $0 === device.spec }) {
            // What was said of its connections was said of a device that is no more.
            change(device.spec) { $0.saidConnected = nil }
            remove(device)
        }
        let there = devices
        for spec in specs where self.device(of: spec) == nil { put(spec) }
        if hasBegun { connectInitially(devices.filter { device in !there.contains { $0 === device } }) }
    }

    private func remove(_ device: MockDevice) {
        drop(device)
        guard let id = device.id else { return }
        _ = home.enter { phone in
            phone.world.remove(id)
            device.closeChannels()
        }
    }

    /// A device with a new address.
    private func put(_ spec: CBMPeripheralSpec) {
        let state = state(of: spec)
        change(spec) { _ in }
        _ = home.enter { [self] phone in
            let world = phone.world
            world.setSensitivity(Self.sensitivity, of: phone.device)
            let number = world.nextID
            let address = world.defaultAddress(of: number.rawValue)
            let device = MockDevice(spec, identifier: state.identifier, address: address, of: self)
            device.id = number
            // Known before it begins, since the host asks at once.
            keep(device, peer: phone.remember(address, for: home.app))
            var settings = PhoneSettings()
            settings.maximumMTU = spec.mtu ?? 23
            let limits = PacketLimits(settings)
            var host = limits.host(nil, in: world)
            host.pairing = PairingSettings(spec.pairing)
            world.addDevice(
                named: state.name ?? "peripheral",
                controller: limits.controller(in: world),
                host: host,
                at: .metres(x: 10_000),
                application: device
            )
            world.setSensitivity(Self.sensitivity, of: number)
            world.move(number, to: place(for: state.proximity, of: number, from: phone))
        }
    }

    /// Where the phone hears a device with the documented strength. Each pair of radios has an offset of its own, so that the
    /// place is looked for.
    func place(for proximity: CBMProximity, of device: DeviceID, from phone: Phone) -> Position {
        let world = phone.world
        let origin = world.position(of: phone.device) ?? .origin
        func place(_ millimetres: Int32) -> Position { Position(x: origin.x &+ millimetres, y: origin.y, z: origin.z) }
        guard let wanted = proximity.signalStrength else { return place(1_000_000_000) }
        // The strength falls with the distance.
        var near: Int32 = 1, far: Int32 = 10_000_000
        while far - near > 1 {
            let middle = near + (far - near) / 2
            world.move(device, to: place(middle))
            if let strength = world.strength(from: device, at: phone.device), strength > wanted {
                near = middle
            } else {
                far = middle
            }
        }
        return place(far)
    }

    func move(_ spec: CBMPeripheralSpec, to proximity: CBMProximity) {
        guard device(of: spec) != nil else { return }
        let old = state(of: spec)
        change(spec) { $0.proximity = proximity }
        if proximity == .outOfRange {
            stopInviting(spec)
            sayDisconnected(spec)
        } else if old.proximity == .outOfRange, old.saidConnected == false, isReallyConnected(spec) {
            // Who leaves is disconnected, however soon it comes back; if not for another reason already, for this one.
            let hasReason = devices(of: spec).contains { $0.status.withLock { $0.end != nil } }
            if hasReason { restart(spec) } else { timeOut(spec) }
        }
        let ids = devices(of: spec).compactMap(\.id)
        home.soon { [self] phone in
            for id in ids { phone.world.move(id, to: place(for: proximity, of: id, from: phone)) }
        }
    }

    /// Has the host of each device of a specification do something, when all that is under way at this instant is done.
    private func perform(
        _ spec: CBMPeripheralSpec,
        _ body: @escaping (MockDevice, BluetoothHost, Instant, inout HostActions) -> Void
    ) {
        let devices = devices(of: spec)
        guard !devices.isEmpty else { return }
        home.soon { phone in
            for device in devices { Self.perform(device, phone, body) }
        }
    }

    private static func perform(
        _ device: MockDevice,
        _ phone: Phone,
        _ body: (MockDevice, BluetoothHost, Instant, inout HostActions) -> Void
    ) {
        guard let id = device.id else { return }
        phone.world.perform(on: id) { host, now, actions in body(device, host, now, &actions) }
    }

    // MARK: Connections

    func disconnect(_ spec: CBMPeripheralSpec, _ error: any Error) {
        stopInviting(spec)
        sayDisconnected(spec)
        note(error, asEndOf: spec)
        // Who times out says nothing.
        if (error as? CBMError)?.code == .connectionTimeout { return restart(spec) }
        perform(spec) { device, host, now, actions in
            for connection in device.connections { try? host.disconnect(connection, at: now, into: &actions) }
        }
    }

    func reset(_ spec: CBMPeripheralSpec) {
        home.ask { spec.connectionDelegate?.reset() }
        guard device(of: spec) != nil else { return }
        stopInviting(spec)
        sayDisconnected(spec)
        timeOut(spec)
    }

    /// The phone's Bluetooth goes off. A device would find out by its supervision timeout; the simulation spares tests that.
    func endWithBluetooth(_ spec: CBMPeripheralSpec) {
        sayDisconnected(spec)
        if isReallyConnected(spec) { timeOut(spec) }
    }

    /// Connections end as with a supervision timeout, on the device's side at once.
    private func timeOut(_ spec: CBMPeripheralSpec) {
        note(CBMError(.connectionTimeout), asEndOf: spec)
        restart(spec)
    }

    /// What apps and the device are told as the reason, where there are connections.
    private func note(_ error: any Error, asEndOf spec: CBMPeripheralSpec) {
        for device in devices(of: spec) {
            device.status.withLock { if $0.connectionCount > 0 { $0.end = error } }
        }
    }

    /// The radio goes off in the middle of everything, and on again.
    private func restart(_ spec: CBMPeripheralSpec) {
        let devices = devices(of: spec)
        perform(spec) { device, host, now, actions in device.goSilent(host: host, at: now, into: &actions) }
        guard !devices.isEmpty else { return }
        home.after(.milliseconds(10)) { phone in
            for device in devices {
                Self.perform(device, phone) { _, host, now, actions in host.powerOn(at: now, into: &actions) }
            }
        }
    }

    /// The device wants its connection to run at its own pace.
    func requestParameters(of device: MockDevice, on connection: ConnectionID, after span: TimeSpan) {
        guard let interval = device.spec.connectionInterval, let timeout = device.spec.supervisionTimeout else {
            return
        }
        let steps = UInt16(clamping: TimeSpan(seconds: interval).nanoseconds / 1_250_000)
        let timeoutSteps = UInt16(clamping: TimeSpan(seconds: timeout).nanoseconds / 10_000_000)
        let wanted = min(max(steps, 6), 3_200)
        guard
            let range = ConnectionParameterRange(
                minimumSteps: wanted,
                maximumSteps: wanted,
                latencyEvents: 0,
                // More than two intervals, Core 6.0, Vol 4, Part E, 7.8.18.
                timeoutSteps: min(max(timeoutSteps, 10, wanted / 4 + 1), 3_200)
            )
        else { return }
        home.after(span) { phone in
            Self.perform(device, phone) { _, host, now, actions in
                // Without effect if the connection is over by then.
                try? host.updateParameters(connection, range, at: now, into: &actions)
            }
        }
    }

    /// A device can change its address now, if it is to. With it, it is another device.
    func connectionsEnded(of device: MockDevice) {
        let spec = device.spec
        // Of one that is still to come nothing has ended.
        change(spec) { if $0.saidConnected == false { $0.saidConnected = nil } }
        guard state(of: spec).identifier != device.identifier else { return }
        home.soon { [self] _ in
            // It may have been connected to, or replaced, meanwhile.
            guard self.device(of: spec) === device, device.connections.isEmpty else { return }
            remove(device)
            put(spec)
        }
    }

    // MARK: Bonds and channels

    func isBonded(_ spec: CBMPeripheralSpec) -> Bool {
        guard let device = device(of: spec) else { return false }
        return home.enter { $0.isBonded(with: device.address) } ?? false
    }

    func loseBonds(of spec: CBMPeripheralSpec) {
        perform(spec) { _, host, now, actions in
            for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
        }
    }

    func forgetDevice(_ spec: CBMPeripheralSpec) {
        let addresses = devices(of: spec).map(\.address)
        home.soon { phone in
            for address in addresses { phone.forgetDevice(address) }
        }
    }

    func channels(of spec: CBMPeripheralSpec) -> [CBML2CAPChannelMock] { devices(of: spec).flatMap(\.channels.current) }

    /// Has the host of a device do something, when all that is under way at this instant is done.
    func perform(
        on device: MockDevice,
        _ body: @escaping (BluetoothHost, Instant, inout HostActions) -> Void
    ) {
        home.soon { phone in
            Self.perform(device, phone) { _, host, now, actions in body(host, now, &actions) }
        }
    }

    // MARK: What it is like

    func changeServices(of spec: CBMPeripheralSpec, _ newName: String?, _ newServices: [CBMServiceMock]) {
        guard device(of: spec) != nil, spec.connectionDelegate != nil else { return }
        let oldName = state(of: spec).name
        change(spec) { state in
            state.services = newServices
            state.name = newName
        }
        for device in devices(of: spec) { device.status.withLock { $0.changeCount += 1 } }
        perform(spec) { device, host, now, actions in
            device.setServices(newServices, host: host, at: now, into: &actions)
            if let newName, newName != oldName { device.rename(newName, host: host, at: now, into: &actions) }
        }
    }

    func send(_ data: Data, of characteristic: CBMCharacteristicMock, from spec: CBMPeripheralSpec) {
        guard
            state(of: spec).services?.contains(where: { $0.mockCharacteristics.contains { $0 === characteristic } })
                == true
        else { return }
        characteristic.value = data
        let longest = (spec.mtu ?? 23) - 3
        if data.count > longest {
            MockLog.warn(
                "a notification of \(characteristic.uuid.uuidString) has \(data.count) bytes, and holds \(longest); "
                    + "give the specification a larger mtu"
            )
        }
        for device in devices(of: spec) where !device.hold(data, of: characteristic) {
            perform(on: device) { host, now, actions in
                device.send(data, of: characteristic, host: host, at: now, into: &actions)
            }
        }
    }

    func changeAdvertisement(of spec: CBMPeripheralSpec, _ advertisement: [CBMAdvertisementConfig]?) {
        guard device(of: spec) != nil else { return }
        change(spec) { $0.advertisement = advertisement }
        perform(spec) { device, host, now, actions in device.advertiseAnew(host: host, at: now, into: &actions) }
    }

    // MARK: What the phone knows

    func remember(_ spec: CBMPeripheralSpec) { change(spec) { $0.isKnown = true } }

    /// A manager has heard a device. One with an old address says nothing of the new one.
    func heard(_ device: MockDevice) {
        change(device.spec) { if $0.identifier == device.identifier { $0.isKnown = true } }
    }

    func changeAddress(of spec: CBMPeripheralSpec, _ identifier: UUID) {
        change(spec) { state in
            state.isKnown = false
            state.identifier = identifier
        }
        guard let old = device(of: spec), old.status.withLock({ $0.connectionCount == 0 }) else { return }
        connectionsEnded(of: old)
    }

    // MARK: Other apps

    func connectOtherApp(to spec: CBMPeripheralSpec) {
        guard spec.connectionDelegate != nil, state(of: spec).proximity != .outOfRange, let device = device(of: spec)
        else { return }
        change(spec) { $0.saidConnected = true }
        invite(device)
    }

    /// What was said of a connection holds no longer: it is there.
    func connectionBegan(of device: MockDevice) {
        change(device.spec) { state in
            state.saidConnected = nil
            state.wasConnected = true
        }
    }

    /// Another app that was to connect does not.
    private func stopInviting(_ spec: CBMPeripheralSpec) {
        guard awaitsConnection(spec) else { return }
        for device in devices(of: spec) {
            home.soon { [self] phone in
                guard let otherApp else { return }
                otherApp.leave(phone.remember(device.address, for: otherApp.app))
            }
        }
        perform(spec) { device, host, now, actions in
            device.awaitsOtherApp = false
            device.advertiseAnew(host: host, at: now, into: &actions)
        }
    }

    /// Those to which another app is connected from the beginning.
    func connectInitially(_ devices: [MockDevice]) {
        for device in devices where device.spec.isInitiallyConnected { invite(device) }
    }

    private func invite(_ device: MockDevice) {
        guard device.spec.connectionDelegate != nil else { return }
        home.soon { [self] phone in
            guard let otherApp, devices.contains(where: { $0 === device }) else { return }
            otherApp.connect(phone.remember(device.address, for: otherApp.app))
            guard device.connections.isEmpty else { return }
            Self.perform(device, phone) { device, host, now, actions in
                device.awaitsOtherApp = true
                device.advertiseAnew(host: host, at: now, into: &actions)
            }
        }
    }
}
