import BluethroatEvents
import BluethroatStudies
import Foundation
import Synchronization
import Testing

@testable import BluethroatDeviceStudy

@Suite("Orders of studies")
struct StudyOrderTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("study-\(UUID().uuidString)")

    private func order(_ yaml: String) throws -> StudyOrder {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("a.yaml")
        try Data(yaml.utf8).write(to: file)
        return StudyOrder(file: file.path, place: StudyPlace(threads: 2))
    }

    private static let study = """
        length: 3 s
        worlds: 2
        devices:
          beacons: {kind: advertiser}
          phone: {kind: scanner}
        vary: {beacons.count: [1, 3]}
        measure: [received, collisions]
        """

    @Test("A study that was interrupted goes on with the worlds that are missing, and ends with the same bytes")
    func resumed() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.place.threads = 1
        let whole = try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        let kept = folder.appendingPathComponent("kept").path
        let count = { try FileManager.default.contentsOfDirectory(atPath: kept).count }
        order.place.folder = kept
        // Ended in the second half.
        await #expect(throws: OperationFailure.interruption) {
            try await order.carryOut(progress: { $0 ?? 0 < 0.6 }, bytes: { _ in })
        }
        #expect(try (1...3).contains(count()))
        let rest = try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        #expect(rest == whole)
        // All is kept now: nothing is computed, so that there is no progress, and the lines are the same.
        let again = try await order.carryOut(progress: { _ in false }, bytes: { _ in })
        #expect(again == whole)
        #expect(try count() == 4)
        // Another seed is another study.
        order.seed = 2
        #expect(try await order.carryOut(progress: { _ in true }, bytes: { _ in }) != whole)
    }

    @Test("A divided world prints the same on any number of ranks; one that cannot be is refused by its file's name")
    func divided() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.dividesWorlds = true
        let reason = "collisions counts all frames of a world, and no rank knows all frames of one that is divided"
        await #expect(throws: OperationFailure("\(order.file): \(reason); leave out --divide")) {
            try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        }
        try Data(Self.study.replacingOccurrences(of: ", collisions", with: "").utf8).write(
            to: URL(fileURLWithPath: order.file)
        )
        let alone = try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        order.place.ranks = .threads(2)
        #expect(try await order.carryOut(progress: { _ in true }, bytes: { _ in }) == alone)
    }

    @Test("Files that cannot be written or read are found before anything is computed") func files() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        let never: @Sendable (Double?) -> Bool = { _ in
            Issue.record("something is computed")
            return false
        }
        order.csv = "/nonexistent/a.csv"
        await #expect(throws: OperationFailure.self) { try await order.carryOut(progress: never, bytes: { _ in }) }
        order.csv = nil
        order.place.folder = "/dev/null/kept"
        await #expect(throws: OperationFailure.self) { try await order.carryOut(progress: never, bytes: { _ in }) }
        order.place.folder = nil
        order.file = "/nonexistent/a.yaml"
        await #expect(throws: OperationFailure.self) { try await order.carryOut(progress: never, bytes: { _ in }) }
        order.file = ""
        await #expect(throws: OperationFailure.self) { try await order.carryOut(progress: never, bytes: { _ in }) }
        order.file = "/dev/zero"
        await #expect(throws: OperationFailure("cannot read /dev/zero: it is longer than 1 MiB")) {
            try await order.carryOut(progress: never, bytes: { _ in })
        }
        order.file = folder.path
        await #expect(throws: OperationFailure.self) { try await order.carryOut(progress: never, bytes: { _ in }) }
    }

    @Test("The file that is read, one file for both results, and a name of nothing are refused before that, too")
    func names() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let order = try order(Self.study)
        for (csv, svg) in [(order.file, nil), (nil, order.file), (folder.path + "/a", folder.path + "/./a"), ("", nil)]
        {
            var order = order
            (order.csv, order.svg) = (csv, svg)
            await #expect(throws: OperationFailure.self) {
                try await order.carryOut(
                    progress: { _ in
                        Issue.record("something is computed")
                        return false
                    },
                    bytes: { _ in }
                )
            }
        }
        var nowhere = order
        nowhere.place.folder = ""
        #expect(throws: InvalidText.self) { try nowhere.check() }
    }

    @Test("A trace that a study reads is not written to")
    func trace() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.traced)
        let trace = folder.appendingPathComponent("ways.csv")
        try Data(Self.trace.utf8).write(to: trace)
        order.csv = folder.path + "/./ways.csv"
        let message = "cannot write \(folder.path)/./ways.csv: it is a file that is read; choose another one"
        await #expect(throws: OperationFailure(message)) {
            try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        }
        #expect(try String(contentsOf: trace, encoding: .utf8) == Self.trace)
    }

    @Test(
        "A file in memory is no pipe, though it is in /dev: its traces are beside it",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"))
    )
    func memory() throws {
        let folder = URL(fileURLWithPath: "/dev/shm/\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.traced.utf8).write(to: folder.appendingPathComponent("a.yaml"))
        try Data(Self.trace.utf8).write(to: folder.appendingPathComponent("ways.csv"))
        #expect(try StudyPlan(file: folder.path + "/a.yaml").traces.count == 1)
    }

    private static let trace = "device,time,x,y\na,0,1,1\n"
    private static let traced = """
        devices:
          beacon: {kind: advertiser, walk: trace, trace: ways.csv}
          phone: {kind: scanner}
        measure: received
        """

    @Test("A study may come from a pipe")
    func pipe() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        let lines = try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(Self.study.utf8))
        try pipe.fileHandleForWriting.close()
        order.file = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try await order.carryOut(progress: { _ in true }, bytes: { _ in }) == lines)
    }

    @Test("On standard output there is one thing at most, and numbers are in range") func standardOutput() async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.csv = "-"
        #expect(throws: Never.self) { try order.check() }
        let text = Mutex("")
        let lines = try await order.carryOut(progress: { _ in true }, bytes: { more in text.withLock { $0 += more } })
        #expect(lines.isEmpty && text.withLock { $0.hasPrefix("beacons.count,worlds,seed,received.share,") })
        order.svg = "-"
        #expect(throws: InvalidText.self) { try order.check() }
        (order.svg, order.json) = (nil, true)
        #expect(throws: InvalidText.self) { try order.check() }
        (order.csv, order.worlds) = (nil, 0)
        #expect(throws: InvalidText.self) { try order.check() }
        (order.worlds, order.place.threads) = (1, 0)
        #expect(throws: InvalidText.self) { try order.check() }
    }

    @Test("A number of worlds that is none is refused, be it checked before or not", arguments: [0, -1, .min, .max])
    func worlds(count: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.worlds = count
        let failure = await #expect(throws: OperationFailure.self) {
            try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        }
        #expect(failure?.message == "a row has 1 to 10000 worlds, not \(count)")
    }

    @Test("On any number of ranks the same lines come out, and one rank writes them", arguments: [1, 2, 3])
    func ranks(count: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.csv = folder.appendingPathComponent("a.csv").path
        let alone = try await order.carryOut(progress: { _ in true }, bytes: { _ in })
        let rows = try Data(contentsOf: URL(fileURLWithPath: try #require(order.csv)))
        order.place.ranks = .threads(count)
        order.csv = folder.appendingPathComponent("b.csv").path
        #expect(try await order.carryOut(progress: { _ in true }, bytes: { _ in }) == alone)
        #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(order.csv))) == rows)
    }

    @Test("Without MPI, ranks that are processes are refused with one line that says how to build it")
    func withoutMPI() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var order = try order(Self.study)
        order.place.ranks = .processes
        #if !MPI
            let failure = await #expect(throws: OperationFailure.self) {
                try await order.carryOut(progress: { _ in true }, bytes: { _ in })
            }
            #expect(failure?.message.hasPrefix("this was built without MPI; build it with ") == true)
        #endif
    }
}
