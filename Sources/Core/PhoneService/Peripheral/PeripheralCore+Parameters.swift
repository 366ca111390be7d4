import BluethroatBluetoothValues
import BluethroatHost

/// The connection parameters that apps want. The central decides; of several that are wanted the last ones count.
extension PeripheralCore {
    mutating func setLatency(
        _ latency: ConnectionLatency,
        for peer: PeerID,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) {
        guard let app = turn.clients.sessions.app(of: session), let range = latency.range,
            let client = clients.firstIndex(where: { turn.name(of: $0.peer, for: app) == peer })
        else { return }
        clients[client].wanted = ServerClient.WantedParameters(range: range)
        requestParameters(client, &turn)
    }

    /// The host takes one request at a time; another waits.
    private mutating func requestParameters(_ client: ServerClientIndex, _ turn: inout ServiceTurn) {
        guard let wanted = clients[client].wanted else { return }
        do {
            let connection = clients[client].connection
            try turn.host.updateParameters(connection, wanted.range, at: turn.now, into: &turn.actions)
            clients[client].wanted?.isRequested = true
        } catch .busy {
            return
        } catch {
            clients[client].wanted = nil
        }
    }

    mutating func parameterUpdateCompleted(
        _ connection: ConnectionID,
        _ result: ParameterUpdateResult,
        _ turn: inout ServiceTurn
    ) {
        guard let client = client(connection) else { return }
        if result == .accepted { clients[client].awaitsChange = true }
        guard let wanted = clients[client].wanted else { return }
        if !wanted.isRequested {
            requestParameters(client, &turn)
        } else if result == .rejected, clients[client].awaitsChange {
            // The peer is still busy with what it has granted before.
            clients[client].wanted?.isRequested = false
        } else {
            clients[client].wanted = nil
        }
    }

    mutating func parametersChanged(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        guard let client = client(connection) else { return }
        clients[client].awaitsChange = false
        guard clients[client].wanted?.isRequested == false else { return }
        requestParameters(client, &turn)
    }
}

extension ConnectionLatency {
    /// 15 ms, the shortest interval that Apple's guidelines know; 60 to 90 ms; and half a second.
    fileprivate var range: ConnectionParameterRange? {
        switch self {
        case .low: ConnectionParameterRange(minimumSteps: 12, maximumSteps: 12, latencyEvents: 0, timeoutSteps: 400)
        case .medium: ConnectionParameterRange(minimumSteps: 48, maximumSteps: 72, latencyEvents: 0, timeoutSteps: 400)
        case .high: ConnectionParameterRange(minimumSteps: 396, maximumSteps: 408, latencyEvents: 0, timeoutSteps: 600)
        }
    }
}
