/// The controller's room for ACL data packets, shared by all connections. Core 6.0, Vol 4, Part E, 4.1.1.
///
/// A connection may use more than one buffer only while every other connection that uses none could still have one:
/// a peer that has gone out of range does not block others.
struct ControllerBuffers {
    /// The longest data of one packet, in bytes.
    let packetLength: Int
    /// Buffers that are free.
    private(set) var free: Int
    /// Open connections that hold no buffer.
    private(set) var idleConnections = 0

    init(packetLength: Int, count: Int) {
        self.packetLength = packetLength
        free = count
    }

    /// Whether a connection that holds `inFlight` buffers may take another.
    func allows(inFlight: Int) -> Bool { inFlight == 0 ? free > 0 : free > idleConnections }

    mutating func opened() { idleConnections += 1 }

    /// A connection that held `inFlight` buffers is gone, and its packets with it.
    mutating func closed(inFlight: Int) {
        if inFlight == 0 { idleConnections -= 1 } else { free += inFlight }
    }

    /// Takes a buffer for a connection.
    mutating func take(inFlight: inout Int) {
        if inFlight == 0 { idleConnections -= 1 }
        inFlight += 1
        free -= 1
    }

    /// The controller has completed `count` packets of a connection; more than it held are none.
    mutating func release(_ count: Int, inFlight: inout Int) {
        let released = min(count, inFlight)
        guard released > 0 else { return }
        inFlight -= released
        free += released
        if inFlight == 0 { idleConnections += 1 }
    }
}
