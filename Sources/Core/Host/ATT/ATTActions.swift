/// What the ATT layer asks its caller to do on one link after an input. The caller owns the lists, carries out what
/// they hold in order, and empties them for the next call.
struct ATTActions {
    /// PDUs for L2CAP channel 0x0004, each with `OutgoingPDU.headroom` free bytes in front of it. To be sent whatever stands in the connection's queue: a client that keeps to one request at a time never has
    /// more than a response, a request, an indication and a confirmation there at once.
    var outgoing: [[UInt8]] = []
    var events: [HostEvent] = []
    /// Signed Write Commands as they have come, opcode first, whose signatures are to be verified.
    var signedWrites: [[UInt8]] = []
    /// A transaction has timed out. Nothing but a new connection opens the bearer again, so the host is to disconnect.
    /// Core 6.0, Vol 3, Part F, 3.3.3.
    var hasTimedOut = false
    /// The client has set something that outlives the connection if there is a bond, or has come to know of a change of
    /// the database.
    var isClientChanged = false

    init() {}

    mutating func send(_ packet: consuming [UInt8]) { outgoing.append(packet) }
}
