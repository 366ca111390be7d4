import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_FEATURE_REQ, LL_PERIPHERAL_FEATURE_REQ and LL_FEATURE_RSP. Core 6.0, Vol 6, Part B, 5.1.4.
extension Connection {
    func beginFeatureExchange(at now: Instant) {
        let features = localFeatures.rawValue
        send(role == .central ? .featureReq(features: features) : .peripheralFeatureReq(features: features))
        expectResponse(at: now)
    }

    /// Answers with what both sides can do: the first byte is their intersection, the rest is ours. 2.4.2.10.
    func receiveFeatureRequest(
        _ features: UInt64,
        from sender: ConnectionRole
    ) {
        guard sender != role else {
            return answerUnknown(sender == .central ? .featureReq : .peripheralFeatureReq)
        }
        procedures.peerFeatures = LEFeatures(rawValue: features)
        send(.featureRsp(features: localFeatures.rawValue & (features | ~0xFF)))
    }

    func receiveFeatureResponse(_ features: UInt64, at now: Instant, into output: inout LinkOutput) {
        guard case .featureExchange = procedures.active else { return }
        procedures.peerFeatures = LEFeatures(rawValue: features)
        reportFeatures(.completed, into: &output)
        finish(at: now, into: &output)
    }

    func failFeatureExchange(_ reason: FailureCode, at now: Instant, into output: inout LinkOutput) {
        reportFeatures(.failed(reason), into: &output)
        finish(at: now, into: &output)
    }

    func reportFeatures(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        guard procedures.hostAwaitsFeatures else { return }
        procedures.hostAwaitsFeatures = false
        output.events.append(
            .leReadRemoteFeaturesComplete(
                LEReadRemoteFeaturesComplete(
                    status: outcome.status,
                    connection: handle,
                    features: procedures.peerFeatures ?? []
                )
            )
        )
    }
}

/// Which feature a control PDU belongs to. Nil: to all that there is of LE.
extension ControlOpcode {
    var feature: LEFeatures? {
        switch self {
        case .encReq, .encRsp, .startEncReq, .startEncRsp, .pauseEncReq, .pauseEncRsp: .encryption
        case .connectionParamReq, .connectionParamRsp: .connectionParametersRequest
        case .peripheralFeatureReq: .peripheralInitiatedFeaturesExchange
        case .pingReq, .pingRsp: .ping
        case .lengthReq, .lengthRsp: .dataPacketLengthExtension
        case .phyReq, .phyRsp, .phyUpdateInd: .le2MPHY
        default: nil
        }
    }
}
