import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
package import BluethroatEvents
package import BluethroatHCITransports
public import BluethroatHost
import BluethroatKeyFob
public import BluethroatLinkLayer
package import BluethroatLiveLoop
import BluethroatLiveWorld
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
public import BluethroatWorkbench

/// A live world that the control panel shows, with captures, room for hosts from outside, and perhaps a controller
/// elsewhere. Which devices are in it is the business of its system.
public final class LiveSession {
    /// What the panel shows, and the devices.
    public let workbench: Workbench
    /// Whether time passes only on command.
    public let isVirtual: Bool
    /// Whether the first device runs on a controller elsewhere.
    public let isOnController: Bool
    /// Where a host finds a controller on this air; nil where there is no port.
    package var hciEndpoint: HCIEndpoint?
    /// Takes the packets for that controller.
    package var toController: ([UInt8]) -> Void = { _ in }
    /// The devices whose notices are printed; those of other key fobs are seen at the panel only.
    package var printedDevices: [DeviceID] = []

    /// How many packets hosts outside have sent, and been sent by their controllers in the world.
    package private(set) var hostPacketCount = 0

    /// Why what was recorded is not whole, after `finish`; nil if it is, or if nothing was.
    package private(set) var captureFailure: OperationFailure?

    private let live: LiveWorld
    private var first: DeviceID?

    private var world: World { workbench.world }

    /// - Parameters:
    ///   - seed: what the world's randomness begins with.
    ///   - captures: what records the world.
    ///   - drawsSecrets: whether keys are drawn from the system rather than from the seed, which is for tests.
    package init(
        seed: UInt64,
        isOnController: Bool = false,
        isVirtual: Bool = false,
        captures: Captures? = nil,
        drawsSecrets: Bool = true
    ) {
        let workbench = Workbench(seed: seed)
        self.workbench = workbench
        self.isVirtual = isVirtual
        self.isOnController = isOnController
        live = LiveWorld(workbench.world, drawsSecrets: drawsSecrets) { [unowned workbench] in workbench.recorder = $0 }
        // The recorder stands where devices without a position are.
        captures?.hearing = { [unowned world = workbench.world] power, device in
            world.strength(of: power, from: device, at: .origin)
        }
        // The first device has this number; the captures want to know before it says its first word.
        captures?.loggedDevice = DeviceID(rawValue: 0)
        live.captures = captures
    }

    // MARK: Devices

    /// Puts a device into the world, on the controller elsewhere if there is one and the device is the first. The caller
    /// puts it on the workbench.
    ///
    /// - Parameters:
    ///   - controller: what its controller is like; nil is as for every device.
    ///   - host: how its host is configured; nil is as for every device.
    ///   - identity: its bonds and its identity, if it has some that outlive the session.
    public func addDevice(
        named name: String,
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil,
        identity: PersistentIdentity? = nil,
        at position: Position = .origin,
        application: any HostApplication
    ) -> DeviceID {
        let identity = identity ?? PersistentIdentity(secret: live.freshSecret)
        var host = host ?? HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        identity.apply(to: &host)
        let bonds = SessionBondStore(identity.bonds) { [unowned workbench] in workbench.hasCentral(identity: $0) }
        if isOnController, first == nil {
            first = world.nextID
            return world.addHost(
                named: name,
                configuration: host,
                bonds: bonds,
                application: application,
                toController: { [unowned self] in toController($0) }
            )
        }
        first = first ?? world.nextID
        var configuration = controller ?? live.nextController
        configuration.secret = identity.freshSecret
        return world.addDevice(
            named: name,
            controller: configuration,
            host: host,
            bonds: bonds,
            at: position,
            application: application
        )
    }

    /// Puts one more key fob into the world and on the workbench.
    public func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? {
        let choice: FobChoice
        switch kind {
        case .hardware:
            var options = KeyFobOptions.described()
            // A fob that was just added can be found.
            options.advertisesAtStart = true
            choice = .hardware(options)
        case .phone: choice = .phone(PhoneFobOptions())
        }
        let another = choice.make(number: Int(world.nextID.rawValue))
        let id = another.enter(self, identity: PersistentIdentity(secret: live.freshSecret), at: position)
        workbench.register(id, as: .keyFob(another), named: workbench.freeName(name ?? "key fob"))
        return id
    }

    // MARK: Time

    /// Of real time: a world whose time is virtual does nothing by itself.
    package var nextEventInstant: Instant? {
        guard !isVirtual else { return live.captures?.flushDeadline == nil ? nil : world.now }
        return [live.nextEventInstant, workbench.nextLook].compactMap { $0 }.min()
    }

    /// Whether time has passed.
    package func run(until instant: Instant) -> Bool {
        if isVirtual { live.captures?.flush() } else { advance(to: instant) }
        return !isVirtual
    }

    /// Lets time pass, as fast as it can.
    public func advance(by span: TimeSpan) { advance(to: world.now.after(span)) }

    /// Lets time pass until a host outside has been sent a packet, but no longer than `span`. Returns what is left of it:
    /// zero if all has passed, or if the world has stalled.
    package func advanceToHostPacket(within span: TimeSpan) -> TimeSpan {
        let end = world.now.after(span)
        let count = hostPacketCount
        let isHeard = world.run(for: end - world.now) { hostPacketCount != count }
        live.flushCaptures(at: world.now)
        return isHeard ? end - world.now : .zero
    }

    private func advance(to instant: Instant) {
        world.run(until: instant)
        live.flushCaptures(at: instant)
    }

    /// Of key fobs whose notices are not printed.
    package func forgetNotices() {
        for entry in workbench.entries where !printedDevices.contains(entry.id) {
            if case .keyFob(let other as any LiveFob) = entry.role { _ = other.takeNotices() }
        }
    }

    // MARK: Hosts from outside

    /// What a host outside sends, which has a controller of its own in the world.
    package func receive(_ packets: [[UInt8]], from client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        hostPacketCount += packets.count
        live.receive(packets, from: client) { addController(of: client, toHost: sink) }
    }

    /// What a host sends that has a controller.
    package func receive(_ packets: [[UInt8]], from client: Int) {
        hostPacketCount += packets.count
        live.receive(packets, from: client)
    }

    /// Gives a host a controller before it has sent anything.
    package func attach(_ client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        live.attach(client, to: addController(of: client, toHost: sink))
    }

    private func addController(of client: Int, toHost sink: @escaping ([UInt8]) -> Void) -> DeviceID {
        let name = workbench.freeName("client \(client)")
        let id = world.addController(named: name, configuration: live.nextController) { [weak self] packet in
            self?.hostPacketCount += 1
            sink(packet)
        }
        workbench.register(id, as: .client, named: name)
        return id
    }

    /// A host has gone, and its controller goes with it: when it has ended its connections, or `silently` at once.
    package func detach(_ client: Int, silently: Bool = false) {
        live.detach(client, silently: silently) { [weak self] in self?.workbench.remove($0) }
    }

    package func receiveFromController(_ packets: [[UInt8]]) {
        guard isOnController, let first else { return }
        for packet in packets { world.receive(hci: packet, for: first) }
    }

    /// Everything is there that was asked for: files that are recorded into begin anew, also if little happens at first.
    func beginRecording() { live.captures?.begin() }

    /// The session does not come about.
    func discardRecording() { live.captures?.discard() }

    // MARK: The end

    /// Ends what the host on a controller elsewhere has with others, so that peers hear at once that it goes. To be called again
    /// until there is nothing of it any more, since apps may begin anew.
    package func endConnections() -> Bool {
        guard isOnController, !isVirtual, let first else { return true }
        return world.perform(on: first) { host, now, actions in
            for connection in host.openConnections { try? host.disconnect(connection.id, at: now, into: &actions) }
            guard !host.openConnections.isEmpty else { return true }
            try? host.stopAdvertising(at: now, into: &actions)
            try? host.cancelConnect(at: now, into: &actions)
            return false
        } ?? true
    }

    /// Completes the captures; a controller elsewhere is left silent.
    package func finish() {
        if isOnController, let first {
            world.perform(on: first) { host, now, actions in host.powerOff(at: now, into: &actions) }
        }
        let captures = live.captures
        live.close()
        captureFailure = captures?.failure.map { OperationFailure("\($0)") }
    }
}
