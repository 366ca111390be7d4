internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// How a peripheral asks for connection parameters: with the Connection Parameters Request procedure of the Link Layer
/// where both controllers have it, over L2CAP only where one of them has not. Core 6.0, Vol 3, Part A, 4.20.
///
/// What the own controller can do is known from the start. What the peer's can do is known once features were
/// exchanged, which the host asks for first where a peripheral may.
extension HostCore {
    mutating func requestParameters(
        _ range: ConnectionParameterRange,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let findings = controller.findings
        guard findings.features.contains(.connectionParametersRequest), findings.offers(.leConnectionUpdate) else {
            return requestParametersOverL2CAP(range, slot: slot, at: now, into: &actions)
        }
        if let peer = links[slot].control.peerFeatures {
            requestParameters(range, ofPeerWith: peer, slot: slot, at: now, into: &actions)
        } else if findings.features.contains(.peripheralInitiatedFeaturesExchange),
            findings.offers(.leReadRemoteFeatures)
        {
            links[slot].control.update = .readingFeatures(range)
            readFeatures(slot, for: .parameters)
        } else {
            requestParametersOverL2CAP(range, slot: slot, at: now, into: &actions)
        }
    }

    /// The peer's features are known, or nil if they will not be.
    mutating func continueParameterRequest(
        slot: Int,
        ofPeerWith features: LEFeatures?,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard case .readingFeatures(let range) = links[slot].control.update else { return }
        requestParameters(range, ofPeerWith: features ?? [], slot: slot, at: now, into: &actions)
    }

    private mutating func requestParameters(
        _ range: ConnectionParameterRange,
        ofPeerWith features: LEFeatures,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard features.contains(.connectionParametersRequest) else {
            return requestParametersOverL2CAP(range, slot: slot, at: now, into: &actions)
        }
        let id = links[slot].id
        links[slot].control.update = .asking(range)
        pipeline.submitAnswer(Self.connectionUpdate(id, range), for: .connection(id, .update))
    }

    mutating func requestParametersOverL2CAP(
        _ range: ConnectionParameterRange,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        links[slot].control.update = .none
        let request = ParameterUpdateRequest(range)
        ask(.parameterUpdate, .parameterUpdateRequest(request), slot: slot, at: now, into: &actions)
    }
}
