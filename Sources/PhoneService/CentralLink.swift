import BluetoothValues
import Host

/// A connection to a peer, shared by the apps that want it.
struct CentralLink {
    let id: ConnectionID
    let peer: Int
    /// The peer has made it, as a central: it is there without any app, and no app can end it.
    var isIncoming = false
    var mtu = 23
    /// Whether it is encrypted. The host sees to that by itself where there is a bond.
    var isEncrypted = false
    /// What is asked of the peer one after the other.
    var jobs: [LinkJob] = []
    /// What is being asked of it.
    var current: LinkJob?
    var step: LinkStep?
    /// Writes without response that the host had no room for.
    var unsent: [UnsentWrite] = []
    /// Who waits for the signal strength, in order.
    var strengthRequests: [SessionID] = []
    var subscribers: [AttributeHandle: [SessionID]] = [:]
    /// Why the phone ends the connection, if not because the apps want it.
    var fault: ServiceFault?
    var isEnding = false

    var linkID: LinkID { LinkID(number: id.generation) }
}

/// Something to be asked of a peer.
struct LinkJob {
    enum Work {
        case exchangeMTU
        case findServices
        /// Reads the Device Name.
        case readName
        /// Has the peer tell when its table changes.
        case watchServices
        /// Has the peer send a value no longer, since the last app has left that wanted it.
        case unsubscribe(AttributeHandle)
        case order(PeerCommand)
    }

    let work: Work
    /// Nil for what the phone does by itself.
    var session: SessionID?
    /// Whether the link was secured for it already.
    var wasSecured = false
    /// Of a job that opens a channel: why the first try failed.
    var refusedChannel: RefusedChannel?

    /// A peer did not open a channel for want of security.
    struct RefusedChannel {
        let fault: ServiceFault
        /// Whether the link was encrypted at that time.
        let wasEncrypted: Bool
    }

    init(work: Work, session: SessionID?) {
        self.work = work
        self.session = session
    }
}

/// What a job waits for.
enum LinkStep {
    case services(ProcedureID)
    case includes(ProcedureID, of: AttributeHandle)
    case characteristics(ProcedureID, of: AttributeHandle)
    case descriptors(ProcedureID, of: AttributeHandle)
    /// Its end.
    case last(ProcedureID)
    /// A key; until the pairing is over, or until the link is encrypted with the key of the bond.
    case security(isPairing: Bool)

    var procedure: ProcedureID? {
        switch self {
        case .services(let id), .includes(let id, _), .characteristics(let id, _), .descriptors(let id, _),
            .last(let id):
            id
        case .security: nil
        }
    }
}

struct UnsentWrite {
    let session: SessionID
    let handle: AttributeHandle
    let value: [UInt8]
}
