public import HCITransports
public import Host
import LiveLoop
public import PhoneService
import Phones
import Simulation

extension LiveAir {
    /// Adds a phone whose controller is elsewhere, behind HCI. It is not on this air but on the controller's.
    ///
    /// Until the controller is up the state is `unknown`; if it cannot be used, `unsupported`. A controller that is lost
    /// later is looked for again while the state is `resetting`, each second for `patience` seconds.
    ///
    /// - Parameters:
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
        let link = ControllerLink(endpoint, patience: patience, complain: complain ?? { AirLog.fail($0, phone: name) })
        let phone = addPhone(named: name, settings: settingsInRealTime(settings, name)) { machine, service in
            var own = host ?? HostConfiguration(seed: .random(in: .min ... .max))
            if own.secret == nil { own.secret = .fromSystem() }
            machine.links.append(link)
            return machine.world.addHost(
                named: name,
                configuration: own,
                bonds: bonds(),
                application: RemoteControllerService(service, link),
                toController: { link.send($0) }
            )
        }
        link.open(for: phone.device, on: WeakAir(live))
        return phone
    }
}
