import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatLiveLoop
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// A key fob's world, run by hand, with all that it told.
private final class Workbench {
    private(set) var happenings: [KeyFobWorldEvent] = []
    private(set) var world: KeyFobWorld!
    var now = Instant.zero

    init(_ radio: KeyFobWorld.Radio = .air(distance: 1), captures: Captures? = nil) {
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        world = KeyFobWorld(seed: 1, fob: .hardware(options), radio: radio, captures: captures) { [unowned self] in
            happenings.append($0)
        }
    }

    func run(for span: TimeSpan) {
        now += span
        world.run(until: now)
    }

    func say(_ line: String) throws {
        var input = KeyFobInput(.lines)
        for item in input.take(Array((line + "\n").utf8)) { world.obey(item) }
    }

    var changes: [KeyFobNotice.Change] {
        var changes: [KeyFobNotice.Change] = []
        for case .changed(let notices) in happenings { changes += notices.compactMap(\.hardware) }
        return changes
    }

    var failures: [String] {
        var failures: [String] = []
        for case .failed(let message, _) in happenings { failures.append(message) }
        return failures
    }

    var quits: Bool { happenings.contains { if case .askedToEnd = $0 { true } else { false } } }
}

extension FobNotice {
    /// What TI's fob can tell, too.
    fileprivate var hardware: KeyFobNotice.Change? { if case .fob(let change) = change { change } else { nil } }
}

@Suite("A live key fob, in virtual time")
struct KeyFobWorldTests {
    @Test("Words with times are done at these times, whatever the order of the lines, and the same in each run")
    func script() throws {
        func run() throws -> [String] {
            let bench = Workbench()
            bench.world.start()
            for line in ["@4 b 50", "@2.5 r down", "@3 r up", "@2 l"] { try bench.say(line) }
            bench.run(for: .seconds(12))
            var lines: [String] = []
            for case .changed(let notices) in bench.happenings {
                lines += notices.map { "\($0.time) \($0.change)" }
            }
            return lines
        }
        let lines = try run()
        let keys = lines.filter { $0.contains("keys(") }
        #expect(keys.count == 4, "\(keys)")
        #expect(try run() == lines)
        let bench = Workbench()
        bench.world.start()
        try bench.say("@2 l")
        bench.run(for: .milliseconds(1_999))
        #expect(!bench.changes.contains(.keys(.left)))
        bench.run(for: .milliseconds(2))
        #expect(bench.changes.contains(.keys(.left)))
        try bench.say("@1 r")
        bench.run(for: .milliseconds(1_000))
        #expect(bench.changes.contains(.keys(.right)), "a time that is over is now")
    }

    @Test(
        "Switched off and on at once it advertises, whatever its radio was about to do",
        arguments: [TimeSpan.zero, .milliseconds(500), .seconds(1)]
    )
    func advertisesAnew(age: TimeSpan) throws {
        let workbench = Workbench()
        workbench.world.start()
        workbench.run(for: age)
        let session = workbench.world.session
        let fob = try #require(session.workbench.entries.first.flatMap { session.workbench.fob($0.id) })
        for isOn in [false, true] { #expect(fob.advertise(isOn, in: session.workbench.world)) }
        workbench.run(for: .seconds(2))
        #expect(workbench.changes.last { if case .advertising = $0 { true } else { false } } == .advertising(true))
    }

    @Test("It powers up, advertises, and obeys words")
    func words() throws {
        let workbench = Workbench()
        workbench.world.start()
        workbench.run(for: .seconds(1))
        #expect(workbench.changes.contains(.advertising(true)))
        try workbench.say("l")
        workbench.run(for: .seconds(1))
        #expect(workbench.changes.contains(.keys(.left)))
        #expect(workbench.changes.last == .led(.led1, on: false) || workbench.changes.contains(.keys([])))
        try workbench.say("q")
        #expect(workbench.quits)
    }

    @Test("A word nobody knows, and one that cannot be obeyed, is told of and changes nothing")
    func unknown() throws {
        let workbench = Workbench()
        workbench.world.start()
        try workbench.say("fly")
        #expect(workbench.failures.count == 1)
        for _ in 0..<200 { try workbench.say("l") }
        #expect(workbench.failures.contains { $0.contains("busy") })
    }

    @Test("A host from outside gets a controller that answers, and takes it along when it goes")
    func clients() throws {
        let workbench = Workbench()
        workbench.world.start()
        var first: [[UInt8]] = []
        var second: [[UInt8]] = []
        workbench.world.attach(1) { first.append($0) }
        workbench.world.attach(2) { second.append($0) }
        workbench.world.receive([Command.reset.packet()], from: 1)
        workbench.run(for: .milliseconds(10))
        #expect(first == [[0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]] || first.first?[0] == 0x04)
        #expect(second.isEmpty)
        workbench.world.detach(1)
        let heard = first.count
        workbench.world.receive([Command.reset.packet()], from: 1)
        workbench.world.receive([Command.reset.packet()], from: 2)
        workbench.run(for: .milliseconds(10))
        #expect(first.count == heard)
        #expect(second.count == 1)
        workbench.world.detach(7)
    }

    @Test("The fob can be carried away on the virtual air, and not on a real controller")
    func distance() throws {
        let near = Workbench()
        near.world.start()
        try near.say("d 50")
        #expect(near.failures.isEmpty)
        let real = Workbench(.controller)
        var sent: [[UInt8]] = []
        real.world.start { sent.append($0) }
        real.run(for: .seconds(1))
        #expect(sent.first == Command.reset.packet())
        try real.say("d 50")
        #expect(real.failures.count == 1)
        #expect(!real.changes.contains(.advertising(true)))
    }

    @Test("A controller that never answers is told of")
    func silence() {
        let workbench = Workbench(.controller)
        workbench.world.start { _ in }
        workbench.run(for: .seconds(30))
        #expect(
            workbench.changes.contains { if case .radioFailed = $0 { true } else { false } },
            "\(workbench.changes)"
        )
    }
}

@Suite("Captures")
struct CapturesTests {
    private let folder = NSTemporaryDirectory() + "bluethroat-captures-\(UUID().uuidString)/"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func open(air: String?, log: String?) throws(CaptureError) -> Captures {
        try Captures(air: air, log: log, epoch: .unix) { Issue.record("\($0)") }
    }

    private func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    @Test("They have their headers at once, grow while the world runs, and are complete when it is finished")
    func growth() throws {
        let (air, log) = (folder + "air.pcapng", folder + "hci.btsnoop")
        let captures = try open(air: air, log: log)
        captures.flush()
        let workbench = Workbench(captures: captures)
        let headers = (size(air), size(log))
        #expect(headers.0 > 28)
        #expect(headers.1 == 16)
        workbench.world.start()
        // Advertising every 100 ms: each half second the files are brought up to date.
        workbench.run(for: .milliseconds(1_200))
        let early = (size(air), size(log))
        #expect(early.0 > headers.0)
        #expect(early.1 > headers.1)
        workbench.run(for: .seconds(5))
        #expect(size(air) > early.0)
        workbench.world.finish()
        let end = size(air)
        workbench.run(for: .seconds(5))
        #expect(size(air) == end)
    }

    @Test("What waits to be written is an event of the world's, and nothing else wakes it for that")
    func deadline() throws {
        let captures = try open(air: folder + "quiet.pcapng", log: nil)
        #expect(captures.flushDeadline == nil)
        let workbench = Workbench(captures: captures)
        workbench.world.start()
        #expect(workbench.world.nextEventInstant != nil)
        workbench.run(for: .milliseconds(600))
        let due = try #require(captures.flushDeadline)
        #expect(try #require(workbench.world.nextEventInstant) <= due)
    }

    @Test("A file that cannot be made is one line with its path")
    func impossible() {
        let path = folder + "nowhere/air.pcapng"
        let error = #expect(throws: CaptureError.self) { try open(air: path, log: nil) }
        #expect(error?.description == "\(path) cannot be used: no such file or directory")
    }

    @Test("A capture has keys in it: it is for this user alone, and never goes to a file of others or behind a link")
    func privately() throws {
        let path = folder + "air.pcapng", link = folder + "link.pcapng"
        for mode: mode_t in [0o644, 0o660, 0o622] {
            try Data("before".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, mode)
            let error = #expect(throws: CaptureError.self) { try open(air: path, log: nil) }
            #expect(error?.description.hasSuffix("chmod 600 \(path)") == true, "\(error as Any)")
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: path)) == Data("before".utf8),
                "emptied before it was checked"
            )
        }
        chmod(path, 0o600)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: CaptureError.self) { try open(air: link, log: nil) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("before".utf8))
        mkfifo(folder + "pipe", 0o600)
        #expect(throws: CaptureError.self) { try open(air: folder + "pipe", log: nil) }
        // Nor over what is no capture, or over the other one of the two.
        let error = #expect(throws: CaptureError.self) { try open(air: path, log: nil) }
        #expect(error?.description == "\(path) is no capture, and would be lost; name another file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("before".utf8))
        let before = Data("btsnoop\0 of before".utf8)
        try before.write(to: URL(fileURLWithPath: path))
        #expect(throws: CaptureError.self) { try open(air: path, log: path) }
        #expect(throws: CaptureError.self) { try open(air: path, log: "/nowhere/log") }
        // What comes to nothing takes nothing away, and leaves nothing.
        _ = try open(air: path, log: folder + "new")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: folder + "new"))
        try open(air: path, log: nil).close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
    }

    @Test("A disk that is full is told of once, and the world goes on")
    func full() throws {
        var complaints: [String] = []
        let captures = try Captures(air: "/dev/full", log: nil, epoch: .unix) { complaints.append("\($0)") }
        let workbench = Workbench(captures: captures)
        workbench.world.start()
        workbench.run(for: .seconds(5))
        #expect(complaints == ["cannot write /dev/full: no space left on device"])
        #expect(workbench.changes.contains(.advertising(true)))
    }
}
