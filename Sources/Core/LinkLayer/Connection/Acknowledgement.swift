import BluethroatAirPackets

/// Sequence numbers of both directions: which PDU goes out, which one is expected. Core 6.0, Vol 6, Part B, 4.5.9.
struct Acknowledgement: Sendable {
    /// transmitSeqNum
    private(set) var sequenceNumber = false
    /// nextExpectedSeqNum
    private(set) var nextExpected = false

    /// What a header whose CRC was right says.
    ///
    /// - `isNew`: the PDU is not one we had before, and it is taken.
    /// - `acknowledges`: our last PDU has arrived.
    ///
    /// A new PDU that `hasRoom` turns down is not acknowledged, so that the peer sends it again: flow control.
    mutating func receive(_ header: DataHeader, hasRoom: Bool) -> (isNew: Bool, acknowledges: Bool) {
        let acknowledges = header.nextExpectedSequenceNumber != sequenceNumber
        if acknowledges { sequenceNumber.toggle() }
        let isNew = header.sequenceNumber == nextExpected && hasRoom
        if isNew { nextExpected.toggle() }
        return (isNew, acknowledges)
    }
}
