import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones

/// What apps command and hear of, in a few words each.
extension PacketLog {
    static func texts(of happening: PhoneHappening) -> [String] {
        switch happening {
        case .command(let command): [text(of: command)].compactMap { $0.map { "app orders: " + $0 } }
        case .events(let events): events.compactMap(text).map { "app is told: " + $0 }
        case .called: []
        case .misused(let misuse): ["its developer is told: " + misuse.sentence]
        }
    }

    private static func text(of command: SessionCommand) -> String? {
        switch command {
        case .noteMisuse: return nil
        case .channel(let id, let command):
            switch command {
            case .send(let bytes): return "send \(bytes.count) bytes on channel \(id.number)"
            case .close: return "close channel \(id.number)"
            case .consumed, .echo: return nil
            }
        case .central(let command):
            switch command {
            case .scan(let request): return "scan for \(request.services.map(list) ?? "everything")"
            case .stopScan: return "stop scanning"
            case .connect(let peer, _): return "connect \(short(peer))"
            case .cancelConnection(let peer): return "cancel connection \(short(peer))"
            case .peer(let peer, _, let command): return "\(command), \(short(peer))"
            case .forget: return nil
            default: return "\(command)"
            }
        case .peripheral(let command):
            switch command {
            case .add(let service): return "add service \(service.uuid)"
            case .startAdvertising: return "start advertising"
            case .stopAdvertising: return "stop advertising"
            case .update(let characteristic, let value, _):
                return "update characteristic \(characteristic.number): \(value.hex)"
            default: return "\(command)"
            }
        }
    }

    private static func text(of event: SessionEvent) -> String? {
        switch event {
        case .state(let state): return "\(state)"
        case .channel(let id, let event):
            switch event {
            case .received(let bytes): return "received \(bytes.count) bytes on channel \(id.number)"
            case .closed(let fault): return "channel \(id.number) is closed\(fault.map { ": \($0)" } ?? "")"
            case .sent, .echo: return nil
            }
        case .central(let event):
            switch event {
            case .discovered(let sighting):
                let services = sighting.advertisement.serviceUUIDs
                return
                    "discovered \(short(sighting.peer)) \(sighting.name ?? "without name"), services \(list(services))"
            case .connected(let peer, _, _): return "connected \(short(peer))"
            case .connectFailed(let peer, let fault):
                return "connecting \(short(peer)) failed: \(fault.map { "\($0)" } ?? "no reason")"
            case .disconnected(let peer, let end):
                return "disconnected \(short(peer))\(end.fault.map { ": \($0)" } ?? "")"
            case .peer(let peer, _, let event): return text(of: event).map { "\($0), \(short(peer))" }
            case .peerKnown, .peerForgotten: return nil
            default: return "\(event)"
            }
        case .peripheral(let event):
            switch event {
            case .updateWindow, .updatesSent: return nil
            default: return "\(event)"
            }
        }
    }

    private static func text(of event: PeerEvent) -> String? {
        switch event {
        case .limitsChanged, .writesSent: return nil
        case .value(let handle, .success(let value)): return "value of \(handle): \(value.hex)"
        case .servicesDiscovered(.success(let services)): return "services \(list(services.map(\.uuid)))"
        case .characteristicsDiscovered(_, .success(let found)): return "characteristics \(list(found.map(\.uuid)))"
        default: return "\(event)"
        }
    }

    private static func list(_ uuids: [BluetoothUUID]) -> String {
        uuids.isEmpty ? "none" : uuids.map(\.description).joined(separator: " ")
    }

    /// The first digits of an identifier, which distinguish peers well enough.
    private static func short(_ peer: PeerID) -> String { String(peer.high >> 32, radix: 16, uppercase: true) }
}
