import BluethroatBluetoothValues
public import BluethroatByteCoding

extension AdvertisingPDU {
    /// The PDUs of the primary advertising channels by their type, without the header. Core 6.0, Vol 6, Part B, 2.3.
    public static let descriptions: [PacketDescription] = [
        description(.advInd, "ADV_IND", [address("AdvA"), data("AdvData")]),
        description(.advDirectInd, "ADV_DIRECT_IND", [address("AdvA"), address("TargetA")]),
        description(.advNonconnInd, "ADV_NONCONN_IND", [address("AdvA"), data("AdvData")]),
        description(.scanReq, "SCAN_REQ", [address("ScanA"), address("AdvA")]),
        description(.scanRsp, "SCAN_RSP", [address("AdvA"), data("ScanRspData")]),
        description(.connectInd, "CONNECT_IND", ConnectIndication.fieldDescriptions),
        description(.advScanInd, "ADV_SCAN_IND", [address("AdvA"), data("AdvData")]),
    ]

    private static func description(
        _ type: AdvertisingPDUType,
        _ name: String,
        _ fields: [FieldDescription]
    ) -> PacketDescription {
        PacketDescription(type.rawValue, name, fields)
    }

    private static func address(_ name: String) -> FieldDescription { FieldDescription(name, DeviceAddress.self) }

    private static func data(_ name: String) -> FieldDescription { FieldDescription(name, .bytes(.rest)) }
}

extension ConnectIndication: FieldDescribed {
    /// The payload, with LLData as its fields. 2.3.3.1.
    public static var fields: [Field<Self>] {
        [
            Field("InitA", \.initiator),
            Field("AdvA", \.advertiser),
            Field("AA", \.accessAddress),
            Field("CRCInit", \.crcInit),
            Field("WinSize", unit: .intervals, \.window.sizeSteps),
            Field("WinOffset", unit: .intervals, \.window.offsetSteps),
            Field("Interval", unit: .intervals, \.parameters.interval.steps),
            Field("Latency", \.parameters.latency.events),
            Field("Timeout", unit: .centiseconds, \.parameters.supervisionTimeout.steps),
            Field("ChM", \.channelMap),
            Field("Hop", bits: 5, \.hopIncrement.channels),
            Field("SCA", bits: 3, \.sleepClockAccuracy),
        ]
    }
}
