import BluethroatHost
import BluethroatPhoneService
import BluethroatVirtualTime
import Testing

@Suite("Durations without end in a phone's settings")
struct LongDurationTests {
    @Test(
        "An app that may be awake so long in the background is not suspended",
        arguments: [TimeSpan(nanoseconds: .max), TimeSpan(nanoseconds: .max - 1_000_000_000)]
    )
    func suspension(_ span: TimeSpan) {
        var settings = PhoneSettings()
        settings.suspensionDelay = span
        settings.wakeLength = span
        settings.restorationTime = span
        let service = BluetoothService(settings: settings)
        let host = Host(configuration: HostConfiguration(seed: 1))
        let app = AppID(number: 1), now = Instant.zero + .seconds(5)
        var actions = HostActions()
        service.enterBackground(app, host: host, at: now, into: &actions)
        service.rangeBeacons(app, true, host: host, at: now, into: &actions)
        service.expire(host: host, at: now + .seconds(3_600), into: &actions)
        #expect(service.state(of: app) == .background && service.nextDeadline == nil)
    }
}
