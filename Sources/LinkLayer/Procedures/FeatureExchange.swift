import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_FEATURE_REQ, LL_PERIPHERAL_FEATURE_REQ and LL_FEATURE_RSP. Core 6.0, Vol 6, Part B, 5.1.4.
extension Connection {
    func beginFeatureExchange(at now: Instant) {
        let features = LinkLayerFeatures.supported.rawValue
        send(role == .central ? .featureReq(features: features) : .peripheralFeatureReq(features: features))
        expectResponse(at: now)
    }

    /// Answers with what both sides can do: the first byte is their intersection, the rest is ours. 2.4.2.10.
    func receiveFeatureRequest(
        _ features: UInt64,
        from sender: ConnectionRole,
        knowing local: LocalKnowledge
    ) {
        guard sender != role else {
            return answerUnknown(sender == .central ? .featureReq : .peripheralFeatureReq)
        }
        procedures.peerFeatures = LEFeatures(rawValue: features)
        send(.featureRsp(features: local.features.rawValue & (features | ~0xFF)))
    }

    func receiveFeatureResponse(_ features: UInt64, at now: Instant, into output: inout LinkOutput) {
        guard case .featureExchange = procedures.active else { return }
        procedures.peerFeatures = LEFeatures(rawValue: features)
        reportFeatures(.success, into: &output)
        finish(at: now, into: &output)
    }

    func failFeatureExchange(_ reason: ControllerError, at now: Instant, into output: inout LinkOutput) {
        reportFeatures(reason, into: &output)
        finish(at: now, into: &output)
    }

    func reportFeatures(_ status: ControllerError, into output: inout LinkOutput) {
        guard procedures.hostAwaitsFeatures else { return }
        procedures.hostAwaitsFeatures = false
        output.events.append(
            .leReadRemoteFeaturesComplete(
                LEReadRemoteFeaturesComplete(
                    status: status,
                    connection: handle,
                    features: procedures.peerFeatures ?? []
                )
            )
        )
    }
}

/// The features that this Link Layer claims, and therefore has.
enum LinkLayerFeatures {
    static let supported: LEFeatures = [
        .encryption, .ping, .connectionParametersRequest, .extendedRejectIndication,
        .peripheralInitiatedFeaturesExchange, .dataPacketLengthExtension, .privacy, .extendedScanningFilterPolicies,
        .le2MPHY, .channelSelectionAlgorithm2, .remotePublicKeyValidation,
    ]
}
