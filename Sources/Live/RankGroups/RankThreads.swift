public import BluethroatRanks
import Foundation
import Synchronization

/// Ranks that are threads of one process: for tests, and for machines with more than one core and no MPI.
public enum RankThreads {
    /// Calls `body` on as many threads and answers what it has answered, in the order of the ranks. When it fails on one,
    /// it fails on all of them, for the reason of the first.
    ///
    /// - Parameter looksBeforeSleep: whether a thread that waits for another one looks for a while before it sleeps, which is
    ///   quicker where each has a processor; nil where there are as many of these. Without it what threads do can be counted.
    public static func run<Result: Sendable>(
        _ count: Int,
        looksBeforeSleep: Bool? = nil,
        _ body: @escaping @Sendable (any Ranks) throws -> Result
    ) throws(RankFailure) -> [Result] {
        let looks = looksBeforeSleep ?? (count <= ProcessInfo.processInfo.activeProcessorCount)
        let post = RankPost<Result>(count: max(1, count), patience: looks ? 3_000_000 : 0)
        for rank in 1..<max(1, count) {
            let hasBegun = DetachedThread.begin {
                Thread.current.name = "rank \(rank)"
                post.run(rank, body)
            }
            guard hasBegun else {
                let failure = RankFailure(rank: rank, of: count, DetachedThread.refusal)
                for missing in rank..<count { post.end(missing, nil, failure) }
                break
            }
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

    var hasFailed: Bool { post.hasFailed }

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

/// Where threads leave what others fetch: each has a box of its own, so that only who is meant is woken.
private final class RankPost<Result: Sendable>: Sendable {
    private struct State {
        var failure: RankFailure?
        var answers: [Result?]
        var isFinished: [Bool]
    }

    private struct Round {
        var gathered: [UInt64] = []
        var waiting = 0
        var number = 0
        var reduced: [UInt64] = []
    }

    let count: Int
    /// By receiver, and in each by sender.
    private let boxes: [Watched<[[[UInt8]]]>]
    private let rounds: Watched<Round>
    private let state: Watched<State>
    /// Whether a rank has ended, or failed.
    private let hasEnded = Atomic<Bool>(false)

    init(count: Int, patience: Int) {
        self.count = count
        let empty = [[[UInt8]]](repeating: [], count: count)
        boxes = (0..<count).map { _ in Watched(empty, patience: patience) }
        rounds = Watched(Round(), patience: patience)
        state = Watched(
            State(answers: Array(repeating: nil, count: count), isFinished: Array(repeating: false, count: count)),
            patience: 0
        )
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
        end(rank, answer, failed)
    }

    /// A rank has ended, or could not begin.
    func end(_ rank: Int, _ answer: Result?, _ failed: RankFailure?) {
        state.change { state in
            state.answers[rank] = answer
            state.failure = state.failure ?? failed
            state.isFinished[rank] = true
        }
        hasEnded.store(true, ordering: .releasing)
        // Who waits looks whether what it waits for can still come.
        for box in boxes { box.wake() }
        rounds.wake()
    }

    /// Waits for all threads.
    func results() throws(RankFailure) -> [Result] {
        try state.wait { state throws(RankFailure) in
            guard !state.isFinished.contains(false) else { return nil }
            if let failure = state.failure { throw failure }
            return state.answers.compactMap(\.self)
        }
    }

    func send(_ bytes: [UInt8], from sender: Int, to receiver: Int) {
        boxes[receiver].change { $0[sender].append(bytes) }
    }

    func receive(from sender: Int, by receiver: Int) throws(RankFailure) -> [UInt8] {
        try boxes[receiver].wait { box throws(RankFailure) in
            guard box[sender].isEmpty else { return box[sender].removeFirst() }
            try self.check([sender], for: receiver)
            return nil
        }
    }

    func reduce(_ numbers: [UInt64], by rank: Int, _ merge: (UInt64, UInt64) -> UInt64) throws(RankFailure) -> [UInt64]
    {
        let (own, reduced) = rounds.edit { round -> (Int, [UInt64]?) in
            let own = round.number
            round.gathered = round.waiting == 0 ? numbers : zip(round.gathered, numbers).map(merge)
            round.waiting += 1
            guard round.waiting == count else { return (own, nil) }
            round.waiting = 0
            round.number += 1
            round.reduced = round.gathered
            return (own, round.reduced)
        }
        if let reduced {
            rounds.wake()
            return reduced
        }
        return try rounds.wait { round throws(RankFailure) in
            guard round.number == own else { return round.reduced }
            try self.check(0..<self.count, for: rank)
            return nil
        }
    }

    var hasFailed: Bool { hasEnded.load(ordering: .acquiring) && state.edit { $0.failure != nil } }

    /// Fails if what is waited for cannot come any more: a rank has failed, or one of these has ended without a word.
    private func check(_ others: some Sequence<Int>, for waiter: Int) throws(RankFailure) {
        // Nearly always: nobody has ended yet.
        guard hasEnded.load(ordering: .acquiring) else { return }
        let (failure, ended) = state.edit { state in (state.failure, others.first { state.isFinished[$0] }) }
        if let failure { throw failure }
        if let ended { throw RankFailure(rank: waiter, of: count, "it waits for rank \(ended), which has ended") }
    }
}

/// A value that threads change, and wait for.
private final class Watched<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    /// Read and changed under the condition.
    private var value: Value
    /// Counts the changes: whoever waits looks at it for a while before it sleeps, since a window of a world is over sooner
    /// than a thread is awake.
    private let changes = Atomic<UInt64>(0)
    /// How often it looks.
    private let patience: Int

    init(_ value: Value, patience: Int) {
        self.value = value
        self.patience = patience
    }

    /// Changes it, and wakes who waits.
    func change(_ body: (inout Value) -> Void) {
        condition.withLock {
            body(&value)
            tell()
        }
    }

    /// Changes it in a way that nobody waits for.
    func edit<Answer>(_ body: (inout Value) -> Answer) -> Answer { condition.withLock { body(&value) } }

    /// Has those who wait ask again.
    func wake() { condition.withLock { tell() } }

    private func tell() {
        changes.wrappingAdd(1, ordering: .releasing)
        condition.broadcast()
    }

    /// Asks again after each change, until there is an answer.
    func wait<Answer>(for body: (inout Value) throws(RankFailure) -> Answer?) throws(RankFailure) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let answer = try body(&value) { return answer }
            let seen = changes.load(ordering: .relaxed)
            guard patience > 0 else {
                condition.wait()
                continue
            }
            condition.unlock()
            var looks = 0
            while looks < patience, changes.load(ordering: .acquiring) == seen {
                looks += 1
                // The one that is waited for may want this processor.
                if looks.isMultiple(of: 1_024) { sched_yield() }
            }
            condition.lock()
            if changes.load(ordering: .relaxed) == seen { condition.wait() }
        }
    }
}
