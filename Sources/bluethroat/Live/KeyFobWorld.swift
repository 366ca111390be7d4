import BluetoothCrypto
import BluetoothValues
import ControlPanel
import HCITransports
import Host
import KeyFob
import KeyFobConsole
import LinkLayer
import LiveLoop
import RadioMedium
import Simulation
import Stage
import VirtualTime

/// What a live key fob has to tell, in the order in which it happened.
enum KeyFobHappening: Sendable {
    /// The address of a fob is known that had none before.
    case named(DeviceAddress)
    case changed([FobNotice])
    /// A word was taken.
    case obeyed(KeyFobWord)
    /// Something was not done, and why.
    case failed(String, at: Instant)
    /// Something that somebody should know, and that stops nothing.
    case warned(String)
    /// The control panel can be opened there.
    case panelServed(String)
    /// A client of the HCI port did what ended its link.
    case clientLost(peer: String, HCITransportEnd)
    /// The link to the fob's controller is no more.
    case controllerLost(HCITransportEnd, at: Instant)
    case resized(width: Int)
    /// Somebody wants the command to end.
    case askedToEnd
}

/// A world with a key fob in it and room for hosts from outside, as a machine that a live loop can run.
final class KeyFobWorld: StageOwner {
    /// Where the fob's radio is.
    enum Radio {
        /// On the world's own air, so many metres away from everybody else.
        case air(distance: Double)
        /// Behind HCI, elsewhere.
        case controller
    }

    /// What a live fob has from outside of its world.
    struct Keeping {
        /// Where its bonds are kept.
        var bonds: any BondStore = MemoryBondStore()
        /// Who it is to those it is bonded with; its address counts where the controller has none of its own.
        var identity: LocalIdentity?
        /// What keys are drawn from; nil draws them from the seed, which is for tests.
        var secret: Block128?

        /// A secret for a controller.
        var freshSecret: Block128? { secret.map { _ in .fromSystem() } }
    }

    private let seed: UInt64
    private let keeping: Keeping
    /// What the panel shows, and who else is there.
    let stage: Stage
    let isVirtual: Bool
    private var world: World { stage.world }
    private let fob: any LiveFob
    private let radio: Radio
    private let captures: Captures?
    private let tell: (KeyFobHappening) -> Void
    private var fobID: DeviceID?
    private var clients: [Int: DeviceID] = [:]
    private var isNamed: Bool
    private let captureEpoch = Captures.epochNow

    init(
        seed: UInt64,
        fob: FobChoice,
        radio: Radio,
        keeping: Keeping = Keeping(),
        captures: Captures?,
        isVirtual: Bool = false,
        tell: @escaping (KeyFobHappening) -> Void
    ) {
        self.seed = seed
        stage = Stage(seed: seed)
        stage.recorder = captures
        self.isVirtual = isVirtual
        // The recorder stands with everybody else, the fob's distance away from it.
        captures?.hearing = { [unowned world = stage.world] power, device in
            world.strength(of: power, from: device, at: .origin)
        }
        self.fob = fob.make()
        self.radio = radio
        self.keeping = keeping
        self.captures = captures
        self.tell = tell
        isNamed = if case .air = radio { true } else { false }
    }

    /// Powers the fob up. Where its controller is elsewhere, `sink` takes the packets for it.
    func start(toController sink: @escaping ([UInt8]) -> Void = { _ in }) {
        // The first device has this number; the captures want to know before it says its first word.
        captures?.loggedDevice = DeviceID(rawValue: 0)
        let arrival = FobArrival(seed: seed, radio: radio, keeping: keeping, toController: sink)
        let id = fob.enter(world, arrival)
        fobID = id
        stage.cast(id, as: .keyFob(fob), named: "key fob")
        sayWhatChanged()
    }

    // MARK: Time

    var present: Instant { world.now }

    /// Of real time: a world whose time is virtual does nothing by itself.
    var nextEventInstant: Instant? {
        guard !isVirtual else { return captures?.flushDeadline == nil ? nil : world.now }
        return [world.nextEventInstant, captures?.flushDeadline, stage.nextLook].compactMap { $0 }.min()
    }

    func run(until instant: Instant) {
        if isVirtual { captures?.flush() } else { advance(to: instant) }
    }

    private func advance(to instant: Instant) {
        world.run(until: instant)
        if let flush = captures?.flushDeadline, flush <= instant { captures?.flush() }
        sayWhatChanged()
    }

    // MARK: Hosts from outside

    /// A host has come; it gets a controller of its own.
    func attach(_ client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        let address = world.defaultAddress(of: world.nextID.rawValue)
        var configuration = ControllerConfiguration(publicAddress: address)
        configuration.secret = freshSecret
        let name = stage.freeName("client \(client)")
        let id = world.addController(named: name, configuration: configuration, toHost: sink)
        clients[client] = id
        stage.cast(id, as: .client, named: name)
    }

    /// A secret for a controller, where secrets do not come from the seed.
    private var freshSecret: Block128? { keeping.freshSecret }

    func receive(_ packets: [[UInt8]], from client: Int) {
        guard let id = clients[client] else { return }
        for packet in packets { world.receive(hci: packet, for: id) }
        sayWhatChanged()
    }

    /// A host has gone, and its controller goes with it.
    func detach(_ client: Int) {
        if let id = clients.removeValue(forKey: client) { stage.remove(id) }
    }

    // MARK: The fob's own controller, where it is elsewhere

    func receiveFromController(_ packets: [[UInt8]]) {
        guard let fobID else { return }
        for packet in packets { world.receive(hci: packet, for: fobID) }
        sayWhatChanged()
    }

    // MARK: Words

    func obey(_ item: KeyFobInput.Item) {
        switch item {
        case .error(let error): tell(.failed(error.description, at: world.now))
        case .word(let word): obey(word)
        }
        sayWhatChanged()
    }

    private func obey(_ word: KeyFobWord) {
        guard let fobID else { return }
        if word != .quit, stage[fobID] == nil {
            return tell(.failed("the fob was taken out of the world at the control panel", at: world.now))
        }
        switch word {
        case .quit: return tell(.askedToEnd)
        case .distance(let metres):
            guard case .air = radio else {
                return tell(.failed("on a real radio the fob has to be carried there", at: world.now))
            }
            stage.move(fobID, to: .metres(x: metres))
        default: if let refusal = fob.obey(word, in: world) { return tell(.failed(refusal, at: world.now)) }
        }
        tell(.obeyed(word))
    }

    // MARK: The panel

    func advance(by span: TimeSpan) { advance(to: world.now + span) }

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
        let arrival = FobArrival(
            seed: seed,
            radio: .air(distance: 0),
            keeping: Keeping(secret: keeping.freshSecret),
            toController: { _ in }
        )
        let id = another.enter(world, arrival)
        stage.cast(id, as: .keyFob(another), named: stage.freeName(name ?? "key fob"))
        stage.move(id, to: position)
        return id
    }

    /// The terminal shows one fob; what the others have to say is seen at the panel.
    private func forgetOtherNotices() {
        for player in stage.players where player.id != fobID {
            if case .keyFob(let other as any LiveFob) = player.part { _ = other.takeNotices() }
        }
    }

    func capture() -> [UInt8] {
        var recorder = CaptureRecorder(epoch: captureEpoch)
        for packet in stage.air.all {
            recorder.record(
                frame: packet.transmission.frame,
                channel: packet.transmission.channel,
                phy: packet.transmission.phy,
                signal: packet.transmission.power,
                from: packet.device.rawValue,
                at: packet.transmission.start
            )
        }
        return recorder.takeBytes()
    }

    // MARK: The end

    /// Closes the captures; a controller elsewhere is left silent.
    func finish() {
        if case .controller = radio, let fobID {
            world.perform(on: fobID) { host, now, actions in host.powerOff(at: now, into: &actions) }
        }
        captures?.close()
    }

    private func sayWhatChanged() {
        if !isNamed, let fobID,
            let identity = world.perform(on: fobID, { host, _, _ in host.identity }) ?? nil
        {
            isNamed = true
            tell(.named(identity.address))
        }
        stage.ran()
        forgetOtherNotices()
        let notices = fob.takeNotices()
        guard !notices.isEmpty else { return }
        if notices.contains(where: { if case .fob(.connected) = $0.change { true } else { false } }) {
            forgetRemovedBonds()
        }
        tell(.changed(notices + fob.takeNotices()))
    }

    /// A bond that another process has removed from the file, `bluethroat bonds remove` most likely, is no bond any
    /// more. A file that cannot be read now says nothing about that.
    private func forgetRemovedBonds() {
        guard let fobID else { return }
        world.perform(on: fobID) { host, now, actions in
            guard let own = host.identity?.address, let kept = try? keeping.bonds.bonds(of: own) else { return }
            let peers = Set(kept.map(\.peer))
            for bond in host.bonds where !peers.contains(bond.peer) {
                try? host.removeBond(bond.peer, at: now, into: &actions)
            }
        }
    }
}
