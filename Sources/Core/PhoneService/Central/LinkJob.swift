import BluethroatBluetoothValues
import BluethroatHost

/// Something to be asked of a peer.
struct LinkJob {
    enum Work {
        case exchangeMTU
        case findServices
        /// Reads the Device Name.
        case readName
        /// Has the peer report when its table changes.
        case watchServices
        /// Has the peer send a value no longer, since the last app has left that wanted it.
        case unsubscribe(AttributeHandle)
        case command(PeerCommand)
    }

    let work: Work
    /// Nil for what the phone does by itself.
    var session: SessionID?
    /// Counts what apps order on the link.
    let number: UInt64
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

    init(work: Work, session: SessionID?, number: UInt64) {
        self.work = work
        self.session = session
        self.number = number
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

/// A write without response that has not gone to the host yet.
struct UnsentWrite {
    let session: SessionID
    /// Counts what apps order on the link.
    let number: UInt64
    let handle: AttributeHandle
    let value: [UInt8]
}
