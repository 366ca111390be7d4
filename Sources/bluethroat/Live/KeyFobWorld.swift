import BluetoothValues
import Host
import KeyFob
import KeyFobConsole
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
    case resized(width: Int)
    /// Somebody wants the command to end.
    case askedToEnd
}

/// A live world whose first device is a key fob that takes words.
final class KeyFobWorld: SceneOwner {
    /// Where the fob's radio is.
    enum Radio {
        /// On the world's own air, so many metres away from everybody else.
        case air(distance: Double)
        /// Behind HCI, elsewhere.
        case controller
    }

    let scene: LiveScene
    private let fob: any LiveFob
    private let place: Position
    private let keeping: Keeping
    private let tell: (KeyFobHappening) -> Void
    private var fobID: DeviceID?
    private var isNamed: Bool

    init(
        scene: LiveScene,
        fob: FobChoice,
        distance: Double,
        keeping: Keeping,
        tell: @escaping (KeyFobHappening) -> Void
    ) {
        self.scene = scene
        self.fob = fob.make()
        place = .metres(x: distance)
        self.keeping = keeping
        self.tell = tell
        isNamed = !scene.isOnController
    }

    /// One whose secrets come from its seed, for tests.
    convenience init(
        seed: UInt64,
        fob: FobChoice,
        radio: Radio,
        captures: Captures?,
        tell: @escaping (KeyFobHappening) -> Void
    ) {
        let distance: Double? = if case .air(let distance) = radio { distance } else { nil }
        let scene = LiveScene(
            seed: seed,
            isOnController: distance == nil,
            captures: captures,
            drawsSecrets: false
        )
        self.init(scene: scene, fob: fob, distance: distance ?? 0, keeping: Keeping(), tell: tell)
    }

    /// Powers the fob up. Where its controller is elsewhere, `sink` takes the packets for it.
    func start(toController sink: @escaping ([UInt8]) -> Void = { _ in }) {
        scene.toController = sink
        begin()
    }

    func begin() {
        let id = fob.enter(scene, keeping: keeping, at: place)
        fobID = id
        scene.narrator = id
        stage.cast(id, as: .keyFob(fob), named: "key fob")
        settle()
    }

    // MARK: Words

    func obey(_ item: KeyFobInput.Item) {
        switch item {
        case .error(let error): tell(.failed(error.description, at: world.now))
        case .word(let word): obey(word)
        }
        settle()
    }

    private func obey(_ word: KeyFobWord) {
        guard let fobID else { return }
        if word != .quit, stage[fobID] == nil {
            return tell(.failed("the fob was taken out of the world at the control panel", at: world.now))
        }
        switch word {
        case .quit: return tell(.askedToEnd)
        case .distance(let metres):
            guard !scene.isOnController else {
                return tell(.failed("on a real radio the fob has to be carried there", at: world.now))
            }
            stage.move(fobID, to: .metres(x: metres))
        default: if let refusal = fob.obey(word, in: world) { return tell(.failed(refusal, at: world.now)) }
        }
        tell(.obeyed(word))
    }

    // MARK: News

    func ran() {
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
