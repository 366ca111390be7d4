package import BluethroatRadioMedium

/// Somebody whose way was recorded: along straight lines from place to place, at the recorded times. Before the first and
/// after the last of them it stands there.
package struct TraceWalker: Walk {
    private let trace: [Trace.Point]
    private var time = 0.0

    package init(_ trace: [Trace.Point]) { self.trace = trace }

    package mutating func walk(for seconds: Double) { time += seconds }

    package var position: Position {
        guard let first = trace.first, let last = trace.last else { return .origin }
        guard time > first.time else { return .metres(x: first.x, y: first.y) }
        guard let next = trace.firstIndex(where: { $0.time >= time }) else { return .metres(x: last.x, y: last.y) }
        let from = trace[next - 1], to = trace[next]
        let share = (time - from.time) / (to.time - from.time)
        return .metres(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
    }
}
