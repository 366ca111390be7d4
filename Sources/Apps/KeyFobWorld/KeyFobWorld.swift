public import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
public import BluethroatKeyFobConsole
public import BluethroatLive
import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
public import BluethroatVirtualTime
import BluethroatWorkbench

/// What happens to a live key fob, in the order in which it happened.
public enum KeyFobWorldEvent: Sendable {
    /// The address of a fob is known that had none before.
    case named(DeviceAddress)
    /// What changed at one instant.
    case changed([FobNotice])
    /// A word was taken.
    case obeyed(KeyFobWord)
    /// Something was not done, and why.
    case failed(String, at: Instant)
    /// What the fob is drawn on has another width, in columns.
    case resized(width: Int)
    /// The session is asked to end.
    case askedToEnd
}

/// A live world whose first device is a key fob that takes words.
public final class KeyFobWorld: LiveSystem {
    /// Where the fob's radio is.
    enum Radio {
        /// On the world's own air, so many metres away from all other devices.
        case air(distance: Double)
        /// Behind HCI, elsewhere.
        case controller
    }

    public let session: LiveSession
    private let fob: any LiveFob
    private let place: Position
    private let identity: PersistentIdentity
    private let tell: (KeyFobWorldEvent) -> Void
    private var fobID: DeviceID?
    private var isNamed: Bool

    init(
        session: LiveSession,
        fob: FobChoice,
        distance: Double,
        identity: PersistentIdentity,
        tell: @escaping (KeyFobWorldEvent) -> Void
    ) {
        self.session = session
        self.fob = fob.make()
        place = .metres(x: distance)
        self.identity = identity
        self.tell = tell
        isNamed = !session.isOnController
    }

    /// - Parameters:
    ///   - fob: which of the two fobs it is.
    ///   - distance: how far it is from everything else, in metres; without a meaning on a controller elsewhere.
    ///   - identity: its bonds, and who it is to those it is bonded with.
    public convenience init(
        _ session: LiveSession,
        _ events: EventSink<KeyFobWorldEvent>,
        fob: FobChoice,
        distance: Double = 1,
        identity: PersistentIdentity = PersistentIdentity()
    ) {
        self.init(session: session, fob: fob, distance: distance, identity: identity) { event in
            switch event {
            case .failed(let message, let now): events.fail(message, at: now)
            case .askedToEnd: events.end()
            default: events.emit(event)
            }
        }
    }

    /// One whose secrets come from its seed, for tests.
    convenience init(
        seed: UInt64,
        fob: FobChoice,
        radio: Radio,
        captures: Captures?,
        tell: @escaping (KeyFobWorldEvent) -> Void
    ) {
        let distance: Double? = if case .air(let distance) = radio { distance } else { nil }
        let session = LiveSession(
            seed: seed,
            isOnController: distance == nil,
            captures: captures,
            drawsSecrets: false
        )
        self.init(
            session: session,
            fob: fob,
            distance: distance ?? 0,
            identity: PersistentIdentity(secret: nil),
            tell: tell
        )
    }

    /// Powers the fob up. Where its controller is elsewhere, `sink` takes the packets for it.
    func start(toController sink: @escaping ([UInt8]) -> Void = { _ in }) {
        session.toController = sink
        begin()
    }

    public func begin() {
        let id = fob.enter(session, identity: identity, at: place)
        fobID = id
        session.printedDevice = id
        workbench.register(id, as: .keyFob(fob), named: "key fob")
        settle()
    }

    // MARK: Words

    /// Does what was said, or reports why not.
    public func obey(_ item: KeyFobInput.Item) {
        switch item {
        case .error(let error): tell(.failed(error.description, at: world.now))
        case .word(let word): obey(word)
        case .timed(let time, let word):
            world.schedule(at: max(world.now, .zero + time)) { [weak self] _ in self?.obey(word) }
        }
        settle()
    }

    private func obey(_ word: KeyFobWord) {
        guard let fobID else { return }
        if word != .quit, workbench[fobID] == nil {
            return tell(.failed("the fob was taken out of the world at the control panel", at: world.now))
        }
        switch word {
        case .quit: return tell(.askedToEnd)
        case .distance(let metres):
            guard !session.isOnController else {
                return tell(.failed("on a real radio the fob has to be carried there", at: world.now))
            }
            workbench.move(fobID, to: .metres(x: metres))
        default: if let refusal = fob.obey(word, in: world) { return tell(.failed(refusal, at: world.now)) }
        }
        tell(.obeyed(word))
    }

    // MARK: What has changed

    public func ran() {
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
            guard let own = host.identity?.address, let kept = try? identity.bonds.bonds(of: own) else { return }
            let peers = Set(kept.map(\.peer))
            for bond in host.bonds where !peers.contains(bond.peer) {
                try? host.removeBond(bond.peer, at: now, into: &actions)
            }
        }
    }
}
