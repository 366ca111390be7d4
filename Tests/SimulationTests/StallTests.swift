import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// An application whose timer is always late.
private final class LateTimer: HostApplication {
    var nextDeadline: Instant? = .zero + .milliseconds(500)
    private(set) var count = 0
    /// After so many times the timer is disarmed.
    var last = Int.max

    func start(host: Host, at now: Instant, into actions: inout HostActions) {}
    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {}
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        count += 1
        if count >= last { nextDeadline = nil }
    }
}

@Suite("A world in which no time passes stops and says why")
struct StallTests {
    @Test("A timer that is armed for the past again and again stops the world, and its device is named")
    func lateTimer() throws {
        let world = World(seed: 1)
        world.addDevice(named: "bystander", application: Recorder())
        let application = LateTimer()
        let id = world.addDevice(named: "looper", application: application)
        var reports: [StallReport] = []
        world.whenStalled = { reports.append($0) }
        world.run(for: .seconds(10))

        let report = try #require(world.stall)
        #expect(reports == [report])
        #expect(world.now == .zero + .milliseconds(500) && report.instant == world.now)
        #expect(report.participants.map(\.device) == [id] && report.action == nil)
        #expect(report.participants[0].applicationTimers >= 900 && report.participants[0].lastDeadline == world.now)
        #expect(application.count >= 99_000 && application.count <= 100_001)
        let text = report.description
        #expect(
            text.hasPrefix(
                "the world stands still at @0.5 s: 100000 steps and no time has passed; looper (device 1): timer of the "
                    + "application "
            )
        )
        #expect(text.hasSuffix(" times, armed for @0.5 s"))

        // Nothing more happens, and a caller that waits for the next event does not wait in a loop.
        world.run(for: .seconds(10))
        #expect(world.now == report.instant && reports.count == 1 && world.nextEventInstant == nil)
        #expect(!world.run(for: .seconds(1)) { false })
    }

    @Test("A device that does much at one instant, within the limit, is no stall; the limit can be set")
    func limit() {
        for (limit, stalls) in [(1_000, true), (5_000, false)] {
            let world = World(seed: 1)
            world.stallLimit = limit
            let application = LateTimer()
            application.last = 3_000
            world.addDevice(named: "busy", application: application)
            world.run(for: .seconds(1))
            #expect((world.stall != nil) == stalls)
            #expect((world.now == .zero + .seconds(1)) == !stalls)
            #expect(stalls || application.count == 3_000)
        }
    }

    @Test("Many devices that do something at one instant are no stall")
    func crowd() {
        let world = World(seed: 1)
        world.stallLimit = 200
        for number in 0..<150 { world.addDevice(named: "\(number)", application: Recorder()) }
        for _ in 0..<1_000 { world.schedule(at: .zero + .seconds(1)) { _ in } }
        world.run(for: .seconds(2))
        #expect(world.stall == nil && world.now == .zero + .seconds(2))
    }

    @Test("Calls from outside at one instant are no stall, however many")
    func outside() {
        let world = World(seed: 1)
        world.stallLimit = 50
        let id = world.addController(named: "client") { _ in }
        for _ in 0..<500 { world.receive(hci: Command.reset.packet(), for: id) }
        for _ in 0..<500 { world.schedule(at: world.now) { _ in } }
        world.run(for: .seconds(1))
        #expect(world.stall == nil && world.now == .zero + .seconds(1))
    }

    @Test("Two hosts that answer each other's packets in no time stop the world, and both are named")
    func pingPong() throws {
        let world = World(seed: 1)
        var ids: [DeviceID] = []
        var count = 0
        for number in 0..<2 {
            ids.append(
                world.addController(named: "host \(number)") { _ in
                    count += 1
                    // What one hears makes the other one speak.
                    world.receive(hci: Command.readBDADDR.packet(), for: ids[1 - number])
                }
            )
        }
        let quiet = world.addController(named: "quiet") { _ in }
        world.schedule(at: .zero + .seconds(1)) { $0.receive(hci: Command.readBDADDR.packet(), for: ids[0]) }
        world.receive(hci: Command.reset.packet(), for: quiet)
        world.run(for: .seconds(2))

        let report = try #require(world.stall)
        #expect(world.now == .zero + .seconds(1))
        #expect(Set(report.participants.map(\.name)) == ["host 0", "host 1"])
        for participant in report.participants {
            #expect(participant.packetsToController >= 100 && participant.packetsToHost >= 100)
        }
        #expect(report.description.contains("HCI packets to the controller") && count <= 210_000)
    }

    @Test("A host that does so between two runs stops the world, too")
    func outsideRun() throws {
        let world = World(seed: 1)
        var id: DeviceID?
        var reports = 0
        world.whenStalled = { _ in reports += 1 }
        id = world.addController(named: "chatter") { _ in
            if let id { world.receive(hci: Command.readBDADDR.packet(), for: id) }
        }
        world.receive(hci: Command.readBDADDR.packet(), for: try #require(id))
        #expect(world.stall?.participants.map(\.name) == ["chatter"] && reports == 1)
        world.run(for: .seconds(1))
        #expect(world.now == .zero)
    }

    @Test("An action that schedules itself for the present instant stops the world, and its line is named")
    func action() throws {
        let world = World(seed: 1)
        var count = 0
        func again(_ world: World) {
            count += 1
            world.schedule(at: world.now, again)
        }
        world.schedule(at: .zero + .seconds(1), again)
        world.run(for: .seconds(2))
        let report = try #require(world.stall)
        #expect(count == 100_001 && report.instant == .zero + .seconds(1) && report.participants.isEmpty)
        #expect(report.action?.fileID == "SimulationTests/StallTests.swift")
        #expect(
            report.description.contains("an action scheduled for the present instant in SimulationTests/StallTests")
        )
    }

    @Test("Once the device that kept it busy is removed, the world goes on where it was")
    func resume() {
        let world = World(seed: 1)
        let other = Recorder()
        let id = world.addDevice(named: "looper", application: LateTimer())
        world.addDevice(named: "other", application: other)
        var isReached = false
        world.schedule(at: .zero + .seconds(2)) { _ in isReached = true }
        world.run(for: .seconds(3))
        #expect(world.stall != nil && !isReached)
        world.resume()
        world.run(for: .seconds(3))
        #expect(world.stall != nil && !isReached)
        world.remove(id)
        world.resume()
        world.run(for: .seconds(3))
        #expect(world.stall == nil && isReached && world.now == .zero + .milliseconds(3_500))
    }
}
