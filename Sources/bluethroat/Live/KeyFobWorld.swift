import BluetoothCrypto
import BluetoothValues
import HCITransports
import Host
import KeyFob
import KeyFobConsole
import LinkLayer
import LiveLoop
import RadioMedium
import Simulation
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
    /// A client of the HCI port did what ended its link.
    case clientLost(peer: String, HCITransportEnd)
    /// The link to the fob's controller is no more.
    case controllerLost(HCITransportEnd, at: Instant)
    case resized(width: Int)
    /// Somebody wants the command to end.
    case askedToEnd
}

/// A world with a key fob in it and room for hosts from outside, as a machine that a live loop can run.
final class KeyFobWorld: TimedMachine {
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
    private let world: World
    private let fob: any LiveFob
    private let radio: Radio
    private let captures: Captures?
    private let tell: (KeyFobHappening) -> Void
    private var fobID: DeviceID?
    private var clients: [Int: DeviceID] = [:]
    private var isNamed: Bool

    init(
        seed: UInt64,
        fob: FobChoice,
        radio: Radio,
        keeping: Keeping = Keeping(),
        captures: Captures?,
        tell: @escaping (KeyFobHappening) -> Void
    ) {
        self.seed = seed
        world = World(seed: seed)
        world.tap = captures
        // The recorder stands with everybody else, the fob's distance away from it.
        captures?.hearing = { [unowned world] power, device in world.strength(of: power, from: device, at: .origin) }
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
        fobID = fob.enter(world, arrival)
        sayWhatChanged()
    }

    // MARK: Time

    var present: Instant { world.now }

    var nextEventInstant: Instant? {
        guard let flush = captures?.flushDeadline else { return world.nextEventInstant }
        return min(world.nextEventInstant ?? flush, flush)
    }

    func run(until instant: Instant) {
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
        clients[client] = world.addController(named: "client \(client)", configuration: configuration, toHost: sink)
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
        if let id = clients.removeValue(forKey: client) { world.remove(id) }
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
        switch word {
        case .quit: return tell(.askedToEnd)
        case .distance(let metres):
            guard case .air = radio else {
                return tell(.failed("on a real radio the fob has to be carried there", at: world.now))
            }
            world.move(fobID, to: .metres(x: metres))
        default: if let refusal = fob.obey(word, in: world) { return tell(.failed(refusal, at: world.now)) }
        }
        tell(.obeyed(word))
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
