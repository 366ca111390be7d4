import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// What the events of a world read and change, in one value: it is one stored property of its class.
struct WorldState {
    var now = Instant.zero
    var digest = TraceDigest()
    var transmissionCount = 0
    var tap: (any WorldTap)?

    var medium: Medium
    var queue = EventQueue<WorldEvent>()
    /// Nil but in a world that is a part of a larger one.
    var sharedAir: SharedAir?
    private(set) var listeningEnds = ListeningEnds()
    var devices = ArrivalTable<Device>()
    /// The device behind each radio, by the radio's place.
    var owners: [Device?] = []
    /// Events in the queue whose device has left, at most.
    var staleEvents = 0
    /// Actions that wait for their instant.
    var scheduledActions = ScheduledActions()
    /// The connection event whose frames go directly from one device to the other; nil while there is none.
    var direct: DirectEvent?
    /// Connection events that were computed at once, and that went directly, and the frames of the latter: see
    /// `World.beginConnectionEvent`.
    var emptyEventCount = 0
    var directEventCount = 0
    var directFrameCount = 0
    /// Advertising events that were computed at once: see `World.completeAdvertisingEvent`.
    var unheardEventCount = 0
    /// Filled at the end of a frame, emptied after it; kept for its storage.
    var deliveries: [Delivery] = []

    var stalls = StallWatch(limit: 100_000)
    /// How deep calls of `settle` are in one another.
    var exchangeDepth = 0
    /// Devices whose turn comes when the outermost of these calls is done.
    var awaitingExchange: [Device] = []
    /// Whether events are being handled.
    var isRunning = false
    /// Until then, nobody looks at the world between two of its events.
    var unseenUntil = Instant.zero

    init(medium: Medium) { self.medium = medium }

    /// When something happens next.
    var nextEventInstant: Instant? {
        guard let air = sharedAir?.nextInstant else { return nextOwnEventInstant }
        return min(air, nextOwnEventInstant ?? air)
    }

    private var nextOwnEventInstant: Instant? {
        let end = listeningEnds.first?.instant ?? .distantFuture, event = queue.nextInstant ?? .distantFuture
        let next = min(end, event, direct?.course.nextInstant ?? .distantFuture)
        return next == .distantFuture ? nil : next
    }

    /// Has a radio's listening end at an instant, unless it is over before.
    mutating func schedule(endOf radio: RadioID, generation: UInt32, at instant: Instant) {
        schedule(endOf: radio, generation: generation, at: instant, sequence: queue.takeSequence())
    }

    /// The same where its number among the events is known.
    mutating func schedule(endOf radio: RadioID, generation: UInt32, at instant: Instant, sequence: UInt64) {
        guard listeningEnds.takes(instant, at: now) else {
            return queue.schedule(.listeningEnd(radio, generation: generation), at: instant, sequence: sequence)
        }
        listeningEnds.append(.init(instant: instant, sequence: sequence, radio: radio, generation: generation))
    }

    /// Takes out the next event if it is not later than `limit`. At the same instant, what happens on a shared air comes
    /// before what devices do.
    mutating func popEvent(notAfter limit: Instant) -> (instant: Instant, event: WorldEvent)? {
        if let direct { return popEvent(notAfter: limit, beside: direct) }
        guard let due = sharedAir?.nextInstant, due <= limit else { return popOwnEvent(notAfter: limit) }
        return popOwnEvent(notAfter: due - .nanoseconds(1)) ?? (due, .sharedAir)
    }

    @inline(__always)
    private mutating func popOwnEvent(notAfter limit: Instant) -> (instant: Instant, event: WorldEvent)? {
        while let end = listeningEnds.first {
            guard medium.isWaiting(end.radio, generation: end.generation) else {
                listeningEnds.removeFirst()
                continue
            }
            if let next = queue.nextPlace, (next.instant, next.sequence) < (end.instant, end.sequence) { break }
            guard end.instant <= limit else { return nil }
            listeningEnds.removeFirst()
            return (end.instant, .listeningEnd(end.radio, generation: end.generation))
        }
        return queue.popFirst(notAfter: limit)
    }

    /// Where a radio is. Mutating, as is what follows, so that the medium is not copied for the call.
    mutating func position(of radio: RadioID) -> Position { medium.position(of: radio) }

    /// Nil if the radio has left.
    mutating func knownPosition(of radio: RadioID) -> Position? { medium.knownPosition(of: radio) }

    /// When the last frame ends that began on a channel since an instant, and near enough to a place.
    mutating func end(
        ofFramesOn channel: ChannelIndex,
        since start: Instant,
        within square: UInt64,
        of place: Position
    ) -> Instant? {
        medium.end(ofFramesOn: channel, since: start, within: square, of: place)
    }

    /// Takes a frame off the air at its end; `deliveries` says who got it.
    mutating func endTransmission(_ id: TransmissionID) -> Transmission {
        return medium.end(id, into: &deliveries)
    }

    mutating func endSharedTransmission(_ id: TransmissionID) -> (Transmission, from: Position?) {
        return medium.endShared(id, into: &deliveries)
    }

    /// Takes the events of devices that have left out of the queue, when they may be half of it.
    mutating func dropStaleEvents() {
        guard staleEvents > 64, staleEvents > queue.count / 2 else { return }
        staleEvents = 0
        queue.removeAll { [devices, medium] event in
            switch event {
            case .wakeUp(let id): !devices.contains(id.arrival)
            case .listeningEnd(let radio, _): !medium.contains(radio)
            case .transmissionEnd, .sharedAir, .action, .advertisement, .directFrameEnd, .directWakeUp: false
            }
        }
    }
}
