import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_FEATURE_REQ, LL_PERIPHERAL_FEATURE_REQ and LL_FEATURE_RSP as the side that asks. Core 6.0, Vol 6, Part B, 5.1.4.
struct FeatureExchange: Sendable {
    private enum State {
        case awaitingResponse
        case over
    }

    private var state = State.awaitingResponse

    var isOver: Bool { state == .over }

    /// LL_FEATURE_RSP came, or a refusal.
    mutating func end() { state = .over }
}

/// What each side can do, as far as it is known.
struct FeatureSets: Sendable {
    let own: LEFeatures
    private(set) var peer: LEFeatures?

    init(own: LEFeatures) { self.own = own }

    mutating func learn(_ bits: UInt64) { peer = LEFeatures(rawValue: bits) }

    /// Whether the peer is known not to have a feature.
    func peerLacks(_ feature: LEFeatures) -> Bool { peer.map { !$0.contains(feature) } ?? false }

    /// What a request of ours says.
    var request: UInt64 { own.subtracting(.maskedToPeer).rawValue }

    /// What our answer to a request says: the first byte is what both sides can do, the rest is ours. 2.4.2.10.
    func response(to bits: UInt64) -> UInt64 { request & (bits | ~0xFF) }
}

extension LEFeatures {
    /// Features that are no concern of a peer's: their bits are zero in what it is sent. Of the table in Core 6.0, Vol 6,
    /// Part B, 4.6, it is this one alone.
    static let maskedToPeer = LEFeatures.remotePublicKeyValidation
}

extension Procedures {
    var featureExchange: FeatureExchange? {
        get { if case .featureExchange(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.featureExchange(newValue)) } }
    }
}

extension Connection {
    mutating func startFeatureExchange() {
        let features = procedures.features.request
        send(role == .central ? .featureReq(features: features) : .peripheralFeatureReq(features: features))
        procedures.begin(.featureExchange(FeatureExchange()))
    }

    mutating func receiveFeatureRequest(_ features: UInt64, from sender: ConnectionRole) {
        guard sender != role else {
            return answerUnknown(sender == .central ? .featureReq : .peripheralFeatureReq)
        }
        procedures.features.learn(features)
        send(.featureRsp(features: procedures.features.response(to: features)))
    }

    mutating func receiveFeatureResponse(_ features: UInt64, into output: inout LinkOutput) {
        guard procedures.featureExchange != nil else { return }
        procedures.features.learn(features)
        reportFeatures(.completed, into: &output)
        procedures.featureExchange?.end()
    }

    mutating func failFeatureExchange(_ reason: FailureCode, into output: inout LinkOutput) {
        reportFeatures(.failed(reason), into: &output)
        procedures.featureExchange?.end()
    }

    func reportFeatures(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        output.events.append(
            .leReadRemoteFeaturesComplete(
                LEReadRemoteFeaturesComplete(
                    status: outcome.status,
                    connection: handle,
                    features: procedures.features.peer ?? []
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
