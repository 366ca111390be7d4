internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// The pace of connections: own wishes, the peer's, and what comes of them.
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
            pipeline.submit(Self.update(connection, range), for: .connection(connection, .update))
        case .peripheral:
            guard !links[slot].l2cap.signalling.isAwaitingResponse else { throw .busy }
            let request = ParameterUpdateRequest(range)
            ask(.parameterUpdate, .parameterUpdateRequest(request), slot: slot, at: now, into: &actions)
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
        let isGranted =
            grants(range) && links[slot].control.update == .none && controller.findings.offers(.leConnectionUpdate)
        answer(isGranted ? .accepted : .rejected, identifier: identifier, slot: slot, into: &actions)
        actions.events.append(.parameterRequestAnswered(id, range, accepted: isGranted))
        guard isGranted else { return }
        links[slot].control.update = .forPeer
        pipeline.submitAnswer(Self.update(id, range), for: .connection(id, .update))
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
        let range = ConnectionParameterRange(
            minimumSteps: request.minimumInterval,
            maximumSteps: request.maximumInterval,
            latencyEvents: request.maximumLatency,
            timeoutSteps: request.supervisionTimeout
        )
        let isGranted = if let range { grants(range) } else { false }
        let reply: Command =
            if isGranted {
                .leRemoteConnectionParameterRequestReply(
                    LERemoteConnectionParameterRequestReply(
                        connection: request.connection,
                        minimumInterval: request.minimumInterval,
                        maximumInterval: request.maximumInterval,
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
        if let range { actions.events.append(.parameterRequestAnswered(id, range, accepted: isGranted)) }
    }

    /// The controller has changed the pace, or could not. Core 6.0, Vol 4, Part E, 7.7.65.3.
    mutating func handleConnectionUpdateComplete(
        _ complete: LEConnectionUpdateComplete,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: complete.connection) else { return }
        guard complete.status == .success else {
            return parameterUpdateEnded(slot: slot, .failed(complete.status), into: &actions)
        }
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

    /// What the controller of a central was asked for is done, or will not be.
    mutating func parameterUpdateEnded(slot: Int, _ result: ParameterUpdateResult, into actions: inout HostActions) {
        let update = links[slot].control.update
        links[slot].control.update = .none
        if update == .own { actions.events.append(.parameterUpdateCompleted(links[slot].id, result)) }
    }

    private func grants(_ range: ConnectionParameterRange) -> Bool {
        switch configuration.parameterRequestPolicy {
        case .acceptValid: true
        case .reject: false
        case .acceptWithin(let limits):
            range.minimumInterval <= limits.maximumInterval && range.maximumInterval >= limits.minimumInterval
                && range.latency.events <= limits.latency.events
                && range.supervisionTimeout.span <= limits.supervisionTimeout.span
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

    private static func update(_ connection: ConnectionID, _ range: ConnectionParameterRange) -> [UInt8] {
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
