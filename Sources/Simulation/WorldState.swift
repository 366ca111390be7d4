import RadioMedium
import VirtualTime

/// What the events of a world read and change, in one value: it is one stored property of its class.
struct WorldState {
    var now = Instant.zero
    var digest = TraceDigest()
    var transmissionCount = 0
    var tap: (any WorldTap)?

    var medium: Medium
    var queue = EventQueue<WorldEvent>()
    var devices = ArrivalTable<Device>()
    /// The device behind each radio, by the radio's place.
    var owners: [Device?] = []
    /// Events in the queue whose device has left, at most.
    var staleEvents = 0
    /// Actions that wait for their instant, by number.
    var scheduledActions: [UInt32: ScheduledAction] = [:]
    var actionCount: UInt32 = 0
    /// Filled at the end of a frame; kept for its storage.
    var deliveries: [Delivery] = []

    var stalls = StallWatch(limit: 100_000)
    /// How deep calls of `settle` are in one another.
    var exchangeDepth = 0
    /// Devices whose turn comes when the outermost of these calls is done.
    var awaitingExchange: [Device] = []
    /// Whether events are being handled.
    var isRunning = false

    init(medium: Medium) { self.medium = medium }

    /// Takes a frame off the air at its end; `deliveries` says who got it.
    mutating func endTransmission(_ id: TransmissionID) -> Transmission {
        deliveries.removeAll(keepingCapacity: true)
        return medium.end(id, into: &deliveries)
    }

    /// Takes the events of devices that have left out of the queue, when they may be half of it.
    mutating func dropStaleEvents() {
        guard staleEvents > 64, staleEvents > queue.count / 2 else { return }
        staleEvents = 0
        queue.removeAll { [devices, medium] event in
            switch event {
            case .wakeUp(let id): !devices.contains(id.arrival)
            case .listeningEnd(let radio, _): !medium.contains(radio)
            case .transmissionEnd, .action: false
            }
        }
    }
}
