import BluetoothValues
import Host
import VirtualTime

/// The pace that apps wish for. What the other side makes of it is its own affair; of several wishes the last counts.
extension BluetoothService {
    func setLatency(
        _ latency: ConnectionLatency,
        for peer: PeerID,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let app = app(of: session), let range = latency.range,
            let index = peripheral.clients.firstIndex(where: { names.name(of: $0.peer, for: app) == peer })
        else { return }
        peripheral.clients[index].pace = PeripheralSide.Pace(range: range)
        askForPace(index, host: host, at: now, into: &actions)
    }

    /// The host takes one wish at a time; another waits.
    private func askForPace(_ index: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let pace = peripheral.clients[index].pace else { return }
        do {
            try host.updateParameters(peripheral.clients[index].connection, pace.range, at: now, into: &actions)
            peripheral.clients[index].pace?.isAsked = true
        } catch .busy {
            return
        } catch {
            peripheral.clients[index].pace = nil
        }
    }

    func paceAnswered(
        _ connection: ConnectionID,
        _ result: ParameterUpdateResult,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = peripheral.index(of: connection) else { return }
        if result == .accepted { peripheral.clients[index].awaitsChange = true }
        guard let pace = peripheral.clients[index].pace else { return }
        if !pace.isAsked {
            askForPace(index, host: host, at: now, into: &actions)
        } else if result == .rejected, peripheral.clients[index].awaitsChange {
            // The peer is still busy with what it has granted before.
            peripheral.clients[index].pace?.isAsked = false
        } else {
            peripheral.clients[index].pace = nil
        }
    }

    func paceChanged(_ connection: ConnectionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let index = peripheral.index(of: connection) else { return }
        peripheral.clients[index].awaitsChange = false
        guard peripheral.clients[index].pace?.isAsked == false else { return }
        askForPace(index, host: host, at: now, into: &actions)
    }
}

extension ConnectionLatency {
    /// 15 ms as the fastest pace that Apple's guidelines know, 60 to 90 ms, and half a second.
    fileprivate var range: ConnectionParameterRange? {
        switch self {
        case .low: ConnectionParameterRange(minimumSteps: 12, maximumSteps: 12, latencyEvents: 0, timeoutSteps: 400)
        case .medium: ConnectionParameterRange(minimumSteps: 48, maximumSteps: 72, latencyEvents: 0, timeoutSteps: 400)
        case .high: ConnectionParameterRange(minimumSteps: 396, maximumSteps: 408, latencyEvents: 0, timeoutSteps: 600)
        }
    }
}
