import BluethroatPhones
public import BluethroatSimulation
import BluethroatVirtualTime

/// Where a simulated peripheral is: the air of a test, or one in real time, whose thread is the only one that touches it.
protocol PeripheralHome {
    /// Does something there. What a peripheral's own closures do is there already.
    func enter<Answer>(_ action: @escaping () -> Answer) -> Answer

    /// The world, for who is there; nil if it is no more.
    var world: World? { get }

    /// Does something when so much time has passed.
    func after(_ span: Duration, _ action: @escaping () -> Void)
}

/// The air of a test, which runs its peripherals on the test's thread. It keeps them, not the other way round.
struct TestHome: PeripheralHome {
    weak var air: Air?

    func enter<Answer>(_ action: @escaping () -> Answer) -> Answer { action() }

    var world: World? { air?.world }

    func after(_ span: Duration, _ action: @escaping () -> Void) { air?.after(span) { _ in action() } }
}

/// An air in real time.
struct RunnerHome: PeripheralHome {
    weak var runner: (any WorldRunner)?
    weak var world: World?

    func enter<Answer>(_ action: @escaping () -> Answer) -> Answer {
        guard let runner, !runner.isOnWorldsThread else { return action() }
        return runner.carryOut { _ in action() }
    }

    func after(_ span: Duration, _ action: @escaping () -> Void) {
        enter {
            guard let world else { return }
            world.schedule(at: max(world.now, world.now.advanced(by: span))) { _ in action() }
        }
    }
}

extension WorldRunner {
    /// Puts a simulated peripheral on an air in real time; it advertises at once. The same object as on the air of a test,
    /// and it may be used on any thread; what it calls (`onRead`, `onWrite`) it calls on the air's. It lives as long as the
    /// air, unless it is removed.
    @discardableResult
    public func add<Peripheral: SimulatedPeripheral>(_ peripheral: Peripheral, at place: Place = .near) -> Peripheral {
        carryOut { [self] world in
            let id = world.nextID
            var (controller, host) = (peripheral.limits.controller(in: world), peripheral.host(in: world))
            configure(&controller, &host)
            peripheral.arrive(in: RunnerHome(runner: self, world: world), as: id)
            world.extensionStorage { KeptPeripherals() }.all.append(peripheral)
            let faults = world.extensionStorage { FaultyDevices() }
            faults.desk.setSilence = { [unowned world] device, isSilent in
                for other in world.deviceIDs where other != device {
                    world.setLoss(isSilent ? .always : .never, from: device, to: other)
                    world.setLoss(isSilent ? .always : .never, from: other, to: device)
                }
            }
            let application = faults.stand(before: peripheral.machine, of: peripheral.name, in: world)
            peripheral.faulty = faults.applications[id]
            world.addDevice(
                named: peripheral.name,
                controller: controller,
                host: host,
                at: place.position,
                application: application
            )
        }
        return peripheral
    }

    /// Moves a device at once. What it was connected to finds out by silence.
    public func move(_ device: some AirDevice, to place: Place) {
        let id = device.device
        carryOut { $0.move(id, to: place.position) }
    }

    /// Takes a device off the air for good, in the middle of whatever it was doing.
    public func remove(_ peripheral: SimulatedPeripheral) {
        let id = peripheral.device
        carryOut { world in
            world.remove(id)
            world.extensionStorage { KeptPeripherals() }.all.removeAll { $0 === peripheral }
            peripheral.leave()
        }
    }
}

/// Peripherals live as long as the world that they are in, or until they are removed.
private final class KeptPeripherals {
    var all: [SimulatedPeripheral] = []
}
