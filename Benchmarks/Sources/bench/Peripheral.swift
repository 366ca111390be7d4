import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A peripheral that advertises whenever it is alone, sends notifications if it is told to, and counts what is written.
final class Peripheral: HostApplication {
    /// How it advertises; nil leaves that to others.
    let advertising: AdvertisingParameters?
    let services: [ServiceDefinition]
    /// What to notify, as fast as the queue takes it.
    private var notification: (handle: AttributeHandle, value: [UInt8])?
    /// Whether a pairing is forgotten as soon as it is complete, with the connection.
    var disconnectsOncePaired = false
    private(set) var writes = 0
    private(set) var connection: ConnectionDescription?
    /// The service to which channels can be opened.
    private(set) var channelService: SPSM?
    /// Bytes of whole SDUs that have come.
    private(set) var channelBytes = 0

    init(services: [ServiceDefinition] = [], advertising: AdvertisingParameters? = nil) {
        self.services = services
        self.advertising = advertising
    }

    func notify(
        _ handle: AttributeHandle,
        _ value: [UInt8],
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        notification = (handle, value)
        refill(host: host, at: now, into: &actions)
    }

    /// Lets the peer open channels.
    func listen(host: Host) { channelService = try? host.listen() }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        // A bench's own tables are free of contradictions; one that is not finds no attributes and says so.
        if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .readyToSend: refill(host: host, at: now, into: &actions)
        case .server(.valueWritten): writes += 1
        case .channel(.received(_, let sdu)): channelBytes += sdu.count
        case .connected(let description): connection = description
        case .security(.paired) where disconnectsOncePaired: forgetBonds(of: host, at: now, into: &actions)
        case .disconnected:
            connection = nil
            advertise(host: host, at: now, into: &actions)
        case .poweredOn: advertise(host: host, at: now, into: &actions)
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    private func advertise(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let advertising else { return }
        try? host.startAdvertising(advertising, at: now, into: &actions)
    }

    private func refill(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let (handle, value) = notification else { return }
        while host.notify(value, handle: handle, to: connection?.id, at: now, into: &actions) {}
    }
}

/// Forgets every bond; a connection to a peer whose bond is forgotten ends.
func forgetBonds(of host: Host, at now: Instant, into actions: inout HostActions) {
    // A store in memory never fails.
    for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
}
