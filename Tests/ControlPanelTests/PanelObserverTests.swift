import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation
import Testing

@testable import BluethroatControlPanel

/// A phone, or a fob, of which only its power is seen.
private final class Switched: WorkbenchPhone, WorkbenchFob {
    var isOn = false
    let transmitPower: Int8 = 0

    func look(in world: World) -> PhoneLook {
        var look = PhoneLook()
        look.isPowered = isOn
        return look
    }
    func look(in world: World) -> FobLook {
        var look = FobLook(kind: .hardware)
        look.isPowered = isOn
        return look
    }
    func setPower(_ isOn: Bool) {}
    func setPower(_ isOn: Bool, in world: World) {}
    func setScreen(_ isOn: Bool) {}
    func bring(app: Int, to phase: PhoneLook.App.Phase) -> Bool { false }
    func hold(_ keys: KeyFobKeys, in world: World) {}
    func setBattery(percent: Int, in world: World) {}
    func tilt(x: Double, y: Double, z: Double, in world: World) {}
    func advertise(_ isOn: Bool, in world: World) -> Bool { false }
}

@Suite("What the panel says of a workbench")
struct PanelObserverTests {
    private let workbench = Workbench(seed: 1)
    private let hub = EventHub()
    private let observer: PanelObserver

    init() {
        observer = PanelObserver(hub: hub, isVirtual: false)
        workbench.add(observer)
    }

    /// Runs the world as a live loop would that wakes up often.
    private func run(for span: TimeSpan, every step: TimeSpan = .milliseconds(5)) {
        let end = workbench.world.now + span
        while workbench.world.now < end {
            workbench.world.run(for: step)
            workbench.ran()
        }
    }

    /// The events that wait for somebody, by topic.
    private func topics(_ queue: BluethroatControlPanel.EventQueue) async throws -> [String] {
        hub.say("end", WorldView(time: 0, isVirtual: false, seed: ""), to: queue)
        let text = String(decoding: try #require(await queue.next()), as: UTF8.self)
        return text.components(separatedBy: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
            .filter { $0 != "end" }
    }

    @Test("Where nothing happens only the seconds are told")
    func quiet() async throws {
        let queue = hub.listen(to: ["world", "devices", "fob", "end"])
        run(for: .milliseconds(1100))
        _ = try await topics(queue)
        run(for: .seconds(10))
        #expect(try await topics(queue) == Array(repeating: "world", count: 10))
    }

    @Test("A device that comes, moves or goes is told once, within a quarter of a second")
    func devices() async throws {
        let queue = hub.listen(to: ["devices", "end"])
        run(for: .seconds(1))
        _ = try await topics(queue)
        let id = workbench.addCentral()
        run(for: .milliseconds(300))
        #expect(try await topics(queue) == ["devices"])
        workbench.move(id, to: .metres(x: 3))
        run(for: .seconds(2))
        #expect(try await topics(queue) == ["devices"])
        workbench.remove(id)
        run(for: .seconds(2))
        #expect(try await topics(queue) == ["devices"])
    }

    @Test("However fast things happen, it looks no more than thirty times a second, and tells of what is so at last")
    func often() async throws {
        let id = workbench.addCentral()
        run(for: .seconds(1))
        let topic = "central:\(id.rawValue)"
        let queue = hub.listen(to: [topic, "end"])
        var isOn = false
        for _ in 0..<1001 {
            isOn.toggle()
            _ = workbench.order(id) { $0.scan(isOn, host: $1, at: $2, into: &$3) }
            workbench.world.run(for: .milliseconds(1))
            workbench.ran()
        }
        run(for: .milliseconds(100))
        let count = try await topics(queue).count
        #expect((1...34).contains(count))
        #expect(workbench.centralView(id)?.isScanning == true)
        #expect(hub.isListenedTo(topic))
    }

    @Test("Whoever comes between two changes is told of the second, also where it leads back to what was told last")
    func between() async throws {
        let central = workbench.addCentral()
        let (phone, fob) = (Switched(), Switched())
        for (role, name) in [(Workbench.DeviceRole.phone(phone), "phone"), (.keyFob(fob), "key fob")] {
            workbench.register(workbench.world.addController(named: name, toHost: { _ in }), as: role, named: name)
        }
        func turn(_ isOn: Bool) {
            phone.isOn = isOn
            fob.isOn = isOn
            _ = workbench.order(central) { $0.scan(isOn, host: $1, at: $2, into: &$3) }
            workbench.move(central, to: .metres(x: isOn ? 1 : 2))
        }
        let topics: Set<String> = ["devices", "fob", "phone", "central:\(central.rawValue)"]
        let first = hub.listen(to: topics.union(["end"]), on: workbench)
        turn(true)
        run(for: .seconds(1))
        _ = try await self.topics(first)
        turn(false)
        let second = hub.listen(to: topics.union(["end"]), on: workbench)
        // Who has been there hears of the change as well.
        #expect(Set(try await self.topics(first)) == topics)
        #expect(Set(try await self.topics(second)) == topics)
        first.close()
        turn(true)
        run(for: .milliseconds(300))
        #expect(Set(try await self.topics(second)) == topics)
    }

    @Test("It does not want to look again where nobody listens, and does where somebody does")
    func appointments() {
        run(for: .seconds(1))
        #expect(observer.nextLook == nil)
        let queue = hub.listen(to: ["world", "end"])
        run(for: .milliseconds(50))
        #expect(observer.nextLook.map { $0 <= workbench.world.now + .seconds(1) } == true)
        queue.close()
        #expect(observer.nextLook == nil)
    }

    @Test("Packets come in batches, and those that are not shown are counted")
    func air() async throws {
        let queue = hub.listen(to: ["air", "end"])
        for _ in 0..<3 {
            let id = workbench.addCentral()
            _ = workbench.order(id) { $0.scan(true, host: $1, at: $2, into: &$3) }
        }
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        let device = KeyFobDevice(options: options)
        workbench.world.addDevice(
            named: "key fob",
            controller: .core40(publicAddress: KeyFobDevice.address(), company: .texasInstruments),
            host: KeyFobDevice.hostConfiguration(seed: 1),
            application: device
        )
        workbench.world.run(for: .seconds(60))
        workbench.ran()
        hub.say("end", WorldView(time: 0, isVirtual: false, seed: ""), to: queue)
        let text = String(decoding: try #require(await queue.next()), as: UTF8.self)
        let lines = text.components(separatedBy: "\n")
        let data = try #require(lines.firstIndex(of: "event: air").map { lines[$0 + 1].dropFirst(6) })
        let list = try JSONDecoder().decode(PacketList.self, from: Data(data.utf8))
        #expect(list.packets.count == PanelObserver.packetsAtOnce)
        #expect(list.skipped + list.packets.count == list.packets.last?.number)
    }

    @Test("A central goes three minutes after the last sign of its page, and not before anybody has listened to it")
    func patience() {
        let (left, right) = (workbench.addCentral(), workbench.addCentral())
        run(for: .seconds(90), every: .milliseconds(100))
        #expect(workbench.central(left) != nil)
        let queue = hub.listen(to: ["central:\(left.rawValue)", "end"])
        run(for: .seconds(90), every: .milliseconds(100))
        queue.close()
        run(for: .seconds(170), every: .milliseconds(100))
        #expect(workbench.central(left) != nil)
        // A page of which the browser has put the stream to sleep asks now and then.
        workbench.central(left)?.noteUse(at: workbench.world.now)
        run(for: .seconds(170), every: .milliseconds(100))
        #expect(workbench.central(left) != nil)
        run(for: .seconds(15), every: .milliseconds(100))
        #expect(workbench.central(left) == nil)
        #expect(workbench.central(right) != nil)
    }
}
