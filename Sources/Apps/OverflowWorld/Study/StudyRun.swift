public import BluethroatOverflowStudy
import Foundation

extension Study {
    /// Computes the study on a thread of its own, and others besides.
    ///
    /// - Parameters:
    ///   - threads: how many threads compute.
    ///   - progress: hears which share is done, 0 to 1, on one of them; false ends the study early.
    /// - Returns: nil if it was ended early.
    public func rows(threads: Int, progress: @escaping @Sendable (Double) -> Bool) async -> [StudyRow]? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: run(threads: threads, progress))
            }
        }
    }
}
