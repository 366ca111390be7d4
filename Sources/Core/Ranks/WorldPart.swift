import BluethroatAirPackets
public import BluethroatBluetoothValues
import BluethroatByteCoding
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime

/// One rank's part of a world: its devices, and the frames of other ranks' devices that matter to them.
///
/// A device stays with its rank wherever it walks; what walks with it is what its rank is told. Each rank tells the others
/// in which squares of a grid its devices are, and is told of frames that begin there or as near as a signal matters. All
/// ranks run through the same windows of time: from the instant at which something happens next, anywhere, for as long as
/// nothing in it can have a consequence on the air. docs/decisions/219-ranks.md
///
/// What comes of it follows from the seed and the devices alone: not from how many ranks there are, nor from which device
/// is where.
public final class WorldPart {
    /// How far consequences come after what happened on the air, and so how long a window is: the inter frame space.
    public static let window = TimeSpan.microseconds(150)
    /// How far a device may move at once, or within `shortestWalk`, in millimetres.
    public static let longestStep: Int64 = 30_000
    /// How fast a device may walk, in metres a second, that moves once a second: its place is in whole millimetres, and the last
    /// step before the end of a run may come right after another one.
    public static let fastestWalk = 29.0
    /// Longer than any frame and a window.
    private static let shortestWalk = TimeSpan.milliseconds(20)

    public let world: World
    public let ranks: any Ranks
    public private(set) var costs = PartCosts()
    private let loudest: SignalStrength
    private let keenest: SignalStrength
    /// Where devices are, and where those are that listen to advertisements.
    private var habitat: Habitat
    private var listeningPlaces: Habitat
    private var listeners: Set<DeviceID> = []
    /// By rank: where frames matter, and, in a crowd's air, where advertisements do.
    private var interests: [Interest]
    private var listeningInterests: [Interest]
    private var neighbours: [Int] = []
    /// Whether that is so of any two ranks, so that what each tells its neighbours is told to all.
    private var areAllNeighbours = false
    /// Where devices were that have moved, and when.
    private var origins: [DeviceID: (instant: Instant, place: Position)] = [:]
    private var failure: RankFailure?

    /// - Parameters:
    ///   - air: whether every frame is computed, or of advertisements only those that may be heard: see `AirMode`.
    ///   - loudest: the greatest power with which any device sends; one that sends with more ends the run.
    ///   - keenest: the weakest signal that any device can follow, if that is weaker than the propagation's sensitivity; one
    ///     that can follow a weaker one ends the run.
    public init(
        seed: UInt64,
        propagation: Propagation = Propagation(),
        ranks: any Ranks,
        air: AirMode = .exact,
        loudest: SignalStrength = SignalStrength(dBm: 0),
        keenest: SignalStrength? = nil
    ) {
        world = World(seed: seed, propagation: propagation, air: air)
        world.shareAir(delay: Self.window, loudest: loudest, keenest: keenest)
        self.ranks = ranks
        self.loudest = loudest
        self.keenest = min(keenest ?? propagation.sensitivity, propagation.sensitivity)
        // A frame that began before a device took two steps, one at the end of such a time and one after it, matters still.
        let reach = propagation.interferenceReach(of: loudest, heardBy: keenest)
        habitat = Habitat(reach: reach.map { $0 + 2 * Self.longestStep })
        // One who listens may ask another as far away as it hears, who is disturbed by what is as far again.
        let hearing = propagation.hearingReach(of: loudest, heardBy: keenest)
        listeningPlaces = Habitat(
            reach: reach.flatMap { reach in hearing.map { $0 + reach + 2 * Self.longestStep } }
        )
        interests = Array(repeating: Interest(), count: ranks.count)
        listeningInterests = interests
        world.admitListeners { [weak self] in self?.listeners.contains($0) ?? true }
    }

    /// Adds a device that belongs to this rank. Its number is that of the whole world, where no other device has it.
    ///
    /// Devices are there before the first run: the other ranks do not tell one that comes later of frames that began before
    /// they know of it, so that it may hear another thing on another number of ranks.
    ///
    /// - Parameter listens: whether it may ever scan, or connect to others. In a crowd's air the other ranks compute all that is
    ///   advertised near those who may, so that it is worth while to say of whom that is not so; one of these that does ends
    ///   the run.
    @discardableResult
    public func add(
        _ number: UInt32,
        at place: Position,
        listens: Bool = true,
        _ make: (World) -> DeviceID
    ) -> DeviceID {
        world.setNextNumber(number)
        // It may begin to listen as it is made.
        let expected = world.nextID
        if listens { listeners.insert(expected) }
        let id = make(world)
        precondition(id.rawValue == number && id == expected, "the device was added under another number")
        habitat.enter(place)
        if listens, world.air == .crowd { listeningPlaces.enter(place) }
        return id
    }

    /// Moves a device of this rank, at most `longestStep` within 20 ms: the others must be told in time where it is.
    /// One that moves further ends the run.
    public func move(_ id: DeviceID, to place: Position) {
        guard let before = world.position(of: id) else { return }
        if origins[id].map({ world.now - $0.instant > Self.shortestWalk }) ?? true { origins[id] = (world.now, before) }
        if let origin = origins[id]?.place, Self.distance(origin, place) > Self.longestStep {
            fail("\(id) has moved more than \(Self.longestStep / 1_000) m at once; move it in shorter steps")
        }
        habitat.enter(place)
        habitat.leave(before)
        if world.air == .crowd, listeners.contains(id) {
            listeningPlaces.enter(place)
            listeningPlaces.leave(before)
        }
        world.move(id, to: place)
    }

    /// Runs until the given instant, everything that happens at it included. All ranks call this with the same instant.
    public func run(until end: Instant) throws(RankFailure) {
        world.runExternalWork()
        var next: Instant?
        while true {
            let begin: Instant
            if let next { begin = next } else { begin = try agree() }
            guard begin <= end, begin < .distantFuture else { break }
            let last = min(begin.after(Self.window - .nanoseconds(1)), end)
            world.runEvents(until: last)
            if let stall = world.stall { fail("time stands still: \(stall)") }
            if world.keenest < keenest {
                fail("a device follows signals of \(world.keenest), and the world was made for \(keenest) at least")
            }
            if let (id, power) = world.overloudAdvertiser { failLoud(id, power) }
            if let id = world.unannouncedListener {
                fail("\(world.name(of: id) ?? "a device") listens, and was added as one that does not")
            }
            costs.windows += 1
            next = try exchangeEvents()
        }
        world.runEvents(until: end)
    }

    /// When the next window begins: when something happens next, anywhere. All ranks call this together.
    private func agree() throws(RankFailure) -> Instant {
        while true {
            // What fails here must be known to all before anybody waits for a message.
            if let failure { throw failure }
            let outlook = outlook
            let least = try ranks.least([outlook.next.nanoseconds, outlook.hasGrown ? 0 : 1])
            guard least[1] == 0 else { return Instant(nanoseconds: least[0]) }
            // Advertisers may be elsewhere in what they do afterwards.
            try tellInterests()
        }
    }

    /// A fingerprint of the whole world: the same however many ranks there are. All ranks call this together.
    public func digest() throws(RankFailure) -> UInt64 { try ranks.sum([world.partDigest])[0] }

    // MARK: What ranks tell each other

    private func tellInterests() throws(RankFailure) {
        let bytes = habitat.interest().bytes + listeningPlaces.interest().bytes
        let all = try ranks.share(bytes)
        count(messages: ranks.count - 1, bytes: bytes.count * (ranks.count - 1))
        let old = (neighbours: neighbours, everything: interests, listening: listeningInterests)
        for (other, bytes) in all.enumerated() {
            do {
                var span = bytes.span.bytes
                interests[other] = try Interest(parsing: &span)
                listeningInterests[other] = try Interest(parsing: &span)
                try span.expectEnd()
            } catch { throw misunderstood(other, error) }
        }
        neighbours = (0..<ranks.count).filter { $0 != ranks.rank && interests[$0].meets(interests[ranks.rank]) }
        areAllNeighbours =
            neighbours.count == ranks.count - 1
            && interests.indices.allSatisfy { one in
                interests[..<one].allSatisfy { $0.meets(interests[one]) }
            }
        guard world.air == .crowd else { return }
        let areas = neighbours.flatMap { other in
            let isNew = !old.neighbours.contains(other)
            return habitat.areas(of: interests[other], without: isNew ? Interest() : old.everything[other])
                + listeningPlaces.areas(
                    of: listeningInterests[other],
                    without: isNew ? Interest() : old.listening[other]
                )
        }
        world.tellAdvertisements(
            where: { [weak self] place in self?.isToBeTold(from: place) ?? false },
            newIn: areas
        )
    }

    private func isToBeTold(from place: Position) -> Bool {
        neighbours.contains { advertisement(from: place, concerns: $0) }
    }

    /// Whether an advertisement in a crowd's air matters to a device of another rank: as a signal that it may receive, or as
    /// interference with a frame that it receives or with a request to it.
    private func advertisement(from place: Position, concerns other: Int) -> Bool {
        interests[other].contains(habitat.square(of: place))
            || listeningInterests[other].contains(listeningPlaces.square(of: place))
    }

    private var outlook: Outlook {
        // What was done between two runs is told in a window that begins now.
        Outlook(
            next: world.hasUntoldEvents ? world.now : world.nextEventInstant ?? .distantFuture,
            hasGrown: habitat.hasGrown || world.air == .crowd && listeningPlaces.hasGrown
        )
    }

    /// Tells the neighbours what has happened, and hears what has happened there.
    ///
    /// - Returns: when the next window begins, if all ranks know it by then; else they have to agree on it. Nothing that is heard
    ///   here comes before that: it is on the sender's own air, and so in what that one expects next.
    private func exchangeEvents() throws(RankFailure) -> Instant? {
        let events = world.takeEvents()
        var outlook = outlook
        var letters = [[UInt8]](repeating: outlook.bytes, count: ranks.count)
        for item in events {
            if case .frame(let transmission, _) = item {
                costs.ownFrames += 1
                if transmission.power > loudest {
                    failLoud(DeviceID(rawValue: transmission.radio.rawValue), transmission.power)
                }
            }
            guard !neighbours.isEmpty else { continue }
            var bytes: [UInt8] = []
            item.write(to: &bytes)
            for other in neighbours where concerns(item, other) { letters[other] += bytes }
        }
        if let failure { throw failure }
        for other in neighbours {
            try ranks.send(letters[other], to: other)
            count(messages: 1, bytes: letters[other].count)
        }
        for other in neighbours {
            let letter = try ranks.receive(from: other)
            do { outlook = outlook.joined(with: try read(letter)) } catch { throw misunderstood(other, error) }
        }
        return areAllNeighbours && !outlook.hasGrown ? outlook.next : nil
    }

    /// A frame that is broken off is told to all who may have been told of it.
    private func concerns(_ event: AirEvent, _ other: Int) -> Bool {
        guard case .frame(let transmission, let place) = event else { return true }
        if world.air == .crowd, transmission.isAdvertisement {
            return advertisement(from: place, concerns: other)
        }
        return interests[other].contains(habitat.square(of: place))
    }

    private func read(_ letter: [UInt8]) throws(DecodeError) -> Outlook {
        var bytes = letter.span.bytes
        let outlook = try Outlook(parsing: &bytes)
        guard outlook.next >= world.now else {
            throw .invalidValue(field: "next instant", value: Int(outlook.next.nanoseconds))
        }
        while bytes.byteCount > 0 {
            let event = try AirEvent(parsing: &bytes)
            guard event.instant + Self.window > world.now else {
                throw .invalidValue(field: "instant of event", value: Int(event.instant.nanoseconds))
            }
            if case .frame = event { costs.heardFrames += 1 }
            world.hear(event)
        }
        return outlook
    }

    private func count(messages: Int, bytes: Int) {
        costs.messages += messages
        costs.bytes += bytes
    }

    // MARK: Failures

    private func fail(_ reason: String) {
        failure = failure ?? RankFailure(rank: ranks.rank, of: ranks.count, reason)
    }

    private func failLoud(_ id: DeviceID, _ power: SignalStrength) {
        fail("\(world.name(of: id) ?? "a device") sends with \(power), and the world was made for \(loudest) at most")
    }

    private func misunderstood(_ other: Int, _ error: DecodeError) -> RankFailure {
        RankFailure(rank: ranks.rank, of: ranks.count, "it did not understand rank \(other): \(error)")
    }

    private static func distance(_ first: Position, _ second: Position) -> Int64 {
        func square(_ difference: Int64) -> Double { Double(difference) * Double(difference) }
        let sum =
            square(Int64(first.x) - Int64(second.x)) + square(Int64(first.y) - Int64(second.y))
            + square(Int64(first.z) - Int64(second.z))
        return Int64(sum.squareRoot().rounded(.up))
    }
}

extension Transmission {
    fileprivate var isAdvertisement: Bool {
        channel.isAdvertising && frame.count >= AirFrame.payloadOffset
            && AirFrame.advertisingHeader(of: frame).type.isAdvertisement
    }
}
