import Foundation
import Synchronization

/// A line at a terminal that says how far something is, over and over again.
package final class ShareProgress: Sendable {
    private struct State {
        var begin = ContinuousClock.now
        var lastShown: ContinuousClock.Instant?
    }

    package init() {}

    private let state = Mutex(State())

    package func show(_ share: Double) {
        guard StandardError.isTerminal else { return }
        let line = state.withLock { state -> String? in
            let now = ContinuousClock.now
            if let last = state.lastShown, now - last < .milliseconds(200) { return nil }
            state.lastShown = now
            return Self.line(share, after: now - state.begin)
        }
        if let line { StandardError.writeBytes("\r" + line + "\u{1B}[K") }
    }

    package func end() {
        if state.withLock({ $0.lastShown != nil }) { StandardError.writeBytes("\r\u{1B}[K") }
    }

    /// `42 %, about 8 s to go`
    static func line(_ share: Double, after passed: Duration) -> String {
        let percent = "\(Int((share * 100).rounded(.down))) %"
        guard share > 0.01, passed > .seconds(1) else { return percent }
        return percent + ", about \(Int((passed / .seconds(1) * (1 - share) / share).rounded(.up))) s to go"
    }
}
