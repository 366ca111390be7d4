import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation
import Testing

@testable import BluethroatControlPanel

/// A workbench with a host outside that is sent a packet each second, and answers from a thread of its own.
private final class Hosted: WorkbenchOwner {
    let workbench = Workbench(seed: 1)
    let isVirtual: Bool
    /// Whether something comes from the host whenever one looks.
    let isRestless: Bool
    /// Called when the host is sent a packet; it answers by `answer`.
    var send: @Sendable () -> Void = {}
    private(set) var answers: [Instant] = []
    private var count = 0

    init(isVirtual: Bool = true, isRestless: Bool = false) {
        self.isVirtual = isVirtual
        self.isRestless = isRestless
    }

    var hostPacketCount: Int {
        if isRestless { count += 1 }
        return count
    }

    func answer() {
        count += 1
        answers.append(workbench.world.now)
    }

    func advanceToHostPacket(within span: TimeSpan) -> TimeSpan {
        let step = min(span, .seconds(1))
        workbench.world.run(for: step)
        if span > step {
            count += 1
            send()
        }
        return span - step
    }

    var nextEventInstant: Instant? { nil }
    func run(until instant: Instant) {}
    func advance(by span: TimeSpan) { workbench.world.run(for: span) }
    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? { nil }
}

@Suite("Virtual time by the panel's API")
struct PanelTimeTests {
    private func advance(_ live: LiveLoop<Hosted>, _ body: String) async throws -> WorldView {
        let api = await PanelAPI(live)
        let (endpoint, parameters) = try #require(try Router(api.endpoints).find("POST", "/api/world/advance"))
        let call = Call(parameters: parameters, queries: [:], bytes: Data(body.utf8))
        guard case .json(let data) = try await endpoint.handle(call) else { return WorldView() }
        return try JSONDecoder().decode(WorldView.self, from: data)
    }

    @Test("With hostSeconds time stands still until hosts outside have answered")
    func hostsAnswer() async throws {
        let live = LiveLoop(Hosted())
        await live.perform { owner in
            owner.send = { Task { live.post { $0.answer() } } }
        }
        let world = try await advance(live, #"{"seconds":3,"hostSeconds":0.3}"#)
        #expect(world.time == 3)
        #expect(await live.perform { $0.answers } == [1, 2].map { .zero + .seconds($0) })
    }

    @Test("Without it time waits for nobody, and passes at once")
    func nobodyIsWaitedFor() async throws {
        let live = LiveLoop(Hosted())
        #expect(try await advance(live, #"{"seconds":86400}"#).time == 86_400)
        #expect(await live.perform { $0.answers } == [])
    }

    @Test("A host that never rests does not stop time for ever")
    func restless() async throws {
        let live = LiveLoop(Hosted(isRestless: true))
        #expect(try await advance(live, #"{"seconds":2,"hostSeconds":0.0001}"#).time == 2)
    }

    @Test(
        "Too much of either, and real time, are refused",
        arguments: [#"{"seconds":1,"hostSeconds":11}"#, #"{"seconds":-1}"#]
    )
    func refused(body: String) async throws {
        await #expect(throws: PanelError.self) { try await advance(LiveLoop(Hosted()), body) }
        let real = LiveLoop(Hosted(isVirtual: false))
        for body in [#"{"seconds":1}"#, #"{"seconds":1,"hostSeconds":0.1}"#] {
            await #expect(throws: PanelError.self) { try await advance(real, body) }
        }
        #expect(await real.perform { $0.workbench.world.now } == .zero)
    }

    @Test("The page's files are looked for beside the program, behind links to it, and nowhere else")
    func places() {
        let places = Pages.places(of: URL(fileURLWithPath: "/usr/local/lib/bluethroat/bluethroat")).map(\.path)
        #expect(places.contains("/usr/local/lib/bluethroat/bluethroat_BluethroatControlPanel.resources/Pages"))
        #expect(places.allSatisfy { $0.hasPrefix("/usr/local/lib/bluethroat/") })
        #expect(Pages.bundled()?["/index.html"] != nil)
    }
}
