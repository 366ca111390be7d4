/// What an LL control PDU is, by its first byte. Core 6.0, Vol 6, Part B, 2.4.2.
public struct ControlOpcode: RawRepresentable, Hashable, Sendable {
    /// The byte itself.
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let connectionUpdateInd = Self(rawValue: 0x00)
    public static let channelMapInd = Self(rawValue: 0x01)
    public static let terminateInd = Self(rawValue: 0x02)
    public static let encReq = Self(rawValue: 0x03)
    public static let encRsp = Self(rawValue: 0x04)
    public static let startEncReq = Self(rawValue: 0x05)
    public static let startEncRsp = Self(rawValue: 0x06)
    public static let unknownRsp = Self(rawValue: 0x07)
    public static let featureReq = Self(rawValue: 0x08)
    public static let featureRsp = Self(rawValue: 0x09)
    public static let pauseEncReq = Self(rawValue: 0x0A)
    public static let pauseEncRsp = Self(rawValue: 0x0B)
    public static let versionInd = Self(rawValue: 0x0C)
    public static let rejectInd = Self(rawValue: 0x0D)
    public static let peripheralFeatureReq = Self(rawValue: 0x0E)
    public static let connectionParamReq = Self(rawValue: 0x0F)
    public static let connectionParamRsp = Self(rawValue: 0x10)
    public static let rejectExtInd = Self(rawValue: 0x11)
    public static let pingReq = Self(rawValue: 0x12)
    public static let pingRsp = Self(rawValue: 0x13)
    public static let lengthReq = Self(rawValue: 0x14)
    public static let lengthRsp = Self(rawValue: 0x15)
    public static let phyReq = Self(rawValue: 0x16)
    public static let phyRsp = Self(rawValue: 0x17)
    public static let phyUpdateInd = Self(rawValue: 0x18)
    public static let minUsedChannelsInd = Self(rawValue: 0x19)
    public static let cteReq = Self(rawValue: 0x1A)
    public static let cteRsp = Self(rawValue: 0x1B)
    public static let periodicSyncInd = Self(rawValue: 0x1C)
    public static let clockAccuracyReq = Self(rawValue: 0x1D)
    public static let clockAccuracyRsp = Self(rawValue: 0x1E)
    public static let cisReq = Self(rawValue: 0x1F)
    public static let cisRsp = Self(rawValue: 0x20)
    public static let cisInd = Self(rawValue: 0x21)
    public static let cisTerminateInd = Self(rawValue: 0x22)
    public static let powerControlReq = Self(rawValue: 0x23)
    public static let powerControlRsp = Self(rawValue: 0x24)
    public static let powerChangeInd = Self(rawValue: 0x25)
    public static let subrateReq = Self(rawValue: 0x26)
    public static let subrateInd = Self(rawValue: 0x27)
    public static let channelReportingInd = Self(rawValue: 0x28)
    public static let channelStatusInd = Self(rawValue: 0x29)
}

extension ControlOpcode: CustomStringConvertible {
    /// The specification's name, `LL_VERSION_IND`, or the number where it has none here.
    public var description: String {
        let index = Int(rawValue)
        guard index < Self.names.count else {
            return "LL control 0x" + String(rawValue, radix: 16, uppercase: true)
        }
        return "LL_" + Self.names[index]
    }

    private static let names = [
        "CONNECTION_UPDATE_IND", "CHANNEL_MAP_IND", "TERMINATE_IND", "ENC_REQ", "ENC_RSP", "START_ENC_REQ",
        "START_ENC_RSP", "UNKNOWN_RSP", "FEATURE_REQ", "FEATURE_RSP", "PAUSE_ENC_REQ", "PAUSE_ENC_RSP", "VERSION_IND",
        "REJECT_IND", "PERIPHERAL_FEATURE_REQ", "CONNECTION_PARAM_REQ", "CONNECTION_PARAM_RSP", "REJECT_EXT_IND",
        "PING_REQ", "PING_RSP", "LENGTH_REQ", "LENGTH_RSP", "PHY_REQ", "PHY_RSP", "PHY_UPDATE_IND",
        "MIN_USED_CHANNELS_IND", "CTE_REQ", "CTE_RSP", "PERIODIC_SYNC_IND", "CLOCK_ACCURACY_REQ", "CLOCK_ACCURACY_RSP",
        "CIS_REQ", "CIS_RSP", "CIS_IND", "CIS_TERMINATE_IND", "POWER_CONTROL_REQ", "POWER_CONTROL_RSP",
        "POWER_CHANGE_IND", "SUBRATE_REQ", "SUBRATE_IND", "CHANNEL_REPORTING_IND", "CHANNEL_STATUS_IND",
    ]
}
