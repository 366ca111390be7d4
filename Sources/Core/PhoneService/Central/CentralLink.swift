import BluethroatBluetoothValues
import BluethroatHost

typealias LinkIndex = TableIndex<CentralLink>

/// A connection to a peer, shared by the apps that want it.
struct CentralLink {
    let id: ConnectionID
    let peer: PeerIndex
    /// The peer has made it, as a central: it is there without any app, and no app can end it.
    var isIncoming = false
    /// An app wants it, and the peer, which is bonded, was asked to show its key first.
    var isAskedForProof = false
    var mtu = 23
    /// Whether it is encrypted. The host sees to that by itself where there is a bond.
    var isEncrypted = false
    /// What is asked of the peer one after the other.
    var jobs: [LinkJob] = []
    /// What is being asked of it.
    var current: LinkJob?
    var step: LinkStep?
    /// Writes without response that wait for earlier orders of their app, or for room at the host.
    private(set) var unsent: [UnsentWrite] = []
    /// Whether the host had no room for a write, and has not said since that it has.
    private var isHostFull = false
    /// How many orders of apps there were.
    private var orders: UInt64 = 0
    /// The sessions that wait for the signal strength, in order.
    var strengthRequests: [SessionID] = []
    var subscribers: [AttributeHandle: [SessionID]] = [:]
    /// Why the phone ends the connection, if not because the apps want it.
    var fault: ServiceFault?
    var isEnding = false

    init(id: ConnectionID, peer: PeerIndex, isIncoming: Bool = false) {
        self.id = id
        self.peer = peer
        self.isIncoming = isIncoming
    }

    var linkID: LinkID { LinkID(number: id.generation) }
}

extension CentralLink {
    func limits(_ settings: PhoneSettings) -> LinkLimits {
        LinkLimits(
            writeWithoutResponse: longestCommand,
            writeWindow: settings.writeWindow,
            writeReadiness: settings.writeReadiness
        )
    }

    /// Bytes in a write without response. No value is longer than 512. Core 6.0, Vol 3, Part F, 3.2.9.
    var longestCommand: Int { min(mtu - 3, 512) }

    /// Why it ended, for apps that did not want it.
    func fault(_ reason: ControllerError, hasKey: Bool) -> ServiceFault {
        if let fault { return fault }
        // A peer with another key does not understand what comes, and sends nothing any more.
        if hasKey, !isEncrypted, !isIncoming, reason.isSilence { return .local(.encryptionTimedOut) }
        return .local(LocalFault(loss: reason))
    }

    // MARK: The order of what an app wants

    /// Something is to be asked of the peer, when everything before it has been.
    mutating func add(_ work: LinkJob.Work, for session: SessionID?, refused: LinkJob.RefusedChannel? = nil) {
        orders += 1
        var job = LinkJob(work: work, session: session, number: orders)
        job.refusedChannel = refused
        jobs.append(job)
    }

    /// Whether the services are to be looked for, and that has not begun.
    var isToFindServices: Bool {
        jobs.contains { job in
            if case .findServices = job.work { true } else { false }
        }
    }

    mutating func addWrite(_ value: [UInt8], to handle: AttributeHandle, for session: SessionID) {
        orders += 1
        unsent.append(UnsentWrite(session: session, number: orders, handle: handle, value: value))
    }

    /// Where the job stands that is next: the first whose app has no earlier write waiting. Nil if there is none, or if
    /// the peer is being asked something.
    var nextJob: Int? {
        guard current == nil, !isEnding, !jobs.isEmpty else { return nil }
        guard !unsent.isEmpty else { return 0 }
        var firstWrites: [SessionID: UInt64] = [:]
        for write in unsent where firstWrites[write.session] == nil { firstWrites[write.session] = write.number }
        return jobs.firstIndex { job in
            guard let session = job.session, let write = firstWrites[session] else { return true }
            return job.number < write
        }
    }

    /// Hands writes to `send`, in order, until it says no. One that follows a request of the same app waits until the
    /// request has been sent, not until it has been answered: no answer is expected of a command. Core 6.0, Vol 3,
    /// Part F, 3.3.2.
    mutating func sendWrites(_ send: (UnsentWrite) -> Bool) {
        // What stays as it is costs nothing: apps may write thousands of values in one go.
        guard !isHostFull else { return }
        var held: [SessionID] = []
        var kept: [UnsentWrite] = []
        var seen = 0
        for write in unsent {
            if held.contains(write.session) {
                kept.append(write)
            } else if isHeld(write) {
                held.append(write.session)
                kept.append(write)
            } else if !send(write) {
                isHostFull = true
                break
            }
            seen += 1
        }
        unsent.replaceSubrange(..<seen, with: kept)
    }

    /// The host has room again.
    mutating func hostIsReady() { isHostFull = false }

    /// Whether a request that its app has ordered before has not been sent.
    private func isHeld(_ write: UnsentWrite) -> Bool {
        current?.session == write.session && !isCurrentSent
            || jobs.contains { $0.session == write.session && $0.number < write.number }
    }

    /// Whether the last packet of what the peer is being asked has been sent.
    private var isCurrentSent: Bool {
        guard case .last? = step, case .command(let command)? = current?.work else { return false }
        switch command {
        // A longer value is written in several packets, each after the answer to the one before.
        case .write(_, let value), .writeDescriptor(_, let value): return value.count <= mtu - 3
        default: return true
        }
    }

    // MARK: Values that the peer sends by itself

    /// Those to whom a value goes: who subscribed, and who is subscribing. A peer may send its first value before it answers the
    /// order to send any.
    func listeners(to handle: AttributeHandle) -> [SessionID] {
        let sessions = subscribers[handle] ?? []
        guard let session = current?.session, orderedValues == handle, !sessions.contains(session) else {
            return sessions
        }
        return sessions + [session]
    }

    /// Of which characteristic the peer is being ordered to send values.
    private var orderedValues: AttributeHandle? {
        guard case .last? = step, case .command(.setNotifying(let handle, true))? = current?.work else { return nil }
        return handle
    }

    // MARK: Who leaves

    /// The connection is lost: nothing is asked or sent any more.
    mutating func dropEverything() {
        jobs = []
        current = nil
        step = nil
        unsent = []
    }

    /// An app is not interested any more. Returns what no app wants to be sent now.
    @discardableResult
    mutating func dropEverything(of id: SessionID) -> [AttributeHandle] {
        jobs.removeAll { $0.session == id }
        unsent.removeAll { $0.session == id }
        var abandoned = subscribers.filter { $0.value == [id] }.map(\.key)
        for handle in subscribers.keys { subscribers[handle]?.removeAll { $0 == id } }
        if current?.session == id {
            // The write has been sent, and no app hears of its answer any more.
            if let handle = orderedValues, subscribers[handle]?.isEmpty ?? true { abandoned.append(handle) }
            current?.session = nil
        }
        return abandoned.sorted()
    }

    /// No client hears any more what becomes of what an app has asked for. What it wants to be sent stays.
    mutating func dropCommands(of id: SessionID) {
        jobs.removeAll { $0.session == id }
        if current?.session == id { current?.session = nil }
        unsent.removeAll { $0.session == id }
    }
}

extension ControllerError {
    /// Whether nothing was heard of the peer for too long.
    fileprivate var isSilence: Bool { self == .connectionTimeout || self == .linkLayerResponseTimeout }
}
