import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

/// Things that several tests need.
enum Sample {
    static let fob = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    static let phone = DeviceAddress(value: 0xC011_2233_4455, kind: .random)

    static func connectIndication() throws -> ConnectIndication {
        let parameters = try #require(
            ConnectionParameters(intervalSteps: 24, latencyEvents: 4, timeoutSteps: 200)
        )
        return ConnectIndication(
            initiator: phone,
            advertiser: fob,
            accessAddress: AccessAddress(rawValue: 0x5065_4A6B),
            crcInit: CRCInit(0x12_3456),
            window: try #require(TransmitWindow(sizeSteps: 2, offsetSteps: 5, interval: parameters.interval)),
            parameters: parameters,
            channelMap: try #require(ChannelMap(bits: 0x1E_00E0_0600)),
            hopIncrement: try #require(HopIncrement(9)),
            sleepClockAccuracy: .upTo50,
            supportsChannelSelection2: true
        )
    }

    static func range() throws -> ConnectionParameterRange {
        try #require(
            ConnectionParameterRange(minimumSteps: 6, maximumSteps: 3200, latencyEvents: 0, timeoutSteps: 3200)
        )
    }
}
