#if canImport(Phones)
    import AppTime
    import ArgumentParser
    import ControlPanel
    import KeyFobConsole
    import LiveLoop
    import Phones
    import Stage
    import Testing
    import VirtualTime

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

    private final class LampWorld: SceneOwner {
        let scene: LiveScene
        private let voice: SceneVoice<LampNews>
        private(set) var lamp: LampApp?

        init(_ scene: LiveScene, _ voice: SceneVoice<LampNews>) {
            self.scene = scene
            self.voice = voice
        }

        func begin() {
            let phone = scene.addPhone(named: "Lamp")
            lamp = phone.addApp(named: "Lamp").run { LampApp(clock: .of(world)) }
            lamp?.switched = { [unowned self] isLit in voice.tell(.switched(isLit, at: present)) }
            settle()
        }

        /// An order from outside: the last word is `settle`.
        func press() {
            lamp?.press()
            settle()
        }
    }

    private enum LampNews: SceneNews {
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
        var isLit: Bool

        static let schema = Schema.object(named: "Lamp", ["isLit": .boolean()])
    }

    private enum LampPart {
        static var part: PanelPart<LampWorld> {
            PanelPart("lamp", title: "Lamp", "Whether the lamp is lit.") { owner in
                LampState(isLit: owner.lamp?.isLit ?? false)
            } endpoints: { api in
                [
                    .ordering(.put, "/api/lamp/switch", tag: "Lamp", "Presses the lamp's switch.") {
                        (_, wish: LampState) throws(PanelError) in
                        await api.perform { owner in
                            if owner.lamp?.isLit != wish.isLit { owner.press() }
                            return LampState(isLit: owner.lamp?.isLit ?? false)
                        }
                    }
                ]
            }
        }
    }

    private struct LampCommand: AsyncParsableCommand {
        @OptionGroup(title: "World") var scene: SceneOptions

        func run() async throws {
            let session = SceneSession<LampWorld, LampNews>(options: scene, parts: [LampPart.part])
            let status = await session.run(SceneLines(isJSON: scene.json, heading: "A lamp")) { LampWorld($0, $1) }
            if status != .done { throw status }
        }
    }

    @Suite("The example of how to add an app to the command line and the panel")
    struct SceneExampleTests {
        @Test("The lamp blinks in the scene's time, and tells of each change")
        func blinks() async {
            let (happenings, happened) = AsyncStream.makeStream(of: SceneVoice<LampNews>.Happening.self)
            let live = LiveLoop(
                LampWorld(LiveScene(seed: 1, isVirtual: true, drawsSecrets: false), SceneVoice(happened))
            )
            let api = await PanelAPI(live, parts: [LampPart.part], hasPhones: true)
            await live.perform { $0.begin() }
            await api.perform { $0.press() }
            await api.perform { $0.advance(by: .seconds(25)) }
            happened.finish()
            var lines: [String] = []
            for await happening in happenings {
                if case .news(let news) = happening { lines += [news.json?.text ?? ""] }
            }
            #expect(
                lines
                    == [(0, true), (10, false), (20, true)].map {
                        "{\"event\":\"switched\",\"time\":\($0).0,\"on\":\($1)}"
                    }
            )
            #expect(LampNews.switched(true, at: .zero).line == "The lamp is lit")
            #expect(await live.perform { $0.lamp?.isLit } == true)
        }

        @Test("The command takes what all scenes take")
        func command() throws {
            #expect(try LampCommand.parse(["--seed", "7", "--json", "--no-panel"]).scene.seed == 7)
        }
    }
#endif
