import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatLinkLayer
public import BluethroatPhoneService
public import BluethroatPhones
public import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import CoreBluetooth

extension LiveSession {
    /// Puts a phone on the workbench, with a screen and keys for pairing. Apps on it are called back on the thread of the
    /// session; `AppClock.of(workbench.world)` is their clock.
    ///
    /// - Parameters:
    ///   - name: what the phone calls itself; on the workbench it gets a number if there is another of that name.
    ///   - position: where it is; nil is two metres beside the last one.
    ///   - settings: all but the name; what iOS does if nil. A bond is replaced only if they say so.
    ///   - identity: its bonds and its identity, if it has some that outlive the session.
    ///   - adjust: changes the host's configuration, how it pairs for instance.
    @discardableResult
    public func addPhone(
        named name: String,
        at position: Position? = nil,
        settings: PhoneSettings? = nil,
        controller: ControllerConfiguration? = nil,
        identity: PersistentIdentity? = nil,
        adjust: (inout HostConfiguration) -> Void = { _ in }
    ) -> Phone {
        let shown = workbench.freeName(name)
        var settings = settings ?? PhoneSettings()
        settings.name = name
        settings.replacesBonds = settings.replacesBonds ?? false
        var host = HostConfiguration(seed: workbench.world.seed, device: UInt64(workbench.world.nextID.rawValue))
        host.pairing.inputOutput = .keyboardDisplay
        adjust(&host)
        let place = position ?? .metres(x: 2 * Double(workbench.entries.count))
        let phone = Phone(named: shown, in: workbench.world, settings: settings, delivery: .inline, wake: {}) {
            service in
            addDevice(
                named: shown,
                controller: controller,
                host: host,
                identity: identity,
                at: place,
                application: service
            )
        }
        workbench.register(phone.device, as: .phone(PanelPhone(phone)), named: shown)
        return phone
    }
}

/// A phone as the workbench sees it.
final class PanelPhone: WorkbenchPhone {
    let phone: Phone

    init(_ phone: Phone) { self.phone = phone }

    func look(in world: World) -> PhoneLook {
        var look = PhoneLook()
        world.perform(on: phone.device) { host, _, _ in
            look.address = host.identity?.address
            look.links = host.openConnections.map { connection in
                PhoneLook.Link(
                    peer: connection.peer,
                    isCentral: connection.role == .central,
                    intervalMilliseconds: Double(connection.parameters.interval.span.nanoseconds) / 1e6,
                    isEncrypted: host.security(of: connection.id)?.isEncrypted ?? false
                )
            }
        }
        look.isPowered = phone.service.radio != .poweredOff
        look.isScreenOn = phone.isScreenOn
        look.apps = phone.apps.map { app in
            PhoneLook.App(number: Int(app.id.number), name: app.name, phase: PhoneLook.App.Phase(app.state))
        }
        return look
    }

    func setPower(_ isOn: Bool) { phone.switchPower(isOn) }

    func setScreen(_ isOn: Bool) {
        guard isOn != phone.isScreenOn else { return }
        if isOn { phone.unlock() } else { phone.lock() }
    }

    func bring(app number: Int, to phase: PhoneLook.App.Phase) -> Bool {
        guard phone.apps.indices.contains(number) else { return false }
        let app = phone.apps[number]
        switch phase {
        case .notRunning: break
        case .foreground: app.enterForeground()
        case .background:
            if app.state == .suspended || app.state == .background { break }
            if app.state.isRunning { app.enterBackground() } else { app.launchInBackground() }
        case .suspended:
            if !app.state.isRunning { app.launchInBackground() }
            app.suspend()
        case .terminated: app.terminate()
        case .forceQuit: app.forceQuit()
        }
        return true
    }
}

extension PhoneLook.App.Phase {
    package init(_ state: AppState) {
        self =
            switch state {
            case .notRunning: .notRunning
            case .foreground: .foreground
            case .background: .background
            case .suspended: .suspended
            case .terminated: .terminated
            case .forceQuit: .forceQuit
            }
    }
}
