public import BluethroatEvents
import BluethroatMPIRanks
import BluethroatRankGroups
public import BluethroatRanks
import Foundation

/// Where a study is computed, and what is kept of it.
public struct StudyPlace: Sendable {
    /// Nil for threads of this process that share no world.
    public var ranks: StudyRanks?
    /// How many threads compute in this process, at least 1.
    public var threads: Int
    /// The folder in which finished worlds are kept, and not computed again; nil for none.
    public var folder: String?
    /// How many bytes of memory there are.
    public var memory = ProcessInfo.processInfo.physicalMemory

    /// - Parameter threads: how many threads compute; nil for one for each processor.
    public init(threads: Int? = nil, ranks: StudyRanks? = nil, folder: String? = nil) {
        self.threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
        self.ranks = ranks
        self.folder = folder
    }

    /// Says whether there can be such a place.
    public func check() throws(InvalidText) {
        guard (1...1_024).contains(threads) else { throw InvalidText("--threads is a whole number from 1 to 1024") }
        if folder == "" { throw InvalidText("--resume wants the name of a folder; give one") }
    }

    /// Says whether worlds of such sizes fit into the memory that there is, as many at once as are computed at once.
    ///
    /// - Parameters:
    ///   - sizes: about how many bytes each world takes, before any of it is taken.
    ///   - ranks: how many ranks have each world together; nil where worlds are not divided.
    public func checkMemory(for sizes: [UInt64], dividedAmong ranks: Int? = nil) throws(OperationFailure) {
        let largest = sizes.sorted(by: >)
        let bytes: UInt64
        if let ranks {
            // Processes may be on other machines, threads are not.
            bytes = (largest.first ?? 0) / UInt64(self.ranks == .processes ? ranks : 1)
        } else {
            var atOnce = threads
            if case .threads(let count) = self.ranks { atOnce = max(count, threads) }
            bytes = largest.prefix(atOnce).reduce(0, +)
        }
        guard bytes > memory else { return }
        func gigabytes(_ bytes: UInt64) -> String { "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB" }
        throw OperationFailure(
            "that takes about \(gigabytes(bytes)) of memory, and there are \(gigabytes(memory)); give fewer phones, "
                + "fewer --threads, or divide each world among machines"
        )
    }

    /// What comes of a study here.
    public enum End<Result: Sendable>: Sendable {
        case result(Result)
        /// It was ended early.
        case ended
        /// Another process says what came of it.
        case elsewhere
    }

    /// Who a rank is, and what it has.
    public struct Seat: Sendable {
        public let ranks: any Ranks
        /// How many ranks there are.
        public var rankCount: Int { ranks.count }
        /// How many threads this rank has.
        public let threads: Int
        public let store: OutcomeFolder?

        /// Computes this rank's share of worlds that are not divided.
        public var runner: RankRunner<ThreadedRunner> {
            RankRunner(ranks, each: ThreadedRunner(threads: threads), keeping: store)
        }
    }

    /// Calls `body` on each rank of this process, on threads of their own.
    ///
    /// - Parameters:
    ///   - report: hears why the processes that mpirun has started are all ended, just before they are.
    ///   - progress: hears, on rank 0 only, which share is done, 0 to 1; on the others nil. False ends the study.
    ///   - body: computes on one rank; nil if it was ended.
    public func compute<Result: Sendable>(
        report: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (Double?) -> Bool,
        _ body: @escaping @Sendable (Seat, @escaping @Sendable (Double) -> Bool) throws -> Result?
    ) async throws(OperationFailure) -> End<Result> {
        let ended: Swift.Result<End<Result>, any Error> = await withCheckedContinuation { continuation in
            let hasBegun = DetachedThread.begin {
                continuation.resume(returning: .init { try run(report, progress, body) })
            }
            if !hasBegun { continuation.resume(returning: .failure(OperationFailure(DetachedThread.refusal))) }
        }
        do { return try ended.get() } catch let failure as OperationFailure { throw failure } catch {
            throw OperationFailure("\(error)")
        }
    }

    private func run<Result: Sendable>(
        _ report: (String) -> Void,
        _ progress: @escaping @Sendable (Double?) -> Bool,
        _ body: @escaping @Sendable (Seat, @escaping @Sendable (Double) -> Bool) throws -> Result?
    ) throws -> End<Result> {
        let store = try folder.map { path throws(OperationFailure) in try OutcomeFolder(path: path) }
        let onRank: @Sendable (any Ranks, Int) throws -> End<Result> = { ranks, threads in
            let isFirst = ranks.rank == 0
            let seat = Seat(ranks: ranks, threads: threads, store: store)
            guard let result = try body(seat, { progress(isFirst ? $0 : nil) }) else { return .ended }
            return isFirst ? .result(result) : .elsewhere
        }
        switch ranks {
        case nil: return try onRank(OnlyRank(), threads)
        case .threads(let count):
            let each = max(1, threads / count)
            return try RankThreads.run(count) { try onRank($0, each) }[0]
        case .processes:
            return try MPIRanks.run(report: { report("\($0)") }) { try onRank($0, threads) }
        }
    }
}
