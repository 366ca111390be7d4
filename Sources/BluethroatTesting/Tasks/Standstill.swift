import Dispatch
import Foundation

/// What is said when a test waits while its air stands still and no task of it is ready: that may go on for ever.
struct Standstill: Sendable {
    /// How long, in real time, the test may wait for what is not the air's.
    var patience = DispatchTimeInterval.seconds(10)
    /// Whether it is said once more does not help.
    var isOver = false
    var tell: @Sendable () -> Void

    /// A line for whoever looks at a test run that hangs.
    static func text(_ test: String?, seed: UInt64, _ timeline: Timeline) -> String {
        let sleepers = timeline.sleepers
        var text =
            "bluethroat: \(test ?? "a test") waits, and its air stands still at \(timeline.now.duration.text) (seed \(seed)). "
        if let first = sleepers.first {
            text +=
                "\(sleepers.count) of its tasks sleep\(sleepers.count == 1 ? "s" : ""), until \(first.duration.text). "
        }
        return text
            + "Time passes only in air.run: before the value of a task is awaited, run the air until it is there, "
            + "`try await air.run(until: …)`."
    }
}
