import AirPackets
import BluetoothValues
import VirtualTime

/// How long data PDUs may be, each side's wishes and what follows from them. Core 6.0, Vol 6, Part B, 4.5.10.
struct DataLength: Sendable {
    static let leastOctets: UInt16 = 27
    static let leastTime: UInt16 = 328
    static let mostOctets: UInt16 = 251
    /// Longest PDU on LE 1M with MIC: (251 + 4 + 10) bytes of 8 µs.
    static let mostTime: UInt16 = 2120

    /// connMaxTxOctets and connMaxTxTime, as our host wants.
    var localTransmitOctets: UInt16
    var localTransmitTime: UInt16
    /// connRemoteMaxRxOctets and so on, as the peer has told.
    private var remote = DataLengths(
        maximumReceiveOctets: leastOctets,
        maximumReceiveTime: leastTime,
        maximumTransmitOctets: leastOctets,
        maximumTransmitTime: leastTime
    )

    init(transmitOctets: UInt16, transmitTime: UInt16) {
        localTransmitOctets = transmitOctets
        localTransmitTime = transmitTime
    }

    /// What an LL_LENGTH_REQ or LL_LENGTH_RSP of ours says.
    var announced: DataLengths {
        DataLengths(
            maximumReceiveOctets: Self.mostOctets,
            maximumReceiveTime: Self.mostTime,
            maximumTransmitOctets: localTransmitOctets,
            maximumTransmitTime: localTransmitTime
        )
    }

    /// What is in force: connEffectiveMaxTxOctets, …MaxTxTime, …MaxRxOctets, …MaxRxTime.
    var effective: DataLengths {
        DataLengths(
            maximumReceiveOctets: min(Self.mostOctets, remote.maximumTransmitOctets),
            maximumReceiveTime: max(min(Self.mostTime, remote.maximumTransmitTime), Self.leastTime),
            maximumTransmitOctets: min(localTransmitOctets, remote.maximumReceiveOctets),
            maximumTransmitTime: max(min(localTransmitTime, remote.maximumReceiveTime), Self.leastTime)
        )
    }

    /// Takes over the peer's limits; values below the least allowed count as the least (2.4.2.21).
    mutating func learn(_ lengths: DataLengths) {
        remote = DataLengths(
            maximumReceiveOctets: max(lengths.maximumReceiveOctets, Self.leastOctets),
            maximumReceiveTime: max(lengths.maximumReceiveTime, Self.leastTime),
            maximumTransmitOctets: max(lengths.maximumTransmitOctets, Self.leastOctets),
            maximumTransmitTime: max(lengths.maximumTransmitTime, Self.leastTime)
        )
    }

    /// The most bytes one of our PDUs may carry on a PHY.
    func transmitLimit(phy: PHY) -> Int {
        let lengths = effective
        let byTime = AirTime.maximumPayload(within: .microseconds(Int64(lengths.maximumTransmitTime)), phy: phy)
        return min(Int(lengths.maximumTransmitOctets), max(byTime ?? 27, 27))
    }
}
