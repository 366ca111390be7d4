import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation
import Synchronization
import Testing

@testable import BluethroatControlPanel

/// What the part of these tests shows.
private struct Count: Described, Equatable {
    static let schemaName = "Count"

    @Property var count = 0
}

/// A workbench whose owner counts, and how often that is asked.
private final class Counting: WorkbenchOwner {
    let workbench = Workbench(seed: 1)
    let isVirtual: Bool
    var count = 0
    private(set) var looks = 0

    init(isVirtual: Bool) { self.isVirtual = isVirtual }

    var look: Count {
        looks += 1
        return Count(count: count)
    }

    var nextEventInstant: Instant? { nil }
    func run(until instant: Instant) {}
    func advance(by span: TimeSpan) {
        workbench.world.run(for: span)
        workbench.ran()
    }
    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? { nil }
}

@Suite("A part that a command adds to the panel")
struct PanelPartTests {
    private static let part = PanelPart<Counting>(
        "count",
        title: "Counting",
        "How far it is.",
        state: { $0.look },
        endpoints: { api in
            [
                .ordering(.put, "/api/count/count", tag: "Counting", "Counts from here.") {
                    (_, new: Count) throws(PanelError) in
                    await api.perform { owner in
                        owner.count = new.count
                        return owner.look
                    }
                }
            ]
        }
    )

    private struct Visit {
        let live: LiveLoop<Counting>
        let api: PanelAPI<Counting>

        init(isVirtual: Bool = true) async {
            live = LiveLoop(Counting(isVirtual: isVirtual))
            api = await PanelAPI(live, parts: [PanelPartTests.part], hasPhones: true)
        }

        func ask(_ method: String, _ path: String, _ body: String = "") async throws -> String {
            let (endpoint, parameters) = try #require(try Router(api.endpoints).find(method, path))
            let call = Call(parameters: parameters, queries: [:], bytes: Data(body.utf8))
            guard case .json(let data) = try await endpoint.handle(call) else { return "" }
            return String(decoding: data, as: UTF8.self)
        }

        /// What a listener has been told, by now.
        func heard(_ queue: BluethroatControlPanel.EventQueue) async throws -> [String] {
            api.hub.say("end", Count(count: 0), to: queue)
            let text = String(decoding: try #require(await queue.next()), as: UTF8.self)
            return text.components(separatedBy: "\n\n").filter { !$0.isEmpty && !$0.hasPrefix("event: end") }
        }

        func listen() async throws -> BluethroatControlPanel.EventQueue {
            let (endpoint, _) = try #require(try Router(api.endpoints).find("GET", "/api/events"))
            let call = Call(parameters: [:], queries: ["topics": "count,end"], bytes: Data())
            guard case .events(let queue) = try await endpoint.handle(call) else {
                throw PanelError.badRequest("no events")
            }
            return queue
        }
    }

    @Test("Its state and its orders are answered, and the world lists it")
    func endpoints() async throws {
        let visit = await Visit()
        #expect(try await visit.ask("GET", "/api/count") == #"{"count":0}"#)
        #expect(try await visit.ask("PUT", "/api/count/count", #"{"count":7}"#) == #"{"count":7}"#)
        #expect(try await visit.ask("GET", "/api/count") == #"{"count":7}"#)
        let world = try JSONDecoder().decode(WorldView.self, from: Data(try await visit.ask("GET", "/api/world").utf8))
        #expect(world.parts == [PartView(name: "count", title: "Counting")])
    }

    @Test("Whoever listens is told how it is, and then each change once")
    func events() async throws {
        let visit = await Visit()
        let queue = try await visit.listen()
        #expect(try await visit.heard(queue) == [#"event: count\#ndata: {"count":0}"#])
        for count in [1, 1, 2] { _ = try await visit.ask("PUT", "/api/count/count", "{\"count\":\(count)}") }
        _ = try await visit.ask("POST", "/api/world/advance", #"{"seconds":1}"#)
        #expect(try await visit.heard(queue) == (1...2).map { "event: count\ndata: {\"count\":\($0)}" })
    }

    @Test("Whoever comes between two changes is told of the second, also where it leads back to what was told last")
    func between() async throws {
        let visit = await Visit()
        func change(to count: Int) async { await visit.live.perform { $0.count = count } }
        func look() async { await visit.live.perform { $0.workbench.ran() } }
        let first = try await visit.listen()
        await look()
        #expect(try await visit.heard(first) == [#"event: count\#ndata: {"count":0}"#])
        await change(to: 1)
        let second = try await visit.listen()
        await change(to: 0)
        await look()
        let told = [1, 0].map { "event: count\ndata: {\"count\":\($0)}" }
        #expect(try await visit.heard(second) == told)
        #expect(try await visit.heard(first) == told)
    }

    @Test("Nobody looks where nobody listens, and where time is real at most thirty times a second")
    func patience() async throws {
        let visit = await Visit(isVirtual: false)
        func count(for milliseconds: Int) async {
            await visit.live.perform { owner in
                for _ in 0..<milliseconds {
                    owner.count += 1
                    owner.workbench.world.run(for: .milliseconds(1))
                    owner.workbench.ran()
                }
            }
        }
        await count(for: 100)
        #expect(await visit.live.perform { $0.looks } == 0)
        let queue = try await visit.listen()
        await count(for: 1000)
        let looks = await visit.live.perform { $0.looks }
        #expect((25...33).contains(looks), "\(looks)")
        // What was the last word is told when it may be.
        #expect(await visit.live.perform { $0.workbench.nextLook } != nil)
        await count(for: 33)
        _ = try await visit.heard(queue)
        queue.close()
        await count(for: 100)
        #expect(await visit.live.perform { $0.looks } <= looks + 1)
    }

    @Test("The description has it, and phones where there may be some")
    func description() async throws {
        let visit = await Visit()
        let document = try JSONAnswer.encoder().encode(OpenAPIDocument(visit.api.endpoints).json)
        let tree = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        let paths = try #require(tree["paths"] as? [String: [String: Any]])
        #expect(paths["/api/count"]?.keys.sorted() == ["get"])
        #expect(paths["/api/count/count"]?.keys.sorted() == ["put"])
        #expect(paths["/api/phones/{device}/screen"] != nil)
        let schemas = try #require((tree["components"] as? [String: Any])?["schemas"] as? [String: Any])
        #expect(schemas["Count"] != nil && schemas["Phone"] != nil)
        let events = try #require(paths["/api/events"]?["get"] as? [String: Any])
        #expect((events["summary"] as? String)?.contains("and here phone (Phone), count (Count).") == true)
    }

    /// A phone that does what it is told.
    private final class Obedient: WorkbenchPhone {
        var shown = PhoneLook()

        init() { shown.apps = [.init(number: 0, name: "App", phase: .foreground)] }

        func look(in world: World) -> PhoneLook { shown }
        func setPower(_ isOn: Bool) { shown.isPowered = isOn }
        func setScreen(_ isOn: Bool) { shown.isScreenOn = isOn }
        func bring(app: Int, to phase: PhoneLook.App.Phase) -> Bool {
            guard app == 0 else { return false }
            shown.apps[0].phase = phase
            return true
        }
    }

    @Test("A phone is seen, and does what its person wants; what is no phone says so")
    func phones() async throws {
        let visit = await Visit()
        await visit.live.perform { owner in
            let id = owner.workbench.world.addController(named: "phone", toHost: { _ in })
            owner.workbench.register(id, as: .phone(Obedient()), named: "phone")
            _ = owner.workbench.addCentral()
        }
        func view(_ text: String) throws -> PhoneView {
            try JSONDecoder().decode(PhoneView.self, from: Data(text.utf8))
        }
        let first = try view(try await visit.ask("GET", "/api/phones/0"))
        #expect(first.isPowered && first.isScreenOn && first.apps.map(\.state) == [.foreground])
        #expect(try view(try await visit.ask("PUT", "/api/phones/0/power", #"{"isOn":false}"#)).isPowered == false)
        #expect(try view(try await visit.ask("PUT", "/api/phones/0/screen", #"{"isOn":false}"#)).isScreenOn == false)
        let suspended = try await visit.ask("PUT", "/api/phones/0/apps/0", #"{"state":"suspended"}"#)
        #expect(try view(suspended).apps.map(\.state) == [.suspended])
        for (path, body, code) in [
            ("/api/phones/9/power", #"{"isOn":true}"#, "no-such-device"),
            ("/api/phones/1/power", #"{"isOn":true}"#, "no-phone"),
            ("/api/phones/0/apps/1", #"{"state":"foreground"}"#, "no-such-app"),
            ("/api/phones/0/apps/x", #"{"state":"foreground"}"#, "no-such-app"),
            ("/api/phones/0/apps/0", #"{"state":"not-running"}"#, "bad-request"),
        ] {
            let error = await #expect(throws: PanelError.self) { try await visit.ask("PUT", path, body) }
            #expect(error?.code == code, "\(path)")
        }
        let devices = try await visit.ask("GET", "/api/devices")
        #expect(devices.contains(#""kind":"phone""#))
    }
}
