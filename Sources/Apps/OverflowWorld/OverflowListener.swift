package import BluethroatHost
import BluethroatVirtualTime

/// A device that listens to the air for an analyser.
final class OverflowListener: HostApplication {
    var writer: OverflowFindingsWriter

    init(_ writer: OverflowFindingsWriter) { self.writer = writer }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: try? host.startScanning(.allChannelsSlowly, at: now, into: &actions)
        case .advertisingReport(let report): writer.hear(report, at: now)
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

extension ScanParameters {
    /// Ten seconds on each channel, so that little is missed between two of them.
    package static let allChannelsSlowly = Self(
        active: false,
        timing: ScanTiming(intervalSteps: 0x4000, windowSteps: 0x4000) ?? .continuous
    )
}
