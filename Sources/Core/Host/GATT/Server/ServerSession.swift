import BluethroatBluetoothValues

/// What the server keeps for one client: its subscriptions, its prepared writes, what waits for the application, and
/// the indications it has still to be sent.
struct ServerSession {
    /// What a client that asked for robust caching knows of the database. Core 6.0, Vol 3, Part G, 2.5.2.1.
    enum Caching: Equatable {
        case aware
        case unaware
        /// Unaware, and has received the error or has read the hash: its next request makes it aware.
        case told
    }

    /// A request that waits for the application.
    struct Pending {
        /// The request itself, to be run again.
        var request: ATTPDU
        var number: UInt32
        /// The attribute whose value is awaited.
        var awaited: AttributeHandle
        var answers: [ReadAnswer]
        /// Values that the database keeps and takes together with those of the application.
        var kept: [KeptWrite]
        /// An attribute of these that was removed meanwhile; another one may have its handle.
        var staleHandle: UInt16?
    }

    /// What the application said about an attribute that a request reads.
    struct ReadAnswer {
        var handle: AttributeHandle
        var result: Result<[UInt8], ATTError>
    }

    struct KeptWrite {
        var handle: AttributeHandle
        var value: [UInt8]
    }

    struct Indication {
        var handle: AttributeHandle
        var value: [UInt8]
    }

    /// Requests of a client that does not wait for its answers; kept so that it gets them in order.
    static let waitingLimit = 4
    static let indicationLimit = 64

    /// By the slots of `GATTDatabase`; what is missing at the end is zero.
    private(set) var subscriptions: [UInt8] = []
    /// The slots that the client has set on this connection.
    private var configured: [Bool] = []
    var clientFeatures: UInt8 = 0
    var caching = Caching.aware

    var prepared: [PreparedWrite] = []
    var preparedBytes = 0
    /// An attribute of a prepared write that the database no longer has, or has no longer as it was.
    var staleHandle: UInt16?

    /// The longest PDU when the request under way came: its response keeps to that, should another be agreed on
    /// meanwhile. Core 6.0, Vol 3, Part F, 3.4.2.2.
    var mtu = ATTBearer.defaultMTU

    @BoxedIfAny var pending: Pending?
    var waiting: [[UInt8]] = []

    /// The first has been sent while `LinkTimer.confirmation` is armed.
    var indications: [Indication] = []

    init() {}

    @inline(__always)
    func subscription(slot: Int16) -> Subscription {
        let slot = Int(slot)
        return slot >= 0 && slot < subscriptions.count ? Subscription(rawValue: subscriptions[slot]) : []
    }

    /// Whether a slot that there is has one of these bits set.
    @inline(__always)
    func hasSubscribed(to kind: Subscription, slot: Int) -> Bool {
        slot < subscriptions.count && subscriptions[slot] & kind.rawValue != 0
    }

    mutating func subscribe(slot: Int16, to wanted: Subscription) {
        let slot = Int(slot)
        guard slot >= 0 else { return }
        if slot >= subscriptions.count {
            subscriptions.append(contentsOf: repeatElement(0, count: slot + 1 - subscriptions.count))
        }
        subscriptions[slot] = wanted.rawValue
    }

    /// The client has set something on this connection, which counts more than what it has set on an earlier one.
    mutating func noteConfigured(slot: Int16) {
        let slot = Int(slot)
        guard slot >= 0 else { return }
        if slot >= configured.count {
            configured.append(contentsOf: repeatElement(false, count: slot + 1 - configured.count))
        }
        configured[slot] = true
    }

    /// The slot's attribute is gone; another one may get the slot.
    mutating func forgetConfiguration(slot: Int16) {
        subscribe(slot: slot, to: [])
        if slot >= 0, Int(slot) < configured.count { configured[Int(slot)] = false }
    }

    /// Drops what waits to be indicated of attributes that are gone. The first one may be on its way already.
    mutating func dropIndications(in range: ClosedRange<AttributeHandle>, sparingFirst: Bool) {
        let sent = indications.prefix(sparingFirst ? 1 : 0)
        indications = sent + indications.dropFirst(sent.count).filter { !range.contains($0.handle) }
    }

    func isConfigured(slot: Int16) -> Bool { slot >= 0 && Int(slot) < configured.count && configured[Int(slot)] }

    /// The client asks for an error for handles that have become stale. Core 6.0, Vol 3, Part G, 7.2.
    var wantsRobustCaching: Bool { clientFeatures & 0x01 != 0 }
    var takesMultipleNotifications: Bool { clientFeatures & 0x04 != 0 }

    /// Whether values may be sent by the server itself.
    @inline(__always)
    var takesValues: Bool { caching == .aware || !wantsRobustCaching }

    mutating func forgetPrepared() {
        prepared.removeAll()
        preparedBytes = 0
        staleHandle = nil
    }
}
