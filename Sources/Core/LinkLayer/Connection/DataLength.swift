import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatVirtualTime

/// How long data PDUs may be, each side's preferences and what follows from them. Core 6.0, Vol 6, Part B, 4.5.10.
struct DataLength: Sendable {
    static let leastOctets: UInt16 = 27
    static let leastTime: UInt16 = 328
    static let mostOctets: UInt16 = 251
    /// Longest PDU on LE 1M with MIC: (251 + 4 + 10) bytes of 8 µs.
    static let mostTime: UInt16 = 2120

    /// connMaxTxOctets and connMaxTxTime, as our host has requested; they count once the peer has received them.
    private var localTransmitOctets: UInt16
    private var localTransmitTime: UInt16
    /// The most that this controller can, either way.
    private let mostOctets: UInt16
    /// Whether the peer has answered that it does not know the procedure.
    private(set) var isUnknownToPeer = false
    /// What is in force: connEffectiveMaxTxOctets, …MaxTxTime, …MaxRxOctets, …MaxRxTime.
    private(set) var effective = DataLengths(
        maximumReceiveOctets: leastOctets,
        maximumReceiveTime: leastTime,
        maximumTransmitOctets: leastOctets,
        maximumTransmitTime: leastTime
    )

    init(transmitOctets: UInt16, transmitTime: UInt16, mostOctets: UInt16 = Self.mostOctets) {
        self.mostOctets = mostOctets
        localTransmitOctets = min(transmitOctets, mostOctets)
        localTransmitTime = min(transmitTime, Self.mostTime)
    }

    /// What our host requests from now on.
    mutating func want(transmitOctets: UInt16, transmitTime: UInt16) {
        localTransmitOctets = min(transmitOctets, mostOctets)
        localTransmitTime = min(transmitTime, Self.mostTime)
    }

    mutating func noteUnknownToPeer() { isUnknownToPeer = true }

    /// What an LL_LENGTH_REQ or LL_LENGTH_RSP of ours says.
    var announced: DataLengths {
        DataLengths(
            maximumReceiveOctets: mostOctets,
            maximumReceiveTime: Self.mostTime,
            maximumTransmitOctets: localTransmitOctets,
            maximumTransmitTime: localTransmitTime
        )
    }

    /// Takes over the peer's limits, now that both sides have sent theirs; values below the least allowed count as the
    /// least (2.4.2.21).
    mutating func learn(_ remote: DataLengths) {
        effective = DataLengths(
            maximumReceiveOctets: min(mostOctets, max(remote.maximumTransmitOctets, Self.leastOctets)),
            maximumReceiveTime: min(Self.mostTime, max(remote.maximumTransmitTime, Self.leastTime)),
            maximumTransmitOctets: min(localTransmitOctets, max(remote.maximumReceiveOctets, Self.leastOctets)),
            maximumTransmitTime: min(localTransmitTime, max(remote.maximumReceiveTime, Self.leastTime))
        )
    }

    /// The most bytes one of our PDUs may carry on a PHY. A MIC counts for the time, not for the octets. 4.5.10.
    func transmitLimit(phy: PHY, isEncrypting: Bool) -> Int {
        let octets = Int(effective.maximumTransmitOctets), check = isEncrypting ? LinkEncryptor.integrityCheckLength : 0
        let time = TimeSpan.microseconds(Int64(effective.maximumTransmitTime))
        // Mostly there is time for all of them, which one multiplication shows.
        if AirTime.span(payloadBytes: octets + check, phy: phy) <= time { return octets }
        let byTime = AirTime.maximumPayload(within: time, phy: phy) ?? 0
        return min(octets, max(byTime - check, Int(Self.leastOctets)))
    }
}
