import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// A run of a script, with all that was told.
private final class Run {
    private(set) var events: [KeyFobWorldEvent] = []
    private(set) var world: KeyFobWorld!

    init(_ script: KeyFobScript, fob: FobChoice, count: Int = 1, seed: UInt64 = 1, for span: TimeSpan = .seconds(45)) {
        world = KeyFobWorld(
            seed: seed,
            fob: fob,
            count: count,
            radio: .air(distance: 1),
            captures: nil,
            script: script
        ) { [unowned self] in events.append($0) }
        world.start()
        world.run(until: .zero + span)
    }

    /// All of it but what came after the end was asked for.
    var told: [KeyFobWorldEvent] {
        Array(events.prefix { if case .askedToEnd = $0 { false } else { true } })
    }

    var fob: [KeyFobNotice.Change] {
        told.flatMap { event -> [KeyFobNotice.Change] in
            guard case .changed(let notices) = event else { return [] }
            return notices.compactMap { if case .fob(let change) = $0.change { change } else { nil } }
        }
    }

    var central: [CentralNotice.Change] {
        told.compactMap { if case .central(let notice) = $0 { notice.change } else { nil } }
    }

    var failures: [String] {
        told.compactMap { if case .failed(let why, _) = $0 { why } else { nil } }
    }

    var lines: [String] { told.map { "\($0)" } }
}

@Suite("Scripts with a central: the alarm of a key fob that is left behind")
struct AlarmScriptTests {
    private static let board = FobChoice.hardware(
        {
            var options = KeyFobOptions()
            options.advertisesAtStart = true
            return options
        }()
    )

    private func example(_ vocabulary: KeyFobWord.Vocabulary = .hardware) throws -> KeyFobScript {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try KeyFobScript(file: root.appending(path: "Examples/alarm.words").path, of: vocabulary)
    }

    @Test("The link is lost, the fob sounds the level that was written, and is quiet when the central is back")
    func alarm() throws {
        let run = Run(try example(), fob: Self.board)
        #expect(run.failures.isEmpty)
        #expect(
            run.central == [
                .connected, .wrote("2A06", [2]), .disconnected("connection timeout"), .connected,
            ]
        )
        let steps = run.fob.compactMap { change -> String? in
            switch change {
            case .connected: "connected"
            case .disconnected(_, .connectionTimeout): "lost"
            case .disconnected: "disconnected"
            case .alert(.high, .linkLoss?): "alarm"
            case .alert(.none, _): "quiet"
            case .alert: "another alert"
            default: nil
            }
        }
        #expect(steps == ["connected", "lost", "alarm", "connected", "quiet"])
        // Until the central is back: a beep a second.
        #expect((4...9).contains(run.fob.count { $0 == .tone(hertz: 4_096) }))
    }

    @Test(
        "The same seed is the same run, to the last frame; another seed is another one",
        arguments: [UInt64(1), 2, 3, 2_026]
    )
    func replay(seed: UInt64) throws {
        let script = try example()
        let run = Run(script, fob: Self.board, seed: seed), again = Run(script, fob: Self.board, seed: seed)
        #expect(run.lines == again.lines)
        #expect(run.world.world.digest == again.world.world.digest)
        #expect(Run(script, fob: Self.board, seed: seed + 1_000).world.world.digest != run.world.world.digest)
        #expect(run.central.count { $0 == .connected } == 2)
    }

    @Test("The phone that plays a fob sounds it as well")
    func phone() throws {
        let run = Run(try example(.phone), fob: .phone(PhoneFobOptions()))
        #expect(run.failures.isEmpty)
        #expect(run.central.contains(.wrote("2A06", [2])) && run.central.contains(.disconnected("connection timeout")))
        #expect(
            run.fob.contains { if case .alert(.high, .linkLoss?) = $0 { true } else { false } },
            "\(run.fob)"
        )
    }

    @Test("Orders wait for each other, and are told with what came of them")
    func orders() throws {
        let script = try KeyFobScript(
            parsing: """
                @1 central connect
                central read 2A19
                central subscribe FFE1
                @9 l
                @12 central write 1802/2A06 01
                @13 central write 2A06 01
                central read 2A37
                central write 2A19 00
                central disconnect
                @27 central read 2A19
                """,
            named: "words"
        )
        let run = Run(script, fob: Self.board, for: .seconds(32))
        #expect(
            run.central.prefix(6) == [
                .connected, .read("2A19", [100]), .subscribed("FFE1"), .notified("FFE1", [1]), .notified("FFE1", [0]),
                .wrote("2A06", [1]),
            ]
        )
        #expect(run.fob.contains(.alert(.mild, .immediate)))
        // Two have the UUID, one is not there, one cannot be written, and at last there is no connection.
        #expect(run.failures.count == 3, "\(run.failures)")
        #expect(run.failures.first?.contains("more than one 2A06") == true)
        #expect(run.failures.dropFirst().first?.contains("has no 2A37") == true)
        #expect(run.failures.last?.contains("no connection") == true)
        let refused = run.central.compactMap { if case .failed(let why) = $0 { why } else { nil } }
        #expect(refused.count == 1 && refused[0].contains("2A19 was not written"), "\(refused)")
    }

    @Test("An order for a fob that does not answer fails in time, and the next one is done")
    func nobodyThere() throws {
        let script = try KeyFobScript(
            parsing: "@1 central d 5000\ncentral connect\n@13 central d 0\ncentral connect",
            named: "words"
        )
        let run = Run(script, fob: Self.board, for: .seconds(20))
        #expect(run.central.count == 2 && run.central.last == .connected, "\(run.central)")
        guard case .failed? = run.central.first else {
            Issue.record("\(run.central)")
            return
        }
        let away = try KeyFobScript(parsing: "@1 central d 5000\ncentral connect\ncentral disconnect", named: "words")
        let alone = Run(away, fob: Self.board, for: .seconds(20))
        #expect(alone.central.count == 1 && alone.failures.count == 1, "\(alone.central) \(alone.failures)")
    }

    @Test(
        "A central that disconnects and connects on the next line has a new connection",
        arguments: [UInt64(1), 2, 3]
    )
    func connectAnew(seed: UInt64) throws {
        let script = try KeyFobScript(
            parsing: "@1 central connect\ncentral disconnect\ncentral connect\ncentral read 2A19",
            named: "words"
        )
        let run = Run(script, fob: Self.board, seed: seed, for: .seconds(20))
        #expect(run.failures.isEmpty && run.central.count == 4, "\(run.central) \(run.failures)")
        #expect(run.central.first == .connected)
        guard case .disconnected? = run.central.dropFirst().first else {
            Issue.record("\(run.central)")
            return
        }
        #expect(Array(run.central.dropFirst(2)) == [.connected, .read("2A19", [100])])
    }

    @Test("A central that disconnects out of earshot goes on when the link is given up")
    func disconnectFarAway() throws {
        let script = try KeyFobScript(
            parsing: "@1 central connect\n@3 central d 5000\ncentral disconnect\ncentral read 2A19",
            named: "words"
        )
        let run = Run(script, fob: Self.board, for: .seconds(60))
        #expect(run.central.count == 2 && run.central.first == .connected, "\(run.central)")
        #expect(run.failures.count == 1 && run.failures[0].contains("no connection"), "\(run.failures)")
    }

    @Test("With several fobs each line is for its own, and the central has a connection with each")
    func several() throws {
        let script = try KeyFobScript(
            parsing: "@1 2 central connect\n3 central connect\n2 central read 2A19\n3\ncentral write 1802/2A06 02",
            named: "words",
            fobs: 3
        )
        let run = Run(script, fob: Self.board, count: 3, for: .seconds(60))
        let numbers = run.told.compactMap { event -> Int? in
            if case .of(let fob, .central) = event { fob } else { nil }
        }
        #expect(numbers == [2, 3, 2, 3])
        let sounding = run.told.contains {
            guard case .of(3, .changed(let notices)) = $0 else { return false }
            return notices.contains { $0.change == .fob(.alert(.high, .immediate)) }
        }
        #expect(sounding)
    }

    @Test("A file that is none, or too long, is one line")
    func files() {
        for path in ["/nowhere/words", "/dev/zero", "/"] {
            let error = #expect(throws: (any Error).self) { try KeyFobScript(file: path, of: .hardware) }
            #expect(error.map { "\($0)".hasPrefix(path) } == true, "\(String(describing: error))")
        }
    }
}
