public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatLinkLayer
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// The devices of a world.
extension World {
    /// Puts a device with a controller, a host and an application on the air; the application starts at once.
    @discardableResult
    public func addDevice(
        named name: String,
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil,
        bonds: any BondStore = MemoryBondStore(),
        at position: Position = .origin,
        drift: ClockDrift = .none,
        application: any HostApplication
    ) -> DeviceID {
        let id = nextID
        let own = Host(
            configuration: host ?? HostConfiguration(seed: seed, device: UInt64(id.rawValue)),
            bonds: bonds
        )
        add(
            named: name,
            virtual(controller, id: id, at: position),
            .own(own, application),
            drift: drift
        )
        perform(on: id) { host, now, actions in application.start(host: host, at: now, into: &actions) }
        return id
    }

    /// Puts a controller on the air whose host is elsewhere: its packets go to `sink`, the host's come by
    /// `receive(hci:for:)`.
    public func addController(
        named name: String,
        configuration: ControllerConfiguration? = nil,
        at position: Position = .origin,
        drift: ClockDrift = .none,
        toHost sink: @escaping (_ packet: [UInt8]) -> Void
    ) -> DeviceID {
        let id = nextID
        add(named: name, virtual(configuration, id: id, at: position), .external(sink), drift: drift)
        return id
    }

    /// Adds a host whose controller is elsewhere, so that it is not on this air at all.
    public func addHost(
        named name: String,
        configuration: HostConfiguration? = nil,
        bonds: any BondStore = MemoryBondStore(),
        application: any HostApplication,
        toController sink: @escaping (_ packet: [UInt8]) -> Void
    ) -> DeviceID {
        let id = nextID
        let host = Host(
            configuration: configuration ?? HostConfiguration(seed: seed, device: UInt64(id.rawValue)),
            bonds: bonds
        )
        add(named: name, .external(sink), .own(host, application), drift: .none)
        perform(on: id) { host, now, actions in application.start(host: host, at: now, into: &actions) }
        return id
    }

    /// Takes a device out of the world, in the middle of whatever it was doing; its peers notice that by their supervision timeouts.
    ///
    /// All that the world keeps of it is given back, and its ID is refused from then on: calls with it change nothing.
    public func remove(_ id: DeviceID) {
        guard let device = self.device(id) else { return }
        state.endDirectEvent()
        quietAir?.remove(device)
        // A tap may have done it already.
        guard isPresent(device) else { return }
        state.staleEvents += device.state.wakeUps.count
        if let radio = device.radio {
            breakOffTransmission(of: device)
            state.medium.removeRadio(radio)
            state.owners[Int(radio.arrival.place)] = nil
            while case .some(.none) = state.owners.last { state.owners.removeLast() }
            // The end of what it listened to.
            state.staleEvents += 1
        }
        state.devices.remove(device.id.arrival)
        state.dropStaleEvents()
        state.tap?.left(device.id)
    }

    /// The host of a controller has gone. The controller ends its connections and whatever else it does, and `then` is
    /// called when the last peer has acknowledged that, or when its supervision timeout has ended: at once where there is
    /// no connection. The device stays in the world; `then` may take it out. A host elsewhere hears nothing any more.
    public func loseHost(of id: DeviceID, then: @escaping (World) -> Void) {
        guard let device = self.device(id), device.controller != nil else { return then(self) }
        device.state.hasLostHost = true
        device.callController(at: now) { controller, now, actions in controller.loseHost(at: now, into: &actions) }
        exchangePackets(of: device)
        awaitEnds(of: id, then)
    }

    private func awaitEnds(of id: DeviceID, _ then: @escaping (World) -> Void) {
        guard device(id)?.controller?.isConnected ?? false else { return then(self) }
        schedule(at: now + .milliseconds(10)) { world in world.awaitEnds(of: id, then) }
    }

    /// The devices there are, in the order of their arrival.
    public var deviceIDs: [DeviceID] { state.devices.arrivals.map { DeviceID($0) } }

    public func name(of id: DeviceID) -> String? { device(id)?.name }

    /// The public address of a device's controller; nil for one whose controller is elsewhere.
    public func publicAddress(of id: DeviceID) -> DeviceAddress? {
        guard case .virtual(let controller, _) = device(id)?.controllerSide else { return nil }
        return controller.configuration.publicAddress
    }

    /// The public address of a device with this number, if it has no other: the world's seed decides it.
    public func defaultAddress(of number: UInt32) -> DeviceAddress {
        var stream = SeededRandom(seed: seed, device: UInt64(number), purpose: "public address")
        // B1:0E is no registered prefix; bit 1 of the first octet is set, as in addresses that no registry gave out.
        return DeviceAddress(value: 0xB20E << 32 | stream.next(below: 1 << 32), kind: .public)
    }

    func virtual(
        _ configuration: ControllerConfiguration?,
        id: DeviceID,
        at position: Position
    ) -> Device.ControllerSide {
        let configuration = configuration ?? ControllerConfiguration(publicAddress: defaultAddress(of: id.rawValue))
        let controller = Controller(configuration: configuration, seed: seed, device: UInt64(id.rawValue))
        return .virtual(controller, state.medium.addRadio(at: position))
    }

    func add(
        named name: String,
        _ controllerSide: Device.ControllerSide,
        _ hostSide: Device.HostSide,
        drift: ClockDrift
    ) {
        let device = Device(
            id: nextID,
            name: name,
            controllerSide: controllerSide,
            hostSide: hostSide,
            drift: drift
        )
        _ = state.devices.insert(device)
        if let radio = device.radio {
            let place = Int(radio.arrival.place)
            while state.owners.count <= place { state.owners.append(nil) }
            state.owners[place] = device
        }
        exchangePackets(of: device)
    }
}
