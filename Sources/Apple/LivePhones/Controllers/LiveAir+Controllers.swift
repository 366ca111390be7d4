public import BluethroatHCITransports
public import BluethroatHost
import BluethroatLiveLoop
import BluethroatLiveWorld
public import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation

extension LiveAir {
    /// Adds a phone whose controller is elsewhere, behind HCI. It is not on this air but on the controller's.
    ///
    /// Until the controller is up the state is `unknown`; if it cannot be used, `unsupported`. A controller that is lost
    /// later is looked for again while the state is `resetting`, each second for `patience` seconds.
    ///
    /// - Parameters:
    ///   - settings: what it is like. Without a number for identifiers, and without a `host`, these follow from the machine,
    ///     the program and the phone's name, so that apps know peers by the same ones in every process.
    ///   - host: how its host is configured; nil is as for every device, with a static address and secrets from the
    ///     system.
    ///   - complain: hears one line about what is wrong with the controller; nil puts it into the log.
    public func addPhone(
        named name: String,
        onController endpoint: HCIEndpoint,
        settings: PhoneSettings? = nil,
        host: HostConfiguration? = nil,
        bonds: @escaping @autoclosure @Sendable () -> any BondStore = MemoryBondStore(),
        patience: Int = 10,
        complain: (@Sendable (String) -> Void)? = nil
    ) -> LivePhone {
        let complain = complain ?? { AirLog.fail($0, phone: name) }
        let link = ControllerLink(endpoint)
        var settings = settingsInRealTime(settings, name)
        // Its address is another one in each process, and apps know their peripherals again by the identifiers.
        if host == nil, settings.identifierNumber == nil {
            settings.identifierNumber = MachineIdentity.number(ofPhone: name)
        }
        let limits = PacketLimits(settings)
        let phone = addPhone(named: name, settings: settings) { machine, service in
            var own = host ?? HostConfiguration(seed: .random(in: .min ... .max))
            if own.secret == nil { own.secret = .fromSystem() }
            limits.apply(to: &own)
            machine.links.append(link)
            return machine.world.addHost(
                named: name,
                configuration: own,
                bonds: bonds(),
                application: RemoteControllerService(service, endpoint, in: machine, complain),
                toController: { link.send($0) }
            )
        }
        let air = WeakAir(live)
        Task { await air.keep(link, of: phone.device, patience: patience, complain: complain) }
        return phone
    }
}

extension WeakAir {
    /// Opens the way to a phone's controller, and keeps it open.
    fileprivate func keep(
        _ link: ControllerLink,
        of device: DeviceID,
        patience: Int,
        complain: @Sendable (String) -> Void
    ) async {
        do throws(HCITransportError) {
            let isOpen = try await link.open { batch in
                post { machine in
                    for packet in batch.packets { machine.world.receive(hci: packet, for: device) }
                }
            }
            guard isOpen else { return }
            post { $0.foundController(of: device, isFirst: true) }
            _ = try await link.keep(patience: patience) { change in
                switch change {
                case .lost(let reason):
                    complain("\(link.endpoint): \(reason); looking for the controller again for \(patience) s")
                    post { $0.loseController(of: device) }
                case .found: post { $0.foundController(of: device, isFirst: false) }
                }
            }
        } catch {
            complain("there is no Bluetooth: \(error.advised())")
            post { $0.phones[device]?.losesBluetooth(in: $0.world) }
        }
    }
}
