import BluethroatListening

/// The time that a client of a port has for its packets. Used on the channel's thread.
final class PacketTiming {
    private let connection: AcceptedConnection
    private var hasSpoken = false
    /// Whether the time of an unfinished packet runs.
    private var isRunning = true

    init(_ connection: AcceptedConnection) { self.connection = connection }

    /// Bytes have come.
    ///
    /// - Parameters:
    ///   - packets: how many packets they have completed.
    ///   - isMidPacket: whether there is the beginning of one more.
    func heard(packets: Int, isMidPacket: Bool) {
        if packets > 0, !hasSpoken {
            hasSpoken = true
            connection.keep()
        }
        guard hasSpoken else { return }
        if !isMidPacket {
            pause()
        } else if !isRunning || packets > 0 {
            isRunning = true
            connection.expect(within: connection.limits.message)
        }
    }

    /// The owner has enough, and the client is not read: it cannot finish anything.
    func pause() {
        guard hasSpoken, isRunning else { return }
        isRunning = false
        connection.takeYourTime()
    }
}
