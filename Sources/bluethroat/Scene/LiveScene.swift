import BluetoothCrypto
import BluetoothValues
import Host
import KeyFob
import LinkLayer
import LiveLoop
import RadioMedium
import Simulation
import Stage
import VirtualTime

/// A live world with a stage, captures, room for hosts from outside, and perhaps a controller elsewhere. Who plays in
/// it is its owner's business.
final class LiveScene {
    /// What the panel shows, and who is there.
    let stage: Stage
    let isVirtual: Bool
    /// Whether the first device runs on a controller elsewhere.
    let isOnController: Bool
    /// Takes the packets for that controller.
    var toController: ([UInt8]) -> Void = { _ in }
    /// A device whose notices somebody reads; those of other key fobs are seen at the panel only.
    var narrator: DeviceID?

    private let captures: Captures?
    private let drawsSecrets: Bool
    private var clients: [Int: DeviceID] = [:]
    private var first: DeviceID?

    private var world: World { stage.world }

    /// - Parameter drawsSecrets: whether keys are drawn from the system rather than from the seed, which is for tests.
    init(
        seed: UInt64,
        isOnController: Bool = false,
        isVirtual: Bool = false,
        captures: Captures? = nil,
        drawsSecrets: Bool = true
    ) {
        stage = Stage(seed: seed)
        stage.recorder = captures
        self.isVirtual = isVirtual
        self.isOnController = isOnController
        self.captures = captures
        self.drawsSecrets = drawsSecrets
        // The recorder stands where everybody is that nobody has placed.
        captures?.hearing = { [unowned world = stage.world] power, device in
            world.strength(of: power, from: device, at: .origin)
        }
        // The first device has this number; the captures want to know before it says its first word.
        captures?.loggedDevice = DeviceID(rawValue: 0)
    }

    /// A secret for another controller or host, where secrets do not come from the seed.
    var freshSecret: Block128? { drawsSecrets ? .fromSystem() : nil }

    // MARK: Devices

    /// Puts a device into the world, on the controller elsewhere if there is one and the device is the first. The caller
    /// casts it.
    func addDevice(
        named name: String,
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil,
        keeping: Keeping? = nil,
        at position: Position = .origin,
        application: any HostApplication
    ) -> DeviceID {
        let keeping = keeping ?? Keeping(secret: freshSecret)
        var host = host ?? HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        keeping.apply(to: &host)
        if isOnController, first == nil {
            first = world.nextID
            return world.addHost(
                named: name,
                configuration: host,
                bonds: keeping.bonds,
                application: application,
                toController: { [unowned self] in toController($0) }
            )
        }
        first = first ?? world.nextID
        let address = world.defaultAddress(of: world.nextID.rawValue)
        var configuration = controller ?? ControllerConfiguration(publicAddress: address)
        configuration.secret = keeping.freshSecret
        return world.addDevice(
            named: name,
            controller: configuration,
            host: host,
            bonds: keeping.bonds,
            at: position,
            application: application
        )
    }

    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? {
        let choice: FobChoice
        switch kind {
        case .hardware:
            var options = KeyFobOptions()
            // Whoever adds one wants to find it.
            options.advertisesAtStart = true
            choice = .hardware(options)
        case .phone:
            #if canImport(Phones)
                choice = .phone(PhoneFobOptions())
            #else
                return nil
            #endif
        }
        let another = choice.make(number: Int(world.nextID.rawValue))
        let id = another.enter(self, keeping: Keeping(secret: freshSecret), at: position)
        stage.cast(id, as: .keyFob(another), named: stage.freeName(name ?? "key fob"))
        return id
    }

    // MARK: Time

    /// Of real time: a world whose time is virtual does nothing by itself.
    var nextEventInstant: Instant? {
        guard !isVirtual else { return captures?.flushDeadline == nil ? nil : world.now }
        return [world.nextEventInstant, captures?.flushDeadline, stage.nextLook].compactMap { $0 }.min()
    }

    /// Whether time has passed.
    func run(until instant: Instant) -> Bool {
        if isVirtual { captures?.flush() } else { advance(to: instant) }
        return !isVirtual
    }

    func advance(by span: TimeSpan) { advance(to: world.now + span) }

    private func advance(to instant: Instant) {
        world.run(until: instant)
        if let flush = captures?.flushDeadline, flush <= instant { captures?.flush() }
    }

    /// Of key fobs that nobody reads.
    func forgetNotices() {
        for player in stage.players where player.id != narrator {
            if case .keyFob(let other as any LiveFob) = player.part { _ = other.takeNotices() }
        }
    }

    // MARK: Hosts from outside

    /// What a host sends. With its first packet it gets a controller of its own: one that only connects costs the world
    /// nothing.
    func receive(_ packets: [[UInt8]], from client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        if clients[client] == nil { attach(client, toHost: sink) }
        receive(packets, from: client)
    }

    func receive(_ packets: [[UInt8]], from client: Int) {
        guard let id = clients[client] else { return }
        for packet in packets { world.receive(hci: packet, for: id) }
    }

    func attach(_ client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        let address = world.defaultAddress(of: world.nextID.rawValue)
        var configuration = ControllerConfiguration(publicAddress: address)
        configuration.secret = freshSecret
        let name = stage.freeName("client \(client)")
        let id = world.addController(named: name, configuration: configuration, toHost: sink)
        clients[client] = id
        stage.cast(id, as: .client, named: name)
    }

    /// A host has gone, and its controller goes with it.
    func detach(_ client: Int) {
        if let id = clients.removeValue(forKey: client) { stage.remove(id) }
    }

    func receiveFromController(_ packets: [[UInt8]]) {
        guard isOnController, let first else { return }
        for packet in packets { world.receive(hci: packet, for: first) }
    }

    // MARK: The end

    func finish() {
        if isOnController, let first {
            world.perform(on: first) { host, now, actions in host.powerOff(at: now, into: &actions) }
        }
        captures?.close()
    }
}
