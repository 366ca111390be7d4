public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// An LL control PDU: the payload of a data PDU whose LLID is `control`. Core 6.0, Vol 6, Part B, 2.4.2.
///
/// A peer may get some numbers wrong and must then receive an error. They stay as they came; the structs say what they
/// mean.
public enum ControlPDU: Hashable, Sendable {
    case connectionUpdateInd(ConnectionUpdateIndication)
    case channelMapInd(ChannelMapIndication)
    case terminateInd(ControllerError)
    case encReq(EncryptionRequest)
    case encRsp(EncryptionResponse)
    case startEncReq
    case startEncRsp
    /// Names the opcode that was not understood.
    case unknownRsp(ControlOpcode)
    /// The feature bits of the central: Vol 6, Part B, 4.6.
    case featureReq(features: UInt64)
    /// The feature bits both sides can use.
    case featureRsp(features: UInt64)
    case pauseEncReq
    case pauseEncRsp
    case versionInd(VersionIndication)
    case rejectInd(ControllerError)
    /// The feature bits of the peripheral.
    case peripheralFeatureReq(features: UInt64)
    case connectionParamReq(ConnectionParameterProposal)
    case connectionParamRsp(ConnectionParameterProposal)
    case rejectExtInd(ControlOpcode, ControllerError)
    case pingReq
    case pingRsp
    case lengthReq(DataLengths)
    case lengthRsp(DataLengths)
    /// The PHYs that the sender would like to transmit and receive on.
    case phyReq(transmit: PHYSet, receive: PHYSet)
    case phyRsp(transmit: PHYSet, receive: PHYSet)
    case phyUpdateInd(PHYUpdateIndication)
    case minUsedChannelsInd(phys: PHYSet, channels: UInt8)
    /// The tone that is asked for.
    case cteReq(ToneRequest)
    case cteRsp
    case clockAccuracyReq(SleepClockAccuracy)
    case clockAccuracyRsp(SleepClockAccuracy)
    /// An opcode not named above with the bytes after it.
    case unknown(ControlOpcode, [UInt8])

    /// Takes a whole payload. Bytes missing or left over are an error, to which the Link Layer answers
    /// LL_UNKNOWN_RSP with the opcode, the payload's first byte.
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let opcode = ControlOpcode(rawValue: try bytes.takeUInt8())
        switch opcode {
        case .connectionUpdateInd: self = .connectionUpdateInd(try ConnectionUpdateIndication(parsing: &bytes))
        case .channelMapInd: self = .channelMapInd(try ChannelMapIndication(parsing: &bytes))
        case .terminateInd: self = .terminateInd(ControllerError(rawValue: try bytes.takeUInt8()))
        case .encReq: self = .encReq(try EncryptionRequest(parsing: &bytes))
        case .encRsp: self = .encRsp(try EncryptionResponse(parsing: &bytes))
        case .startEncReq: self = .startEncReq
        case .startEncRsp: self = .startEncRsp
        case .unknownRsp: self = .unknownRsp(ControlOpcode(rawValue: try bytes.takeUInt8()))
        case .featureReq: self = .featureReq(features: try bytes.takeUInt64())
        case .featureRsp: self = .featureRsp(features: try bytes.takeUInt64())
        case .pauseEncReq: self = .pauseEncReq
        case .pauseEncRsp: self = .pauseEncRsp
        case .versionInd: self = .versionInd(try VersionIndication(parsing: &bytes))
        case .rejectInd: self = .rejectInd(ControllerError(rawValue: try bytes.takeUInt8()))
        case .peripheralFeatureReq: self = .peripheralFeatureReq(features: try bytes.takeUInt64())
        case .connectionParamReq: self = .connectionParamReq(try ConnectionParameterProposal(parsing: &bytes))
        case .connectionParamRsp: self = .connectionParamRsp(try ConnectionParameterProposal(parsing: &bytes))
        case .rejectExtInd:
            self = .rejectExtInd(
                ControlOpcode(rawValue: try bytes.takeUInt8()),
                ControllerError(rawValue: try bytes.takeUInt8())
            )
        case .pingReq: self = .pingReq
        case .pingRsp: self = .pingRsp
        case .lengthReq: self = .lengthReq(try DataLengths(parsing: &bytes))
        case .lengthRsp: self = .lengthRsp(try DataLengths(parsing: &bytes))
        case .phyReq:
            self = .phyReq(
                transmit: PHYSet(rawValue: try bytes.takeUInt8()),
                receive: PHYSet(rawValue: try bytes.takeUInt8())
            )
        case .phyRsp:
            self = .phyRsp(
                transmit: PHYSet(rawValue: try bytes.takeUInt8()),
                receive: PHYSet(rawValue: try bytes.takeUInt8())
            )
        case .phyUpdateInd: self = .phyUpdateInd(try PHYUpdateIndication(parsing: &bytes))
        case .minUsedChannelsInd:
            self = .minUsedChannelsInd(
                phys: PHYSet(rawValue: try bytes.takeUInt8()),
                channels: try bytes.takeUInt8()
            )
        case .cteReq: self = .cteReq(ToneRequest(rawValue: try bytes.takeUInt8()))
        case .cteRsp: self = .cteRsp
        case .clockAccuracyReq: self = .clockAccuracyReq(try Self.takeAccuracy(&bytes))
        case .clockAccuracyRsp: self = .clockAccuracyRsp(try Self.takeAccuracy(&bytes))
        default: self = .unknown(opcode, bytes.takeRest())
        }
        try bytes.expectEnd()
    }

    /// Writes opcode and parameters: at most 34 bytes, but for `unknown`.
    public func write(to out: inout [UInt8]) {
        out.appendUInt8(opcode.rawValue)
        switch self {
        case .connectionUpdateInd(let update): update.write(to: &out)
        case .channelMapInd(let indication): indication.write(to: &out)
        case .terminateInd(let reason), .rejectInd(let reason): out.appendUInt8(reason.rawValue)
        case .encReq(let request): request.write(to: &out)
        case .encRsp(let response): response.write(to: &out)
        case .unknownRsp(let opcode): out.appendUInt8(opcode.rawValue)
        case .featureReq(let features), .featureRsp(let features), .peripheralFeatureReq(let features):
            out.appendUInt64(features)
        case .versionInd(let version): version.write(to: &out)
        case .connectionParamReq(let proposal), .connectionParamRsp(let proposal): proposal.write(to: &out)
        case .rejectExtInd(let opcode, let reason):
            out.appendUInt8(opcode.rawValue)
            out.appendUInt8(reason.rawValue)
        case .lengthReq(let lengths), .lengthRsp(let lengths): lengths.write(to: &out)
        case .phyReq(let transmit, let receive), .phyRsp(let transmit, let receive):
            out.appendUInt8(transmit.rawValue)
            out.appendUInt8(receive.rawValue)
        case .phyUpdateInd(let update): update.write(to: &out)
        case .minUsedChannelsInd(let phys, let channels):
            out.appendUInt8(phys.rawValue)
            out.appendUInt8(channels)
        case .cteReq(let request): out.appendUInt8(request.rawValue)
        case .clockAccuracyReq(let accuracy), .clockAccuracyRsp(let accuracy): out.appendUInt8(accuracy.rawValue)
        case .unknown(_, let bytes): out += bytes
        case .startEncReq, .startEncRsp, .pauseEncReq, .pauseEncRsp, .pingReq, .pingRsp, .cteRsp: break
        }
    }

    /// The first byte of the payload.
    public var opcode: ControlOpcode {
        switch self {
        case .connectionUpdateInd: .connectionUpdateInd
        case .channelMapInd: .channelMapInd
        case .terminateInd: .terminateInd
        case .encReq: .encReq
        case .encRsp: .encRsp
        case .startEncReq: .startEncReq
        case .startEncRsp: .startEncRsp
        case .unknownRsp: .unknownRsp
        case .featureReq: .featureReq
        case .featureRsp: .featureRsp
        case .pauseEncReq: .pauseEncReq
        case .pauseEncRsp: .pauseEncRsp
        case .versionInd: .versionInd
        case .rejectInd: .rejectInd
        case .peripheralFeatureReq: .peripheralFeatureReq
        case .connectionParamReq: .connectionParamReq
        case .connectionParamRsp: .connectionParamRsp
        case .rejectExtInd: .rejectExtInd
        case .pingReq: .pingReq
        case .pingRsp: .pingRsp
        case .lengthReq: .lengthReq
        case .lengthRsp: .lengthRsp
        case .phyReq: .phyReq
        case .phyRsp: .phyRsp
        case .phyUpdateInd: .phyUpdateInd
        case .minUsedChannelsInd: .minUsedChannelsInd
        case .cteReq: .cteReq
        case .cteRsp: .cteRsp
        case .clockAccuracyReq: .clockAccuracyReq
        case .clockAccuracyRsp: .clockAccuracyRsp
        case .unknown(let opcode, _): opcode
        }
    }

    private static func takeAccuracy(_ bytes: inout RawSpan) throws(DecodeError) -> SleepClockAccuracy {
        let value = try bytes.takeUInt8()
        guard let accuracy = SleepClockAccuracy(rawValue: value) else {
            throw .invalidValue(field: "sleep clock accuracy", value: Int(value))
        }
        return accuracy
    }
}
