import ArgumentParser
import BluethroatAppEnvironment
import BluethroatControlPanel
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatLiveLoop
import BluethroatPhones
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@testable import BluethroatLive
@testable import bluethroat

// The example of docs/architecture.md, word by word, with an app that blinks.

private final class LampApp {
    var switched: (Bool) -> Void = { _ in }
    private(set) var isLit = false
    private var timer: AppTimer?

    init(clock: AppClock) { timer = clock.each(10) { [unowned self] in press() } }

    func press() {
        isLit.toggle()
        switched(isLit)
    }
}

private final class LampWorld: LiveSystem {
    let session: LiveSession
    private let events: EventSink<LampEvent>
    private(set) var lamp: LampApp?

    init(_ session: LiveSession, _ events: EventSink<LampEvent>) {
        self.session = session
        self.events = events
    }

    func begin() {
        let phone = session.addPhone(named: "Lamp")
        lamp = phone.addApp(named: "Lamp").run { LampApp(clock: .of(world)) }
        lamp?.switched = { [unowned self] isLit in events.emit(.switched(isLit, at: present)) }
        settle()
    }

    /// An order from outside: the last word is `settle`.
    func press() {
        lamp?.press()
        settle()
    }
}

private enum LampEvent: LiveSessionEvent {
    case switched(Bool, at: Instant)

    var line: String? {
        switch self {
        case .switched(let isLit, _): isLit ? "The lamp is lit" : "The lamp is dark"
        }
    }

    var json: JSONLine? {
        switch self {
        case .switched(let isLit, let now):
            var line = JSONLine(event: "switched", time: now)
            line.add("on", isLit)
            return line
        }
    }
}

private struct LampState: Described, Equatable {
    static let schemaName = "Lamp"

    @Property("Whether the lamp is lit.") var isLit = false
}

private enum LampPart {
    static var part: PanelPart<LampWorld> {
        PanelPart("lamp", title: "Lamp", "Whether the lamp is lit.") { owner in
            LampState(isLit: owner.lamp?.isLit ?? false)
        } endpoints: { api in
            [
                .ordering(.put, "/api/lamp/switch", tag: "Lamp", "Presses the lamp's switch.") {
                    (_, wanted: LampState) throws(PanelError) in
                    await api.perform { owner in
                        if owner.lamp?.isLit != wanted.isLit { owner.press() }
                        return LampState(isLit: owner.lamp?.isLit ?? false)
                    }
                }
            ]
        }
    }
}

private struct LampCommand: AsyncParsableCommand {
    @OptionGroup(title: "World") var session: SessionOptions

    func run() async throws {
        let writer = LineWriter<LampEvent>(isJSON: session.json, heading: "A lamp", to: .standard)
        try await session.run(writer, parts: [LampPart.part]) { LampWorld($0, $1) }
    }
}

@Suite("The example of how to add an app to the command line and the panel")
struct SessionExampleTests {
    @Test("The lamp blinks in the session's time, and tells of each change")
    func blinks() async {
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<LampEvent>.Item.self)
        let live = LiveLoop(
            LampWorld(LiveSession(seed: 1, isVirtual: true, drawsSecrets: false), EventSink(continuation))
        )
        let api = await PanelAPI(live, parts: [LampPart.part], hasPhones: true)
        await live.perform { $0.begin() }
        await api.perform { $0.press() }
        await api.perform { $0.advance(by: .seconds(25)) }
        continuation.finish()
        var lines: [String] = []
        for await item in items {
            if case .event(let event) = item { lines += [event.json?.text ?? ""] }
        }
        #expect(
            lines
                == [(0, true), (10, false), (20, true)].map {
                    "{\"event\":\"switched\",\"time\":\($0).0,\"on\":\($1)}"
                }
        )
        #expect(LampEvent.switched(true, at: .zero).line == "The lamp is lit")
        #expect(await live.perform { $0.lamp?.isLit } == true)
    }

    @Test("The command takes what all sessions take")
    func command() throws {
        #expect(try LampCommand.parse(["--seed", "7", "--json", "--no-panel"]).session.seed == 7)
    }
}
