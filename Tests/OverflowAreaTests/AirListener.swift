import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// What listens to the air as any host does.
final class AirListener: HostApplication {
    private(set) var device: DeviceID!
    private(set) var reports: [(report: AdvertisingReport, time: Instant)] = []
    var heard: (AdvertisingReport, Instant) -> Void = { _, _ in }

    init(in world: World) {
        device = world.addDevice(named: "listener", application: self)
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: try? host.startScanning(Self.parameters, at: now, into: &actions)
        case .advertisingReport(let report):
            reports.append((report, now))
            heard(report, now)
        default: break
        }
    }

    /// On one channel for ten seconds, so that little is missed in between.
    private static let parameters = ScanParameters(
        active: false,
        timing: ScanTiming(intervalSteps: 0x4000, windowSteps: 0x4000) ?? .continuous
    )

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}
