internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Connection parameters: what the application asks for, what the peer asks for, and the results.
extension HostCore {
    mutating func updateParameters(
        _ connection: ConnectionID,
        _ range: ConnectionParameterRange,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        switch links[slot].role {
        case .central:
            guard controller.findings.offers(.leConnectionUpdate) else { throw .unsupported }
            guard links[slot].control.update == .none else { throw .busy }
            links[slot].control.update = .own
            pipeline.submit(Self.connectionUpdate(connection, range), for: .connection(connection, .update))
        case .peripheral:
            guard !links[slot].l2cap.signalling.isAwaitingResponse, links[slot].control.update == .none else {
                throw .busy
            }
            requestParameters(range, slot: slot, at: now, into: &actions)
        }
    }

    /// The peer asks over L2CAP; this host is the central.
    mutating func handleParameterUpdateRequest(
        _ request: ParameterUpdateRequest,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let id = links[slot].id
        guard let range = request.range else {
            return answer(.rejected, identifier: identifier, slot: slot, into: &actions)
        }
        // One change at a time; a peer that is turned down now may ask again.
        let isPossible = links[slot].control.update == .none && controller.findings.offers(.leConnectionUpdate)
        let granted = isPossible ? grantable(range) : nil
        answer(granted != nil ? .accepted : .rejected, identifier: identifier, slot: slot, into: &actions)
        actions.events.append(.parameterRequestAnswered(id, range, accepted: granted != nil))
        guard let granted else { return }
        links[slot].control.update = .forPeer
        pipeline.submitAnswer(Self.connectionUpdate(id, granted), for: .connection(id, .update))
    }

    /// The peer asks over the Link Layer. Core 6.0, Vol 4, Part E, 7.7.65.6.
    mutating func handleRemoteParameterRequest(
        _ request: LERemoteConnectionParameterRequest,
        into actions: inout HostActions
    ) {
        guard controller.findings.offers(.leRemoteConnectionParameterRequestReply),
            controller.findings.offers(.leRemoteConnectionParameterRequestNegativeReply),
            let slot = links.slot(of: request.connection)
        else { return }
        let id = links[slot].id
        let range = request.range
        let granted = range.flatMap { grantable($0) }
        let reply: Command =
            if let granted {
                .leRemoteConnectionParameterRequestReply(
                    LERemoteConnectionParameterRequestReply(
                        connection: request.connection,
                        minimumInterval: granted.minimumInterval.steps,
                        maximumInterval: granted.maximumInterval.steps,
                        maximumLatency: request.maximumLatency,
                        supervisionTimeout: request.supervisionTimeout
                    )
                )
            } else {
                .leRemoteConnectionParameterRequestNegativeReply(
                    LERemoteConnectionParameterRequestNegativeReply(connection: request.connection)
                )
            }
        pipeline.submitAnswer(reply.packet(), for: .connection(id, .parameterReply))
        if let range { actions.events.append(.parameterRequestAnswered(id, range, accepted: granted != nil)) }
    }

    /// The controller has changed the parameters, or could not. Core 6.0, Vol 4, Part E, 7.7.65.3.
    mutating func handleConnectionUpdateComplete(
        _ complete: LEConnectionUpdateComplete,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: complete.connection) else { return }
        guard complete.status == .success else {
            return parameterUpdateFailed(slot: slot, complete.status, at: now, into: &actions)
        }
        // As over L2CAP, a peripheral hears that the central agrees before it hears of the change.
        if case .asking = links[slot].control.update { parameterUpdateEnded(slot: slot, .accepted, into: &actions) }
        let parameters = ConnectionParameters.reported(
            interval: complete.interval,
            latency: complete.latency,
            timeout: complete.supervisionTimeout
        )
        if parameters != links[slot].control.parameters {
            links[slot].control.parameters = parameters
            actions.events.append(.parametersChanged(links[slot].id, parameters))
        }
        parameterUpdateEnded(slot: slot, .accepted, into: &actions)
    }

    /// What the controller was asked for is done, or will not be.
    private mutating func parameterUpdateEnded(
        slot: Int,
        _ result: ParameterUpdateResult,
        into actions: inout HostActions
    ) {
        switch links[slot].control.update {
        case .none, .readingFeatures: return
        case .forPeer: break
        case .own, .asking: actions.events.append(.parameterUpdateCompleted(links[slot].id, result))
        }
        links[slot].control.update = .none
    }

    /// The controller or the peer does not change the parameters. A peripheral whose peer turns out to be without the
    /// Link Layer's procedure asks over L2CAP.
    mutating func parameterUpdateFailed(
        slot: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard case .asking(let range) = links[slot].control.update else {
            return parameterUpdateEnded(slot: slot, .failed(status), into: &actions)
        }
        switch status {
        case .unsupportedRemoteFeature, .unknownCommand, .unsupportedFeatureOrParameterValue:
            requestParametersOverL2CAP(range, slot: slot, at: now, into: &actions)
        case .unacceptableConnectionParameters: parameterUpdateEnded(slot: slot, .rejected, into: &actions)
        default: parameterUpdateEnded(slot: slot, .failed(status), into: &actions)
        }
    }

    /// What a peer gets of the range that it asks for; nil if that is nothing.
    private func grantable(_ range: ConnectionParameterRange) -> ConnectionParameterRange? {
        switch parameterRequestPolicy {
        case .acceptValid: return range
        case .reject: return nil
        case .acceptWithin(let limits):
            let isWithin =
                range.minimumInterval <= limits.maximumInterval && range.maximumInterval >= limits.minimumInterval
                && range.latency.events <= limits.latency.events
                && range.supervisionTimeout.span <= limits.supervisionTimeout.span
            return isWithin ? range : nil
        case .acceptFrom(let shortest):
            // Nil where all of the range is shorter.
            return ConnectionParameterRange(
                minimumInterval: max(range.minimumInterval, shortest),
                maximumInterval: range.maximumInterval,
                latency: range.latency,
                supervisionTimeout: range.supervisionTimeout
            )
        }
    }

    private mutating func answer(
        _ response: ParameterUpdateResponse,
        identifier: UInt8,
        slot: Int,
        into actions: inout HostActions
    ) {
        let buffer = SignallingPDU.parameterUpdateResponse(response).buffer(identifier: identifier)
        send(buffer, on: .signalling, slot: slot, into: &actions)
    }

    static func connectionUpdate(_ connection: ConnectionID, _ range: ConnectionParameterRange) -> [UInt8] {
        let command = LEConnectionUpdate(
            connection: connection.handle,
            minimumInterval: range.minimumInterval.steps,
            maximumInterval: range.maximumInterval.steps,
            maximumLatency: range.latency.events,
            supervisionTimeout: range.supervisionTimeout.steps
        )
        return Command.leConnectionUpdate(command).packet()
    }
}
