import BluethroatEvents
import Foundation
import Synchronization
import Testing

@testable import BluethroatStudies

/// Squares, some of which fail.
struct Squares: StudyWork {
    var count = 20
    var failing: Set<Int> = []

    struct Failure: Error, Equatable { let number: Int }

    var tasks: [StudyTask] { (0..<count).map { StudyTask(number: $0, key: "square of \($0)", effort: 1) } }

    func compute(_ task: StudyTask, goesOn: (Double) -> Bool) throws -> Int? {
        guard goesOn(0.5) else { return nil }
        if failing.contains(task.number) { throw Failure(number: task.number) }
        return task.number * task.number
    }
}

@Suite("Where studies are computed")
struct RunnerTests {
    @Test("Outcomes come in the order of tasks, however many threads there are", arguments: [1, 2, 3, 64])
    func order(threads: Int) throws {
        let outcomes = try ThreadedRunner(threads: threads).outcomes(of: Squares()) { _ in true }
        #expect(outcomes == (0..<20).map { $0 * $0 })
    }

    @Test("A study without tasks has no outcomes") func nothing() throws {
        #expect(try ThreadedRunner(threads: 2).outcomes(of: Squares(count: 0)) { _ in true } == [])
    }

    @Test("Who says no ends it, and there are no outcomes") func ended() throws {
        let calls = Mutex(0)
        let outcomes = try ThreadedRunner(threads: 2).outcomes(of: Squares()) { _ in
            calls.withLock {
                $0 += 1
                return $0 < 5
            }
        }
        #expect(outcomes == nil)
        #expect(calls.withLock { $0 } < 20)
    }

    @Test("A task that fails ends the study with its error") func failure() {
        #expect(throws: Squares.Failure(number: 0)) {
            try ThreadedRunner(threads: 1).outcomes(of: Squares(failing: [0, 7])) { _ in true }
        }
        #expect(throws: Squares.Failure.self) {
            try ThreadedRunner(threads: 4).outcomes(of: Squares(failing: [3, 7])) { _ in true }
        }
    }

    @Test("Shares that are reported rise to the end and stay below all") func progress() throws {
        let shares = Mutex<[Double]>([])
        _ = try ThreadedRunner(threads: 1).outcomes(of: Squares(count: 4)) { share in
            shares.withLock { $0.append(share) }
            return true
        }
        #expect(shares.withLock { $0 }.count == 4)
        #expect(shares.withLock { $0.allSatisfy { (0...1).contains($0) } })
    }
}

@Suite("Outcomes that are kept")
struct OutcomeFileTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)").path

    /// Counts what is computed.
    private struct Counting: StudyWork {
        let computed: Counter
        var tasks: [StudyTask] { Squares().tasks }

        func compute(_ task: StudyTask, goesOn: (Double) -> Bool) throws -> Int? {
            computed.count.withLock { $0 += 1 }
            return task.number * task.number
        }
    }

    private final class Counter: Sendable { let count = Mutex(0) }

    @Test("What is in the file is not computed again, and comes out the same") func resumed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let counter = Counter(), work = Counting(computed: counter)
        do {
            let runner = ResumingRunner(ThreadedRunner(threads: 2), keeping: try OutcomeFile(path: path))
            #expect(try runner.outcomes(of: work) { _ in true } == (0..<20).map { $0 * $0 })
        }
        #expect(counter.count.withLock { $0 } == 20)
        let runner = ResumingRunner(ThreadedRunner(threads: 2), keeping: try OutcomeFile(path: path))
        #expect(try runner.outcomes(of: work) { _ in true } == (0..<20).map { $0 * $0 })
        #expect(counter.count.withLock { $0 } == 20)
    }

    @Test("A line that was cut short is dropped, those before it count, and the next one stands alone") func cut()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("{\"key\":\"a\",\"outcome\":1}\n{\"key\":\"b\",\"outc".utf8).write(to: URL(fileURLWithPath: path))
        do {
            let file = try OutcomeFile(path: path)
            #expect(file.count == 1 && file.outcome(of: "a", as: Int.self) == 1)
            #expect(file.outcome(of: "b", as: Int.self) == nil)
            try file.keep(2, of: "b")
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "{\"key\":\"a\",\"outcome\":1}\n{\"key\":\"b\",\"outcome\":2}\n")
    }

    @Test("An outcome of another type is computed again") func otherType() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try OutcomeFile(path: path)
        try file.keep("four", of: "square of 2")
        #expect(file.outcome(of: "square of 2", as: Int.self) == nil)
    }

    @Test("A file of something else is refused and stays as it is, as is one that another study has") func refused()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("Dear diary\nToday\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: OperationFailure.self) { try OutcomeFile(path: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "Dear diary\nToday\n")
        try FileManager.default.removeItem(atPath: path)
        let first = try OutcomeFile(path: path)
        #expect(throws: OperationFailure.self) { try OutcomeFile(path: path) }
        #expect(first.count == 0)
        #expect(throws: OperationFailure.self) { try OutcomeFile(path: "/nonexistent/kept") }
    }
}
