public import BluethroatHost
public import BluethroatLinkLayer
import BluethroatLiveLoop
import BluethroatLiveWorld
public import BluethroatPhoneService
import BluethroatPhones
public import BluethroatRadioMedium
public import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation

/// An air in real time, and every device on it: phones with apps, and others.
///
/// A thread of its own owns the world behind it. Everything here may be called on any thread but that one, and returns
/// when that thread has done it. The air lives as long as there is a reference to it, to one of its phones, or to an
/// app's environment.
public final class LiveAir: Sendable {
    /// Seconds from 1 January 2001 to the beginning of this air.
    public let startOfTime: Double = Date().timeIntervalSinceReferenceDate

    let live: LiveLoop<AirMachine>
    let seed: UInt64

    /// An air without devices. Its seed decides addresses and the shadows of the radio, not keys, which are drawn from
    /// the system.
    public init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed
        live = LiveLoop(AirMachine(seed: seed))
    }

    // MARK: Phones

    /// Puts a phone on the air.
    ///
    /// - Parameters:
    ///   - settings: what it is like; its name counts only if none is given here.
    ///   - host: how its host is configured; nil is as for every device, with secrets from the system.
    ///   - bonds: where its bonds are kept; nowhere if nothing is said.
    public func addPhone(
        named name: String,
        at position: Position = .origin,
        settings: PhoneSettings? = nil,
        host: HostConfiguration? = nil,
        bonds: @escaping @autoclosure @Sendable () -> any BondStore = MemoryBondStore()
    ) -> LivePhone {
        let settings = settingsInRealTime(settings, name)
        let limits = PacketLimits(settings)
        return addPhone(named: name, settings: settings) { machine, service in
            var own = limits.host(host, in: machine.world)
            if own.secret == nil { own.secret = .fromSystem() }
            var controller = machine.live.nextController
            limits.apply(to: &controller)
            return machine.world.addDevice(
                named: name,
                controller: controller,
                host: own,
                bonds: bonds(),
                at: position,
                application: service
            )
        }
    }

    /// `add` puts the phone's service into the world, on the world's thread.
    func addPhone(
        named name: String,
        settings: PhoneSettings,
        _ add: @escaping @Sendable (AirMachine, BluetoothService) -> DeviceID
    ) -> LivePhone {
        let signal = WakeSignal(WeakAir(live))
        let device = live.performAndWait { machine in
            let phone = Phone(
                named: name,
                in: machine.world,
                settings: settings,
                delivery: .queued,
                wake: { signal.raise() },
                add: { add(machine, $0) }
            )
            // As on Apple's systems: the log says what an app does wrong.
            phone.observer = { happening in
                if case .misused(let misuse) = happening { AirLog.warn(misuse.sentence, phone: name) }
            }
            machine.phones[phone.device] = phone
            return phone.device
        }
        return LivePhone(name: name, device: device, air: self)
    }

    func settingsInRealTime(_ settings: PhoneSettings?, _ name: String) -> PhoneSettings {
        var own = settings ?? PhoneSettings()
        if settings == nil { own.name = name }
        if own.startOfTime == 0 { own.startOfTime = startOfTime }
        own.replacesBonds = own.replacesBonds ?? false
        return own
    }

    // MARK: Others

    /// Puts another device on the air, which starts at once. Its application lives on the air's thread.
    @discardableResult
    public func addDevice(
        named name: String,
        at position: Position = .origin,
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil,
        bonds: @escaping @autoclosure @Sendable () -> any BondStore = MemoryBondStore(),
        application: @escaping @autoclosure @Sendable () -> any HostApplication
    ) -> DeviceID {
        live.performAndWait { machine in
            machine.world.addDevice(
                named: name,
                controller: controller ?? machine.live.nextController,
                host: host,
                bonds: bonds(),
                at: position,
                application: application()
            )
        }
    }

    /// Carries a device to another place.
    public func move(_ device: DeviceID, to position: Position) {
        live.performAndWait { $0.world.move(device, to: position) }
    }

    /// Takes a device away, in the middle of whatever it was doing.
    public func remove(_ device: DeviceID) {
        live.performAndWait { machine in
            machine.phones[device] = nil
            machine.world.remove(device)
        }
    }

    /// Does something to the world, on its thread, for which there is no method here.
    public func perform<Answer: Sendable, Failure: Error>(
        _ order: @escaping @Sendable (World) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try live.performAndWait { machine throws(Failure) in try order(machine.world) }
    }

    /// How many seconds pass on the air in one of real time; 1 unless this is called. Values are above 0.
    public func setSpeed(_ speed: Double) { live.setSpeed(speed) }

    // MARK: The end

    /// Ends it: phones on controllers elsewhere end their connections, to the apps there is no Bluetooth any more
    /// (`unsupported`), controllers elsewhere are reset and let go, and captures are complete.
    public func end() {
        endConnections()
        live.performAndWait { $0.end() }
    }
}
