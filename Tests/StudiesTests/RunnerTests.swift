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

    @Test("Worlds that do not fit into the memory, as many as are computed at once, are refused with one line")
    func memory() throws {
        var place = StudyPlace(threads: 2)
        place.memory = 8_000_000_000
        let city: UInt64 = 8_200_000_000, town: UInt64 = 3_900_000_000
        let line =
            "that takes about 8.2 GB of memory, and there are 8.0 GB; give fewer phones, fewer --threads, or divide each "
            + "world among machines"
        let failure = #expect(throws: OperationFailure.self) { try place.checkMemory(for: [1, city]) }
        #expect(failure?.message == line)
        try place.checkMemory(for: [town, 1, town])
        try place.checkMemory(for: [])
        place.threads = 3
        #expect(throws: OperationFailure.self) { try place.checkMemory(for: [town, town, town]) }
        try place.checkMemory(for: [town, town, town], dividedAmong: 1)
        // Threads share the memory of one machine; processes may be on several.
        place.ranks = .threads(2)
        #expect(throws: OperationFailure.self) { try place.checkMemory(for: [city], dividedAmong: 2) }
        place.ranks = .processes
        try place.checkMemory(for: [city], dividedAmong: 2)
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
