/// What the ATT layer wants done after it was told something. The caller owns the lists, carries out what they hold
/// in order, and empties them for the next call.
struct ATTActions {
    /// A PDU for L2CAP channel 0x0004 of a connection, with `OutgoingPDU.headroom` free bytes in front of it.
    struct Outgoing {
        var connection: ConnectionID
        var packet: [UInt8]
    }

    /// To be sent whatever stands in the connection's queue: a client that keeps to one request at a time never has
    /// more than a response, a request, an indication and a confirmation there at once.
    var outgoing: [Outgoing] = []
    var events: [HostEvent] = []
    /// Connections on which a transaction has timed out. Nothing but a new connection opens their bearer again, so
    /// the host is to disconnect them. Core 6.0, Vol 3, Part F, 3.3.3.
    var timedOut: [ConnectionID] = []

    /// Signed writes whose signatures are to be verified.
    var signedWrites: [SignedWrite] = []
    /// Clients that have set something that outlives the connection if there is a bond, or have come to know of a
    /// change of the database.
    var changedClients: [ConnectionID] = []

    init() {}

    mutating func removeAll() {
        outgoing.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        timedOut.removeAll(keepingCapacity: true)
        signedWrites.removeAll(keepingCapacity: true)
        changedClients.removeAll(keepingCapacity: true)
    }

    mutating func send(_ packet: consuming [UInt8], on connection: ConnectionID) {
        outgoing.append(Outgoing(connection: connection, packet: packet))
    }
}

/// A Signed Write Command as it has come, opcode first.
struct SignedWrite {
    var connection: ConnectionID
    var pdu: [UInt8]
}
