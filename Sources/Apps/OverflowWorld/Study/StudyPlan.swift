package import BluethroatEvents
import BluethroatMPIRanks
package import BluethroatOverflowStudy
import BluethroatRankGroups
import BluethroatRanks
import Foundation

/// How a study is computed.
package struct StudyPlan: Sendable {
    /// Nil for threads that are no ranks.
    private let ranks: StudyRanks?
    private let divides: Bool
    private let threads: Int
    private let folder: String?

    /// - Parameters:
    ///   - divides: whether each world is divided among the ranks.
    ///   - threads: how many threads compute; nil for one for each processor.
    ///   - folder: where finished worlds are kept, and not tried again; nil for nowhere.
    package init(_ ranks: StudyRanks?, divides: Bool, threads: Int?, folder: String?) {
        self.ranks = ranks
        self.divides = divides
        self.threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
        self.folder = folder
    }

    /// Computes the rows.
    ///
    /// - Parameters:
    ///   - report: hears why the processes that mpirun has started are all ended, just before they are.
    ///   - progress: hears, for one rank only, which share is done, 0 to 1; for the others nil. False ends the study.
    /// - Returns: the rows; none for a process that is not the one to say what came out; nil if it was ended early.
    package func rows(
        of study: Study,
        report: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (Double?) -> Bool
    ) async throws(OperationFailure) -> [StudyRow]? {
        if ranks == nil, !divides, folder == nil { return await study.rows(threads: threads) { progress($0) } }
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result {
                        var sharing = StudySharing()
                        sharing.dividesWorlds = divides
                        sharing.threads = threads
                        sharing.folder = try folder.map { try ResultFolder($0) }
                        return try Self.run(study, ranks?.kind ?? .threads(1), sharing, report, progress)
                    }
                )
            }
        }
        do { return try result.get() } catch { throw OperationFailure("\(error)") }
    }

    private static func run(
        _ study: Study,
        _ kind: StudyRanks.Kind,
        _ sharing: StudySharing,
        _ report: (String) -> Void,
        _ progress: @escaping @Sendable (Double?) -> Bool
    ) throws -> [StudyRow]? {
        switch kind {
        case .processes:
            return try MPIRanks.run(report: { report("\($0)") }) { ranks in
                let isFirst = ranks.rank == 0
                return try study.run(on: ranks, sharing: sharing) { progress(isFirst ? $0 : nil) }
            }
        case .threads(let count):
            var sharing = sharing
            sharing.threads = max(1, sharing.threads / count)
            let shared = sharing
            return try RankThreads.run(count) { ranks in
                let isFirst = ranks.rank == 0
                return try study.run(on: ranks, sharing: shared) { progress(isFirst ? $0 : nil) }
            }[0]
        }
    }
}
