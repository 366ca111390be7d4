public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// A central that takes orders: it scans, connects to several peers, and keeps what it has heard.
///
/// An order that has to be waited for takes a closure that is called once, when the answer is there.
public final class WorkbenchCentral: HostApplication {
    public typealias Answer<Value> = (Result<Value, Refusal>) -> Void

    public internal(set) var isUp = false
    /// Its identity address, under which others keep their bonds with it; nil before it has been up.
    public internal(set) var identity: DeviceAddress?
    public internal(set) var isScanning = false
    public internal(set) var sightings = DiscoveryCache()
    public internal(set) var links: [CentralLink] = []
    public internal(set) var log = OperationLog()
    /// Counts changes of anything above but the sightings, so that an observer knows when to look.
    public internal(set) var changeCount = 0
    /// The same of the sightings.
    public internal(set) var sightingCount = 0

    /// How often its page or another program has asked for it or given it an order, and when it last did.
    public private(set) var useCount = 0
    public private(set) var lastUse: Instant?

    /// Whether it is about to leave the world.
    var isRetiring = false
    var wantsToScan = false
    var connecting: ConnectionAttempt?
    var procedures: [ProcedureID: (entry: Int, answer: (ProcedureResult, Instant) -> Void)] = [:]
    var pairings: [ConnectionID: (entry: Int, answer: Answer<LinkSecurity>)] = [:]
    /// Services that have been found, and whose descriptions are still being read.
    var labellings: [Labelling] = []
    var nextLook: Instant?

    public init() {}

    /// Its page, or another program, is there.
    public func noteUse(at now: Instant) {
        useCount += 1
        lastUse = now
    }

    /// The peer that it is connecting to.
    public var target: DeviceAddress? { connecting?.peer }

    // MARK: HostApplication

    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    public var nextDeadline: Instant? { nextLook }

    /// Looks how strong the links are, twice a second.
    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let look = nextLook, look <= now else { return }
        for link in links { try? host.readRSSI(link.id, at: now, into: &actions) }
        nextLook = links.isEmpty ? nil : now + .milliseconds(500)
    }
}
