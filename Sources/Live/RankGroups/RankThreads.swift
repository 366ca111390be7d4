public import BluethroatRanks
import Foundation
import Synchronization

/// Ranks that are threads of one process: for tests, and for machines with more than one core and no MPI.
public enum RankThreads {
    /// Calls `body` on as many threads and answers what it has answered, in the order of the ranks. When it fails on one,
    /// it fails on all of them, for the reason of the first.
    public static func run<Result: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (any Ranks) throws -> Result
    ) throws(RankFailure) -> [Result] {
        let post = RankPost<Result>(count: max(1, count))
        for rank in 1..<max(1, count) {
            let thread = Thread { post.run(rank, body) }
            thread.name = "rank \(rank)"
            thread.stackSize = 8 << 20
            thread.start()
        }
        post.run(0, body)
        return try post.results()
    }
}

/// One thread's view.
private final class ThreadRank<Result: Sendable>: Ranks {
    let rank: Int
    let count: Int
    private let post: RankPost<Result>

    init(_ rank: Int, _ post: RankPost<Result>) {
        self.rank = rank
        self.post = post
        count = post.count
    }

    func send(_ bytes: [UInt8], to other: Int) throws(RankFailure) {
        guard 0..<count ~= other, other != rank else {
            throw RankFailure(rank: rank, of: count, "there is no rank \(other) to send to")
        }
        post.send(bytes, from: rank, to: other)
    }

    func receive(from other: Int) throws(RankFailure) -> [UInt8] {
        guard 0..<count ~= other, other != rank else {
            throw RankFailure(rank: rank, of: count, "there is no rank \(other) to receive from")
        }
        return try post.receive(from: other, by: rank)
    }

    func least(_ numbers: [Int64]) throws(RankFailure) -> [Int64] {
        try post.reduce(numbers.map { UInt64(bitPattern: $0) }, by: rank) { left, right in
            Int64(bitPattern: left) < Int64(bitPattern: right) ? left : right
        }.map { Int64(bitPattern: $0) }
    }

    func sum(_ numbers: [UInt64]) throws(RankFailure) -> [UInt64] { try post.reduce(numbers, by: rank) { $0 &+ $1 } }
}

/// Where threads leave what others fetch. Everything in it is read and changed under its condition.
private final class RankPost<Result: Sendable>: @unchecked Sendable {
    let count: Int
    private let condition = NSCondition()
    /// Counts what has changed: whoever waits looks at it for a while before it sleeps, since a window of a world is over
    /// sooner than a thread is awake.
    private let changes = Atomic<UInt64>(0)
    private let patience: Int
    /// By sender and receiver: messages, and how many of them were fetched.
    private var boxes: [[[UInt8]]]
    private var gathered: [UInt64] = []
    private var waiting = 0
    private var round = 0
    private var reduced: [UInt64] = []
    private var failure: RankFailure?
    private var answers: [Result?]
    private var isFinished: [Bool]

    init(count: Int) {
        self.count = count
        patience = count <= ProcessInfo.processInfo.activeProcessorCount ? 100_000 : 0
        boxes = Array(repeating: [], count: count * count)
        answers = Array(repeating: nil, count: count)
        isFinished = Array(repeating: false, count: count)
    }

    func run(_ rank: Int, _ body: (any Ranks) throws -> Result) {
        var answer: Result?
        var failed: RankFailure?
        do {
            answer = try body(ThreadRank(rank, self))
        } catch let error as RankFailure {
            failed = error
        } catch {
            failed = RankFailure(rank: rank, of: count, "\(error)")
        }
        condition.withLock {
            answers[rank] = answer
            failure = failure ?? failed
            isFinished[rank] = true
            tell()
        }
    }

    /// Waits for all threads.
    func results() throws(RankFailure) -> [Result] {
        condition.lock()
        defer { condition.unlock() }
        while isFinished.contains(false) { condition.wait() }
        if let failure { throw failure }
        return answers.compactMap(\.self)
    }

    func send(_ bytes: [UInt8], from sender: Int, to receiver: Int) {
        condition.withLock {
            boxes[sender * count + receiver].append(bytes)
            tell()
        }
    }

    func receive(from sender: Int, by receiver: Int) throws(RankFailure) -> [UInt8] {
        condition.lock()
        defer { condition.unlock() }
        let box = sender * count + receiver
        while boxes[box].isEmpty {
            try check([sender], for: receiver)
            wait()
        }
        return boxes[box].removeFirst()
    }

    func reduce(_ numbers: [UInt64], by rank: Int, _ merge: (UInt64, UInt64) -> UInt64) throws(RankFailure) -> [UInt64]
    {
        condition.lock()
        defer { condition.unlock() }
        gathered = waiting == 0 ? numbers : zip(gathered, numbers).map(merge)
        waiting += 1
        guard waiting < count else {
            waiting = 0
            round += 1
            reduced = gathered
            tell()
            return reduced
        }
        let own = round
        while round == own {
            try check(0..<count, for: rank)
            wait()
        }
        return reduced
    }

    /// Something has changed. The lock is held.
    private func tell() {
        changes.wrappingAdd(1, ordering: .releasing)
        condition.broadcast()
    }

    /// Waits until something changes. The lock is held before and after.
    private func wait() {
        let seen = changes.load(ordering: .relaxed)
        condition.unlock()
        var looks = 0
        while looks < patience, changes.load(ordering: .acquiring) == seen { looks += 1 }
        condition.lock()
        if changes.load(ordering: .relaxed) == seen { condition.wait() }
    }

    /// Fails if what is waited for cannot come any more: a rank has failed, or one of these has ended without a word.
    private func check(_ others: some Sequence<Int>, for waiter: Int) throws(RankFailure) {
        if let failure { throw failure }
        for other in others where isFinished[other] {
            throw RankFailure(rank: waiter, of: count, "it waits for rank \(other), which has ended")
        }
    }
}
