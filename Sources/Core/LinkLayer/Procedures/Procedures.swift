import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime

/// The Link Layer control procedures of one connection: at most one of our own at a time, others waiting behind it, and
/// at most one of the peer's beside it. Core 6.0, Vol 6, Part B, 5.1.
///
/// What the connection does next follows from them; see `Connection.goOn`.
struct Procedures: Sendable {
    /// How long a procedure may take. 5.2.
    static let responseTimeout = TimeSpan.seconds(40)

    private(set) var local: LocalProcedure?
    private(set) var remote: RemoteProcedure?
    /// What takes effect at an instant; one such change at a time.
    private(set) var change: ChangeAtInstant?
    /// One of each kind at most, and so never more than there are kinds.
    private(set) var waiting: [ProcedureRequest] = []
    var features: FeatureSets
    var versions: VersionSets

    init(features: FeatureSets, version: VersionIndication) {
        self.features = features
        versions = VersionSets(own: version)
    }

    // MARK: Ours

    /// Whether a procedure may begin now.
    func mayBegin(_ kind: ProcedureKind) -> Bool {
        local == nil && !isAnsweringEncryption && !(kind.hasInstant && (change != nil || hasAnsweredForInstant))
    }

    /// Whether the peer has our answer to a request of its that ends at an instant, which it has still to set. 5.3.
    private var hasAnsweredForInstant: Bool {
        switch remote {
        case .phyUpdate: true
        case .connectionParameterRequest(let answer): answer.isAccepted
        default: false
        }
    }

    /// The next procedure that may begin, which waits no longer.
    mutating func takeNext() -> ProcedureRequest? {
        guard !waiting.isEmpty, let index = waiting.firstIndex(where: { mayBegin($0.kind) }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Puts a procedure off until others are over. One of each kind waits at most, the newest: of channel maps no other
    /// is of interest, and what could differ otherwise is refused before, to the host or to the peer.
    mutating func wait(for request: ProcedureRequest) {
        if let index = waiting.firstIndex(where: { $0.kind == request.kind }) {
            waiting[index] = request
        } else {
            waiting.append(request)
        }
    }

    /// The host has its answer, before the procedure could begin or after the link began to be terminated.
    mutating func withdraw(_ kind: ProcedureKind) {
        waiting.removeAll { $0.kind == kind }
        if case .termination(var termination) = local {
            termination.withdraw(kind)
            local = .termination(termination)
        }
    }

    mutating func begin(_ procedure: LocalProcedure) { local = procedure }

    mutating func finishLocal() { local = nil }

    /// Whether a procedure is under way or waits, or was under way when the link began to be terminated.
    func isAsked(for kind: ProcedureKind) -> Bool {
        if let local {
            if local.kind == kind { return true }
            if case .termination(let termination) = local, termination.interrupted == kind { return true }
        }
        return waiting.contains { $0.kind == kind }
    }

    var isTerminating: Bool { if case .termination = local { true } else { false } }

    // MARK: The peer's

    /// The peer begins a procedure, or goes on with one. It gives up the one before by that, but for the termination.
    mutating func begin(_ procedure: RemoteProcedure) { if !isPeerTerminating { remote = procedure } }

    mutating func finishRemote() { if !isPeerTerminating { remote = nil } }

    var isPeerTerminating: Bool { if case .termination = remote { true } else { false } }

    /// Why the peer ends the link.
    var peerTerminates: FailureCode? { if case .termination(let reason) = remote { reason } else { nil } }

    /// What the host hears when the link ends while either side terminates it.
    var terminationReason: FailureCode? { isTerminating ? .connectionTerminatedByLocalHost : peerTerminates }

    // MARK: At an instant

    mutating func plan(_ change: ChangeAtInstant.Change, at instant: UInt16) {
        self.change = ChangeAtInstant(change: change, instant: instant)
    }

    /// The change that takes effect at an event, which waits no longer.
    mutating func takeChange(at counter: UInt16) -> ChangeAtInstant.Change? {
        guard let change, change.instant == counter else { return nil }
        self.change = nil
        return change.change
    }

    /// Why a request of the peer's that ends at an instant cannot be granted beside what is under way; nil if it can.
    /// Of two sides that begin at once the central goes on. 5.3.
    func collision(with kind: ProcedureKind, as role: ConnectionRole) -> FailureCode? {
        if let change { return change.kind == kind ? .linkLayerProcedureCollision : .differentTransactionCollision }
        guard role == .central else { return nil }
        // A peer asks again when it has its answer. What it asked for before still waits for its turn.
        if kind == .connectionUpdateForPeer, waiting.contains(where: { $0.kind == kind }) {
            return .linkLayerProcedureCollision
        }
        guard let local, local.kind.hasInstant else { return nil }
        return local.kind.changes(like: kind) ? .linkLayerProcedureCollision : .differentTransactionCollision
    }

    // MARK: Bounds

    /// How many procedures may wait: one of each kind that a role has, but for the termination, which waits for nothing.
    static func mostWaiting(as role: ConnectionRole) -> Int {
        switch role {
        // Of an update for the host and a request for parameters only one.
        case .central: ProcedureKind.allCases.count - 2
        // Neither connection updates, nor a channel map, nor encryption.
        case .peripheral: ProcedureKind.allCases.count - 5
        }
    }
}
