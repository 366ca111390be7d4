import BluethroatBluetoothValues
import BluethroatHost

typealias LinkIndex = TableIndex<CentralLink>

/// A connection to a peer, shared by the apps that want it.
struct CentralLink {
    let id: ConnectionID
    let peer: PeerIndex
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
    /// The sessions that wait for the signal strength, in order.
    var strengthRequests: [SessionID] = []
    var subscribers: [AttributeHandle: [SessionID]] = [:]
    /// Why the phone ends the connection, if not because the apps want it.
    var fault: ServiceFault?
    var isEnding = false

    var linkID: LinkID { LinkID(number: id.generation) }
}

extension CentralLink {
    func limits(window: Int) -> LinkLimits { LinkLimits(writeWithoutResponse: longestCommand, writeWindow: window) }

    /// Bytes in a write without response. No value is longer than 512. Core 6.0, Vol 3, Part F, 3.2.9.
    var longestCommand: Int { min(mtu - 3, 512) }

    /// Why it ended, for apps that did not want it.
    func fault(_ reason: ControllerError, hasKey: Bool) -> ServiceFault {
        if let fault { return fault }
        // A peer with another key does not understand what comes, and sends nothing any more.
        if hasKey, !isEncrypted, !isIncoming, reason.isSilence { return .local(.encryptionTimedOut) }
        return .local(LocalFault(loss: reason))
    }

    /// An app is not interested any more. Returns what no app wants to be sent now.
    @discardableResult
    mutating func dropEverything(of id: SessionID) -> [AttributeHandle] {
        jobs.removeAll { $0.session == id }
        unsent.removeAll { $0.session == id }
        let abandoned = subscribers.filter { $0.value == [id] }.map(\.key).sorted()
        for handle in subscribers.keys { subscribers[handle]?.removeAll { $0 == id } }
        return abandoned
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
