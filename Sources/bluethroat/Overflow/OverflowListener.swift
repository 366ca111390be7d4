import Host
import VirtualTime

/// A device that listens to the air for an analyser.
final class OverflowListener: HostApplication {
    var teller: OverflowFindingsTeller

    init(_ teller: OverflowFindingsTeller) { self.teller = teller }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: try? host.startScanning(.allChannelsSlowly, at: now, into: &actions)
        case .advertisingReport(let report): teller.hear(report, at: now)
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}
