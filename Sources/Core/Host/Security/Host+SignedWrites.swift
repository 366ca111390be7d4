internal import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues
internal import BluethroatByteCoding
public import BluethroatVirtualTime

/// Signed writes, for links that are not encrypted: LE security mode 2. Core 6.0, Vol 3, Part C, 10.2.2 and 10.4.
extension Host {
    /// Writes a value, signed with the key that the peer was given when the bond was made; the result is not reported.
    /// It has to fit into a PDU, in 15 bytes less than the MTU. Over an encrypted link, which proves the same, it goes
    /// as an ordinary write command (Core 6.0, Vol 3, Part G, 4.9.2).
    ///
    /// - Returns: false if nothing was sent since the queue is full; `readyToSend` then reports when it is not.
    public func writeSigned(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.writeSigned(value, connection, handle, at: now, into: &actions)
        }
    }
}
