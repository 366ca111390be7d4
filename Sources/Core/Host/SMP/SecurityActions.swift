/// What the Security Manager asks its caller to do on one link after an input, in this order. The caller owns the list,
/// carries it out, and empties it for the next call.
struct SecurityActions {
    enum Action {
        /// A PDU for L2CAP channel 0x0006, with `OutgoingPDU.headroom` free bytes in front of it.
        case send([UInt8])
        /// As central: encrypt the link with this key; EDIV and Rand are those of its identification.
        case startEncryption(LongTermKey)
        case emit(PairingEvent)
    }

    var list: [Action] = []

    mutating func send(_ pdu: SMPPDU) { list.append(.send(pdu.buffer())) }

    mutating func emit(_ event: PairingEvent) { list.append(.emit(event)) }
}
