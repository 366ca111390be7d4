import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime

/// Stands between a host and its application, passes everything on, and reports what CoreBluetooth keeps from apps: who
/// is connected, and from which address.
final class ConnectionWatcher: HostApplication {
    private let application: any HostApplication
    private var peers: [ConnectionID: DeviceAddress] = [:]
    private var isAdvertising = false
    private let tell: (FobNotice) -> Void

    init(_ application: any HostApplication, tell: @escaping (FobNotice) -> Void) {
        self.application = application
        self.tell = tell
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        application.start(host: host, at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        note(event, host: host, at: now)
        application.handle(event, host: host, at: now, into: &actions)
    }

    var nextDeadline: Instant? { application.nextDeadline }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        application.expire(host: host, at: now, into: &actions)
    }

    var transmitPower: SignalStrength? { application.transmitPower }

    private func note(_ event: HostEvent, host: Host, at now: Instant) {
        func tell(_ change: KeyFobNotice.Change) { self.tell(FobNotice(time: now, change: .fob(change))) }
        func tell(_ id: ConnectionID, _ change: (DeviceAddress) -> KeyFobNotice.Change) {
            if let peer = peers[id] { tell(change(peer)) }
        }
        switch event {
        case .poweredOn: if let error = host.bondStoreError { tell(.bondsFailed(error)) }
        case .startFailed(let failure), .controllerFailed(let failure): tell(.radioFailed(failure))
        case .advertisingStarted where !isAdvertising:
            isAdvertising = true
            tell(.advertising(true))
        // A connection interrupts a phone's advertising only for a moment.
        case .advertisingEnded(.connected): break
        case .advertisingEnded where isAdvertising:
            isAdvertising = false
            tell(.advertising(false))
        case .connected(let description) where description.role == .peripheral:
            peers[description.id] = description.peer
            tell(.connected(description.peer))
            if description.isBonded, let identity = description.peerIdentity {
                tell(.recognised(description.peer, identity: identity))
            }
        case .disconnected(let id, let reason):
            tell(id) { .disconnected($0, reason: reason) }
            peers[id] = nil
        case .server(.subscriptionChanged(let id, let handle, let subscription)):
            guard let uuid = host.database.rows.first(where: { $0.handle == handle })?.type else { return }
            tell(id) { .subscribed($0, uuid, handle, on: !subscription.isEmpty) }
        case .security(let event):
            if let change = KeyFobNotice.Change(event, peer: { peers[$0] }) { tell(change) }
        default: break
        }
    }
}
