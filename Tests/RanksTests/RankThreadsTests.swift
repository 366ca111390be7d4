import BluethroatRankGroups
import BluethroatRanks
import Testing

@Suite("Threads that are ranks")
struct RankThreadsTests {
    @Test("Messages between two ranks come in their order, and each finds out the same least and sum", arguments: 1...5)
    func messages(count: Int) throws {
        let answers = try RankThreads.run(count) { ranks in
            for turn in 0..<UInt8(50) {
                for other in 0..<ranks.count where other != ranks.rank {
                    try ranks.send([UInt8(ranks.rank), turn], to: other)
                }
            }
            for other in 0..<ranks.count where other != ranks.rank {
                for turn in 0..<UInt8(50) {
                    let message = try ranks.receive(from: other)
                    guard message == [UInt8(other), turn] else { return [Int64(-1)] }
                }
            }
            let least = try ranks.least([Int64(ranks.rank) - 3, Int64(-ranks.rank), 7])
            let sum = try ranks.sum([UInt64(ranks.rank), .max])
            return least + sum.map { Int64(bitPattern: $0) }
        }
        let last = Int64(count - 1)
        let expected = [-3, -last, 7, last * (last + 1) / 2, -Int64(count)]
        #expect(answers == Array(repeating: expected, count: count))
    }

    @Test("A rank that is ahead does not change what a slower one is still to fetch", arguments: [true, false])
    func rounds(looksBeforeSleep: Bool) throws {
        let answers = try RankThreads.run(3, looksBeforeSleep: looksBeforeSleep) { ranks in
            for round in 0..<UInt64(1_000) {
                // Each in turn is told by the one before, and is late for the sum.
                if round % 3 == UInt64(ranks.rank) { try ranks.send([UInt8(round % 256)], to: (ranks.rank + 1) % 3) }
                if (round + 1) % 3 == UInt64(ranks.rank) {
                    guard try ranks.receive(from: (ranks.rank + 2) % 3) == [UInt8(round % 256)] else { return round }
                }
                guard try ranks.sum([round, UInt64(ranks.rank)]) == [3 * round, 3] else { return round }
            }
            return 1_000
        }
        #expect(answers == [1_000, 1_000, 1_000])
    }

    @Test("What all bring comes to all in the order of the ranks, and what is collected to the first only")
    func sharing() throws {
        let answers = try RankThreads.run(4) { ranks in
            let own = Array(repeating: UInt8(ranks.rank), count: ranks.rank)
            return (try ranks.share(own), try ranks.collect(own))
        }
        let all: [[UInt8]] = [[], [1], [2, 2], [3, 3, 3]]
        for (rank, answer) in answers.enumerated() {
            #expect(answer.0 == all)
            #expect(answer.1 == (rank == 0 ? all : []))
        }
    }

    @Test("Every rank can see that another one has failed, before it waits for one")
    func hasFailed() {
        #expect(throws: RankFailure.self) {
            try RankThreads.run(3) { ranks in
                guard ranks.rank > 0 else { throw Fault() }
                while !ranks.hasFailed {}
                return ranks.rank
            }
        }
    }

    struct Fault: Error, CustomStringConvertible { let description = "its\nfault" }

    @Test("A rank that fails ends all of them with one line that says which and why", arguments: 0..<4)
    func failure(failing: Int) {
        do {
            _ = try RankThreads.run(4) { ranks in
                try ranks.meet()
                if ranks.rank == failing { throw Fault() }
                // The others wait in each way there is.
                switch (ranks.rank + 4 - failing) % 4 {
                case 1: _ = try ranks.receive(from: failing)
                case 2: _ = try ranks.least([0])
                default: _ = try ranks.sum([0])
                }
            }
            Issue.record("nothing has failed")
        } catch {
            #expect("\(error)" == "rank \(failing) of 0 to 3 has failed: its fault")
        }
    }

    @Test("Who waits for a rank that has ended is not left waiting")
    func leftAlone() {
        #expect(throws: RankFailure(rank: 1, of: 2, "it waits for rank 0, which has ended")) {
            _ = try RankThreads.run(2) { ranks in if ranks.rank == 1 { _ = try ranks.receive(from: 0) } }
        }
        #expect(throws: RankFailure(rank: 0, of: 1, "there is no rank 1 to send to")) {
            _ = try RankThreads.run(1) { ranks in try ranks.send([], to: 1) }
        }
    }
}
