public import BluethroatBluetoothValues
public import BluethroatEvents
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
    /// Something of the central that words have brought into the world.
    case central(CentralNotice)
    /// Something of one of several fobs, the first being 1. Where there is one fob, this does not happen.
    indirect case of(fob: Int, KeyFobWorldEvent)
    /// Words without a number are for this one of several fobs from now on.
    case chosen(fob: Int)
}

/// A live world whose first devices are key fobs that take words; usually one.
public final class KeyFobWorld: LiveSystem {
    /// Where the fobs' radios are.
    enum Radio {
        /// On the world's own air, so many metres away from all other devices.
        case air(distance: Double)
        /// Behind HCI, elsewhere; of one fob alone.
        case controller
    }

    /// One of the fobs.
    private struct Member {
        let fob: any LiveFob
        let identity: PersistentIdentity
        var id: DeviceID?
    }

    public let session: LiveSession
    private let distance: Double
    private let tell: (KeyFobWorldEvent) -> Void
    private var members: [Member]
    private let addresses: [DeviceAddress]
    private let script: KeyFobScript?
    private var isNamed: Bool
    private lazy var central = FobCentral(workbench) { [unowned self] why, peer in
        tell(.failed(why, at: world.now), of: addresses.firstIndex(of: peer) ?? 0)
    }

    init(
        session: LiveSession,
        fob: FobChoice,
        distance: Double,
        identities: [PersistentIdentity],
        script: KeyFobScript? = nil,
        tell: @escaping (KeyFobWorldEvent) -> Void
    ) {
        precondition(identities.count == 1 || !session.isOnController, "a controller elsewhere is that of one fob")
        self.session = session
        self.distance = distance
        self.tell = tell
        members = identities.enumerated().map { Member(fob: fob.make(number: $0), identity: $1) }
        addresses = identities.indices.map { fob.address(number: $0) }
        self.script = script
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
        self.init(session, events, fob: fob, distance: distance, identities: [identity])
    }

    /// Several fobs of a kind, each with an address, keys and bonds of its own.
    ///
    /// - Parameters:
    ///   - distance: how far each is from the origin, where hosts from outside are, in metres. They lie in a circle.
    ///   - identities: the bonds of each, and who it is to those it is bonded with; one on a controller elsewhere.
    ///   - script: words with times, which are done from the beginning of the world on.
    public convenience init(
        _ session: LiveSession,
        _ events: EventSink<KeyFobWorldEvent>,
        fob: FobChoice,
        distance: Double = 1,
        identities: [PersistentIdentity],
        script: KeyFobScript? = nil
    ) {
        self.init(session: session, fob: fob, distance: distance, identities: identities, script: script) { event in
            switch event {
            case .failed(let message, let now): events.fail(message, at: now)
            case .askedToEnd: events.end()
            default: events.emit(event)
            }
        }
    }

    /// Fobs whose secrets come from their seed, for tests.
    convenience init(
        seed: UInt64,
        fob: FobChoice,
        count: Int = 1,
        radio: Radio,
        captures: Captures?,
        script: KeyFobScript? = nil,
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
            identities: (0..<count).map { _ in PersistentIdentity(secret: nil) },
            script: script,
            tell: tell
        )
    }

    /// Powers the fobs up. Where the controller is elsewhere, `sink` takes the packets for it.
    func start(toController sink: @escaping ([UInt8]) -> Void = { _ in }) {
        session.toController = sink
        begin()
    }

    public func begin() {
        for index in members.indices {
            let member = members[index]
            let id = member.fob.enter(session, identity: member.identity, at: Self.place(of: index, distance))
            members[index].id = id
            session.printedDevices.append(id)
            workbench.register(id, as: .keyFob(member.fob), named: hasSeveral ? "key fob \(index + 1)" : "key fob")
        }
        for item in script?.items ?? [] { take(item, of: 0) }
        settle()
    }

    private var hasSeveral: Bool { members.count > 1 }

    /// Tells something of a fob.
    private func tell(_ event: KeyFobWorldEvent, of index: Int) {
        tell(hasSeveral ? .of(fob: index + 1, event) : event)
    }

    /// Where a fob lies that is so far from the origin: each in a direction of its own, 40° from the next.
    private static func place(of index: Int, _ distance: Double) -> Position {
        // Written down rather than computed: sines differ between systems in their last bit.
        let directions = [
            (1, 0), (0.766, 0.643), (0.174, 0.985), (-0.5, 0.866), (-0.94, 0.342), (-0.94, -0.342), (-0.5, -0.866),
            (0.174, -0.985), (0.766, -0.643),
        ]
        let (x, y) = directions[index % directions.count]
        return .metres(x: x * distance, y: y * distance)
    }

    // MARK: Words

    /// Does what was said, or reports why not.
    public func obey(_ item: KeyFobInput.Item) {
        take(item, of: 0)
        settle()
    }

    private func take(_ item: KeyFobInput.Item, of index: Int) {
        switch item {
        case .error(let error): tell(.failed(error.description, at: world.now))
        case .word(let word): obey(word, index)
        case .timed(let time, let word):
            world.schedule(at: max(world.now, .zero + time)) { [weak self] _ in self?.obey(word, index) }
        case .of(let fob, let item):
            guard members.indices.contains(fob - 1) else {
                return tell(.failed("there is no fob \(fob); they are 1 to \(members.count)", at: world.now))
            }
            take(item, of: fob - 1)
        case .chosen(let fob): tell(.chosen(fob: fob))
        }
    }

    private func obey(_ word: KeyFobWord, _ index: Int) {
        let member = members[index]
        guard let id = member.id else { return }
        if word == .quit {
            // What has happened until now is told before the end.
            tellChanges()
            return tell(.askedToEnd)
        }
        guard workbench[id] != nil else {
            return tell(.failed("the fob was taken out of the world at the control panel", at: world.now), of: index)
        }
        switch word {
        case .distance(let metres):
            guard !session.isOnController else {
                return tell(.failed("on a real radio the fob has to be carried there", at: world.now), of: index)
            }
            workbench.move(id, to: Self.place(of: index, metres))
        case .central(let order):
            guard !session.isOnController else {
                return tell(
                    .failed("on a real radio centrals are real, too; leave central out", at: world.now),
                    of: index
                )
            }
            central.obey(order, with: addresses[index])
        default:
            if let refusal = member.fob.obey(word, in: world) {
                return tell(.failed(refusal, at: world.now), of: index)
            }
        }
        tell(.obeyed(word), of: index)
    }

    // MARK: What has changed

    public func ran() {
        if !isNamed, let id = members[0].id,
            let identity = world.perform(on: id, { host, _, _ in host.identity }) ?? nil
        {
            isNamed = true
            tell(.named(identity.address))
        }
        tellChanges()
    }

    public func close(then end: @escaping (OperationFailure?) -> Void) {
        tellChanges()
        end(nil)
    }

    /// Something that has changed.
    private enum Change {
        case fob(FobNotice)
        case central(CentralNotice)

        var time: Instant {
            switch self {
            case .fob(let notice): notice.time
            case .central(let notice): notice.time
            }
        }
    }

    /// Tells what has changed since this was called last, in the order in which it changed.
    private func tellChanges() {
        var changes: [(index: Int, change: Change)] = []
        for (index, member) in members.enumerated() {
            let notices = member.fob.takeNotices()
            guard !notices.isEmpty else { continue }
            if notices.contains(where: { if case .fob(.connected) = $0.change { true } else { false } }) {
                forgetRemovedBonds(of: member)
            }
            changes += (notices + member.fob.takeNotices()).map { (index, .fob($0)) }
        }
        for notice in session.isOnController ? [] : central.takeNotices() {
            changes.append((addresses.firstIndex(of: notice.peer) ?? 0, .central(notice)))
        }
        // Those of one instant in the order of the fobs; what a central knows comes after what its fob knows.
        let order = changes.indices.sorted { (changes[$0].change.time, $0) < (changes[$1].change.time, $1) }
        tellAll(order.map { changes[$0] })
    }

    /// What one fob says in a row is one event.
    private func tellAll(_ changes: [(index: Int, change: Change)]) {
        var waiting: (index: Int, notices: [FobNotice]) = (0, [])
        func tellThose() {
            if !waiting.notices.isEmpty { tell(.changed(waiting.notices), of: waiting.index) }
            waiting.notices = []
        }
        for (index, change) in changes {
            switch change {
            case .fob(let notice):
                if index != waiting.index { tellThose() }
                waiting.index = index
                waiting.notices.append(notice)
            case .central(let notice):
                tellThose()
                tell(.central(notice), of: index)
            }
        }
        tellThose()
    }

    /// A bond that another process has removed from the file, `bluethroat bonds remove` most likely, is no bond any
    /// more. A file that cannot be read now says nothing about that, and those with centrals of the workbench are in no file.
    private func forgetRemovedBonds(of member: Member) {
        guard let id = member.id else { return }
        world.perform(on: id) { host, now, actions in
            guard let own = host.identity?.address, let kept = try? member.identity.bonds.bonds(of: own) else { return }
            let peers = Set(kept.map(\.peer))
            for bond in host.bonds where !peers.contains(bond.peer) && !workbench.hasCentral(identity: bond.peer) {
                try? host.removeBond(bond.peer, at: now, into: &actions)
            }
        }
    }
}
