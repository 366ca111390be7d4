#if canImport(OverflowStudy)
    import Foundation
    import OverflowStudy
    import Synchronization

    /// A study while it runs: it shows how far it is, and ends early when it is asked to.
    struct StudyRun {
        private let study: Study
        private let threads: Int

        init(_ study: Study, threads: Int) {
            self.study = study
            self.threads = threads
        }

        /// Nil if it was ended early.
        func rows() async -> [StudyRow]? {
            let isWanted = Wish()
            Signals.whenAsked { isWanted.withdraw() }
            let progress = StudyProgress()
            let rows = await withCheckedContinuation { continuation in
                Thread.detachNewThread { [study, threads] in
                    continuation.resume(
                        returning: study.run(threads: threads) { share in
                            progress.show(share)
                            return isWanted.isStanding
                        }
                    )
                }
            }
            progress.end()
            return rows
        }

        private final class Wish: Sendable {
            private let standing = Atomic(true)
            var isStanding: Bool { standing.load(ordering: .relaxed) }
            func withdraw() { standing.store(false, ordering: .relaxed) }
        }
    }

    /// A line at a terminal that says how far something is, over and over again.
    final class StudyProgress: Sendable {
        private struct State {
            var begin = ContinuousClock.now
            var lastShown: ContinuousClock.Instant?
        }

        private let state = Mutex(State())

        func show(_ share: Double) {
            guard StandardError.isTerminal else { return }
            let line = state.withLock { state -> String? in
                let now = ContinuousClock.now
                if let last = state.lastShown, now - last < .milliseconds(200) { return nil }
                state.lastShown = now
                return Self.line(share, after: now - state.begin)
            }
            if let line { StandardError.writeBytes("\r" + line + "\u{1B}[K") }
        }

        func end() {
            if state.withLock({ $0.lastShown != nil }) { StandardError.writeBytes("\r\u{1B}[K") }
        }

        /// `42 %, about 8 s to go`
        static func line(_ share: Double, after passed: Duration) -> String {
            let percent = "\(Int((share * 100).rounded(.down))) %"
            guard share > 0.01, passed > .seconds(1) else { return percent }
            return percent + ", about \(Int((passed / .seconds(1) * (1 - share) / share).rounded(.up))) s to go"
        }
    }
#endif
