import BluethroatAppEnvironment
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@Suite("Timers of apps that are suspended")
struct AppTimerTests {
    private let world = World(seed: 1)
    private let phone: Phone
    private let app: PhoneApp

    init() {
        phone = Phone(named: "phone", in: world)
        app = phone.addApp(named: "app")
        world.run(for: .seconds(1))
    }

    @Test("What was due while an app was suspended is called at the instant at which the app runs again")
    func resumption() {
        let calls = Calls()
        let clock = AppClock.of(world, for: app)
        for delay in [1.0, 3, 40] { _ = clock.once(after: delay) { calls.add("timer", clock.now) } }
        app.environment.call(after: 3) { [environment = app.environment] in
            calls.add("environment", environment.clock.now)
        }
        world.run(for: .seconds(2))
        app.suspend()
        world.run(for: .milliseconds(20_123))
        #expect(calls.all == ["timer 2.0"])
        // Nothing looks whether the app runs again.
        #expect(world.nextEventInstant.map { $0 > world.now + .seconds(5) } ?? true)
        app.enterForeground()
        world.run(for: .zero)
        #expect(calls.all == ["timer 2.0", "timer 23.123", "environment 23.123"])
        world.run(for: .seconds(60))
        #expect(calls.all.dropFirst(3) == ["timer 41.0"])
    }

    @Test("An app that is woken by an event is called then for what was due before")
    func waking() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        _ = try it.subscribe()
        let calls = Calls()
        let clock = AppClock.of(it.world, for: it.app)
        _ = clock.once(after: 5) { calls.add("timer", clock.now) }
        it.app.suspend()
        it.run(.seconds(30))
        #expect(calls.all.isEmpty)
        it.notify([3])
        try it.wait(for: "value [3]")
        it.run(.zero)
        #expect(calls.all == ["timer \(clock.now)"])
    }

    @Test("What was to be called in a run of the app that has ended is never called")
    func ended() {
        let calls = Calls()
        let clock = AppClock.of(world, for: app)
        _ = clock.once(after: 1) { calls.add("timer", clock.now) }
        app.suspend()
        world.run(for: .seconds(2))
        app.terminate()
        app.launch()
        world.run(for: .seconds(10))
        #expect(calls.all.isEmpty && app.state == .foreground)
    }

    @Test("The date on a phone begins where its settings say, and passes with the world")
    func date() {
        var settings = PhoneSettings()
        settings.startOfTime = 700_000_000
        let app = Phone(named: "other", in: world, settings: settings).addApp(named: "app")
        world.run(for: .seconds(9))
        #expect(app.environment.now == Date(timeIntervalSinceReferenceDate: 700_000_010))
        #expect(app.environment.clock.now == 10)
    }
}

/// What was called, and when.
private final class Calls: @unchecked Sendable {
    // The thread that runs the world has it.
    private(set) var all: [String] = []

    func add(_ what: String, _ seconds: TimeInterval) { all.append("\(what) \(seconds)") }
}
