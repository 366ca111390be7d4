import BluethroatBluetoothValues
public import BluethroatByteCoding

extension ControlPDU {
    /// The control PDUs by their opcode, without it. Core 6.0, Vol 6, Part B, 2.4.2.
    public static let descriptions: [PacketDescription] = [
        description(.connectionUpdateInd, ConnectionUpdateIndication.fieldDescriptions),
        description(.channelMapInd, ChannelMapIndication.fieldDescriptions),
        description(.terminateInd, [errorCode]),
        description(.encReq, EncryptionRequest.fieldDescriptions),
        description(.encRsp, EncryptionResponse.fieldDescriptions),
        description(.startEncReq),
        description(.startEncRsp),
        description(.unknownRsp, [FieldDescription("UnknownType", ControlOpcode.self)]),
        description(.featureReq, [featureSet]),
        description(.featureRsp, [featureSet]),
        description(.pauseEncReq),
        description(.pauseEncRsp),
        description(.versionInd, VersionIndication.fieldDescriptions),
        description(.rejectInd, [errorCode]),
        description(.peripheralFeatureReq, [featureSet]),
        description(.connectionParamReq, ConnectionParameterProposal.fieldDescriptions),
        description(.connectionParamRsp, ConnectionParameterProposal.fieldDescriptions),
        description(.rejectExtInd, [FieldDescription("RejectOpcode", ControlOpcode.self), errorCode]),
        description(.pingReq),
        description(.pingRsp),
        description(.lengthReq, DataLengths.fieldDescriptions),
        description(.lengthRsp, DataLengths.fieldDescriptions),
        description(.phyReq, [FieldDescription("TX_PHYS", PHYSet.self), FieldDescription("RX_PHYS", PHYSet.self)]),
        description(.phyRsp, [FieldDescription("TX_PHYS", PHYSet.self), FieldDescription("RX_PHYS", PHYSet.self)]),
        description(.phyUpdateInd, PHYUpdateIndication.fieldDescriptions),
        description(
            .minUsedChannelsInd,
            [FieldDescription("PHYS", PHYSet.self), FieldDescription("MinUsedChannels", UInt8.self)]
        ),
        description(.cteReq, ToneRequest.fieldDescriptions),
        description(.cteRsp),
        description(.clockAccuracyReq, [FieldDescription("SCA", SleepClockAccuracy.self)]),
        description(.clockAccuracyRsp, [FieldDescription("SCA", SleepClockAccuracy.self)]),
    ]

    private static let errorCode = FieldDescription("ErrorCode", ControllerError.self)
    private static let featureSet = FieldDescription("FeatureSet", UInt64.self)

    private static func description(_ opcode: ControlOpcode, _ fields: [FieldDescription] = []) -> PacketDescription {
        PacketDescription(opcode.rawValue, opcode.description, fields)
    }
}

extension ControlOpcode: FieldConvertible {}

extension ConnectionUpdateIndication: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("WinSize", unit: .intervals, \.windowSizeSteps),
            Field("WinOffset", unit: .intervals, \.windowOffsetSteps),
            Field("Interval", unit: .intervals, \.intervalSteps),
            Field("Latency", \.latencyEvents),
            Field("Timeout", unit: .centiseconds, \.timeoutSteps),
            Field("Instant", \.instant),
        ]
    }
}

extension ChannelMapIndication: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("ChM", \.channelMap), Field("Instant", \.instant)]
    }
}

extension PHYUpdateIndication: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("PHY_C_TO_P", \.centralToPeripheral),
            Field("PHY_P_TO_C", \.peripheralToCentral),
            Field("Instant", \.instant),
        ]
    }
}

extension EncryptionRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Rand", \.rand),
            Field("EDIV", \.ediv),
            Field("SKD_C", \.sessionKeyDiversifier),
            Field("IV_C", \.initializationVector),
        ]
    }
}

extension EncryptionResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("SKD_P", \.sessionKeyDiversifier), Field("IV_P", \.initializationVector)]
    }
}

extension VersionIndication: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Version", \.version),
            Field("Company_Identifier", \.companyIdentifier),
            Field("Subversion", \.subversion),
        ]
    }
}

extension DataLengths: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("MaxRxOctets", unit: .octets, \.maximumReceiveOctets),
            Field("MaxRxTime", unit: .microseconds, \.maximumReceiveTime),
            Field("MaxTxOctets", unit: .octets, \.maximumTransmitOctets),
            Field("MaxTxTime", unit: .microseconds, \.maximumTransmitTime),
        ]
    }
}

extension ConnectionParameterProposal: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Interval_Min", unit: .intervals, \.minimumIntervalSteps),
            Field("Interval_Max", unit: .intervals, \.maximumIntervalSteps),
            Field("Latency", \.latencyEvents),
            Field("Timeout", unit: .centiseconds, \.timeoutSteps),
            Field("PreferredPeriodicity", unit: .intervals, \.preferredPeriodicity),
            Field("ReferenceConnEventCount", \.referenceConnectionEventCount),
            Field("Offset0", unit: .intervals) { $0.offsets[0] },
            Field("Offset1", unit: .intervals) { $0.offsets[1] },
            Field("Offset2", unit: .intervals) { $0.offsets[2] },
            Field("Offset3", unit: .intervals) { $0.offsets[3] },
            Field("Offset4", unit: .intervals) { $0.offsets[4] },
            Field("Offset5", unit: .intervals) { $0.offsets[5] },
        ]
    }
}

extension ToneRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("MinCTELenReq", bits: 5, unit: .time(nanoseconds: 8_000), \.minimumLength),
            Field("RFU", bits: 1) { $0.rawValue >> 5 & 1 },
            Field("CTETypeReq", bits: 2, \.type),
        ]
    }
}
