import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobPhone
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// A phone's world, run by hand, with all that it told.
private final class Workbench {
    private(set) var happenings: [KeyFobWorldEvent] = []
    private(set) var world: KeyFobWorld!
    private var now = Instant.zero

    init(_ options: PhoneFobOptions = PhoneFobOptions()) {
        world = KeyFobWorld(seed: 1, fob: .phone(options), radio: .air(distance: 1), captures: nil) { [unowned self] in
            happenings.append($0)
        }
        world.start()
        run(for: .milliseconds(100))
    }

    func run(for span: TimeSpan) {
        now += span
        world.run(until: now)
    }

    func say(_ lines: String...) {
        var input = KeyFobInput(.lines, of: .phone)
        for line in lines {
            for item in input.take(Array((line + "\n").utf8)) { world.obey(item) }
            run(for: .zero)
        }
    }

    /// What has been told since this was asked last.
    func news() -> [FobNotice.Change] {
        defer { happenings = [] }
        return happenings.flatMap { happening -> [FobNotice.Change] in
            if case .changed(let notices) = happening { notices.map(\.change) } else { [] }
        }
    }

    var failures: [String] {
        happenings.compactMap { if case .failed(let message, _) = $0 { message } else { nil } }
    }
}

@Suite("A live phone that plays a fob, in virtual time")
struct PhoneFobTests {
    @Test("Its switch is moved at launch, unless it is to wait")
    func launch() {
        let ready = FobNotice.Change.status("Bluetooth Powered On - Ready", colour: "green")
        let workbench = Workbench()
        #expect(workbench.news() == [ready, .fob(.advertising(true))])
        workbench.say("a")
        workbench.run(for: .milliseconds(100))
        #expect(workbench.news() == [.fob(.advertising(false))])
        let waiting = Workbench(PhoneFobOptions(advertisesAtStart: false))
        #expect(waiting.news() == [ready])
        waiting.say("a")
        waiting.run(for: .milliseconds(100))
        #expect(waiting.news() == [.fob(.advertising(true))])
    }

    @Test("Clicks are touches of 200 ms, one after the other")
    func clicks() {
        let workbench = Workbench()
        _ = workbench.news()
        workbench.say("l", "r")
        workbench.run(for: .seconds(1))
        #expect(
            workbench.news() == [
                // The transmit power changes before the button is down.
                .fob(.transmitPower(dBm: -6)), .fob(.keys(.left)), .lamp(.left, on: true),
                .fob(.keys([])), .lamp(.left, on: false), .fob(.keys(.right)), .lamp(.right, on: true),
                .fob(.keys([])), .lamp(.right, on: false),
            ]
        )
        workbench.say("l down", "l down", "r down", "l up", "r up")
        #expect(
            workbench.news().compactMap { if case .fob(.keys(let keys)) = $0 { keys } else { nil } }
                == [KeyFobKeys.left, [.left, .right], .right, []]
        )
    }

    @Test("The slider, the settings and what is before the fob")
    func others() {
        let workbench = Workbench()
        _ = workbench.news()
        workbench.say("b 7", "about")
        #expect(workbench.news() == [.fob(.battery(percent: 7)), .about(true)])
        workbench.say("l", "b 8")
        #expect(workbench.failures.count == 2 && workbench.failures.allSatisfy { $0.contains("say back first") })
        workbench.say("back", "background")
        #expect(workbench.news() == [.about(false), .background(true)])
        workbench.say("a")
        #expect(workbench.failures.count == 1 && workbench.failures[0].contains("foreground"))
        workbench.say("foreground", "bluetooth off", "a")
        #expect(workbench.failures.last?.contains("bluetooth on") == true)
        #expect(workbench.news().contains(.status("Bluetooth Powered Off", colour: "red")))
        for _ in 0..<100 { workbench.say("r") }
        #expect(workbench.failures.contains { $0.contains("busy") })
    }

    @Test(
        "Sensor counts come out of the app as they went in",
        arguments: [-128, -127, -64, -1, 0, 1, 63, 64, 126, 127]
    )
    func counts(count: Int8) {
        let g = Acceleration(x: count, y: 0, z: 0).ofPhone.x
        let magnitude = Int((min(g.magnitude, 1) * 127))
        #expect((g < 0 ? -magnitude : magnitude) == max(Int(count), -127))
    }
}
