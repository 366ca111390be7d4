import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A central that never rests: connects to whoever it hears first, looks at everything, listens to every value for a
/// while, leaves, and begins again.
final class Wanderer: HostApplication {
    private var random: SeededRandom
    private var link: ConnectionID?
    /// Connections so far.
    private(set) var meetings = 0
    private(set) var nextDeadline: Instant?

    init(seed: UInt64, number: UInt64) { random = SeededRandom(seed: seed, device: number, purpose: "wanderer") }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: rest(until: now + random.span(upTo: .seconds(1)))
        case .advertisingReport(let report) where report.isConnectable: meet(report.address, host, now, &actions)
        case .connected(let description):
            link = description.id
            meetings += 1
            _ = try? host.discoverAll(description.id, at: now, into: &actions)
            rest(until: now + .seconds(2) + random.span(upTo: .seconds(5)))
        case .client(.procedureCompleted(_, let connection, .database(let database))):
            for service in database.services {
                for characteristic in service.characteristics where characteristic.properties.contains(.notify) {
                    _ = try? host.subscribe(connection, to: characteristic, [.notifications], at: now, into: &actions)
                }
            }
        case .connectFailed, .disconnected:
            link = nil
            rest(until: now + random.span(upTo: .seconds(1)))
        default: break
        }
    }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        nextDeadline = nil
        if let link {
            try? host.disconnect(link, at: now, into: &actions)
        } else {
            try? host.startScanning(at: now, into: &actions)
        }
    }

    private func meet(_ address: DeviceAddress, _ host: Host, _ now: Instant, _ actions: inout HostActions) {
        guard link == nil else { return }
        try? host.stopScanning(at: now, into: &actions)
        try? host.connect(to: address, ConnectParameters(timeout: .seconds(3)), at: now, into: &actions)
    }

    private func rest(until instant: Instant) { nextDeadline = instant }
}
