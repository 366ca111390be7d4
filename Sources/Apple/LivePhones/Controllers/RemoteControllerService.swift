import BluethroatHCITransports
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime

/// A phone's service whose controller is elsewhere: it starts when the controller is there, not before.
final class RemoteControllerService: HostApplication {
    private let service: BluetoothService
    private let endpoint: HCIEndpoint
    private let complain: @Sendable (String) -> Void
    private weak var machine: AirMachine?

    init(
        _ service: BluetoothService,
        _ endpoint: HCIEndpoint,
        in machine: AirMachine,
        _ complain: @escaping @Sendable (String) -> Void
    ) {
        self.service = service
        self.endpoint = endpoint
        self.machine = machine
        self.complain = complain
    }

    private var isEnding: Bool { machine?.isEnding ?? true }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {}

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        guard !isEnding else { return }
        service.handle(event, host: host, at: now, into: &actions)
        switch event {
        case .startFailed(.controllerLost), .controllerFailed(.controllerLost): break
        case .startFailed(let failure):
            complain("there is no Bluetooth: \(endpoint) cannot be used: \(failure)")
        case .controllerFailed(let failure):
            complain("\(endpoint) has failed: \(failure); trying to restart it")
            // After an error of its own the host does that by itself.
            if case .hardwareError = failure { break }
            host.powerOn(at: now, into: &actions)
        default: break
        }
    }

    var nextDeadline: Instant? { isEnding ? nil : service.nextDeadline }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        service.expire(host: host, at: now, into: &actions)
    }
}

extension AirMachine {
    /// The link to a phone's controller is there, for the first time or again.
    func foundController(of device: DeviceID, isFirst: Bool) {
        guard let phone = phones[device] else { return }
        world.perform(on: device) { host, now, actions in
            if isFirst {
                phone.service.start(host: host, at: now, into: &actions)
            } else {
                host.powerOn(at: now, into: &actions)
            }
        }
    }

    /// The link to a phone's controller is no more.
    func loseController(of device: DeviceID) {
        world.perform(on: device) { host, now, actions in host.loseController(at: now, into: &actions) }
    }
}

extension Phone {
    /// There is no Bluetooth on this phone, or not any more.
    func losesBluetooth(in world: World) {
        world.perform(on: device) { host, now, actions in
            host.powerOff(at: now, into: &actions)
            service.handle(.startFailed(.controllerLost), host: host, at: now, into: &actions)
        }
    }
}
