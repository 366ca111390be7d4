import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import Testing

extension DataLengths {
    /// The same in both directions.
    init(octets: UInt16, time: UInt16) {
        self.init(
            maximumReceiveOctets: octets,
            maximumReceiveTime: time,
            maximumTransmitOctets: octets,
            maximumTransmitTime: time
        )
    }

    /// What a link begins with.
    static let shortest = Self(octets: 27, time: 328)
    /// The most there is on LE 1M.
    static let longest = Self(octets: 251, time: 2_120)
}

extension ConnectIndication {
    /// A request for a link that any test can work with.
    static func sample(from initiator: DeviceAddress, to advertiser: DeviceAddress) throws -> Self {
        let parameters = try #require(ConnectionParameters(intervalSteps: 24, latencyEvents: 0, timeoutSteps: 100))
        return Self(
            initiator: initiator,
            advertiser: advertiser,
            accessAddress: AccessAddress(rawValue: 0x5A3C_96E1),
            crcInit: CRCInit(7),
            window: try #require(TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval)),
            parameters: parameters,
            channelMap: .all,
            hopIncrement: try #require(HopIncrement(9)),
            sleepClockAccuracy: .upTo20,
            supportsChannelSelection2: true
        )
    }
}

extension LinkTester {
    /// The host's order for another pace of this link.
    func update(_ interval: ClosedRange<UInt16> = 40...60) -> Command {
        .leConnectionUpdate(
            LEConnectionUpdate(
                connection: handle,
                minimumInterval: interval.lowerBound,
                maximumInterval: interval.upperBound,
                maximumLatency: 2,
                supervisionTimeout: 400
            )
        )
    }
}
