/// What the security manager wants done after it was told something, in this order. The caller owns the list, carries it
/// out, and empties it for the next call.
struct SecurityActions {
    enum Action {
        /// A PDU for L2CAP channel 0x0006, with `OutgoingPDU.headroom` free bytes in front of it.
        case send(ConnectionID, [UInt8])
        /// As central: encrypt the link with this key; EDIV and Rand are those of its identification.
        case startEncryption(ConnectionID, LongTermKey)
        case tell(PairingEvent)
    }

    var list: [Action] = []

    mutating func send(_ pdu: SMPPDU, on connection: ConnectionID) { list.append(.send(connection, pdu.buffer())) }

    mutating func tell(_ event: PairingEvent) { list.append(.tell(event)) }
}
