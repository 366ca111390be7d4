import BluethroatBluetoothValues
import BluethroatKeyFob

/// A fob that can be shown in one line, beside others.
private protocol FobInOneLine {
    var summary: [Piece] { get }
}

extension KeyFobView: FobInOneLine {}
extension PhoneView: FobInOneLine {}

/// What a terminal shows of several fobs: a line for each, with its keys, and below them the chosen one as a whole.
enum FobGroup {
    /// What is drawn in place has to fit a terminal of 24 lines.
    static let mostLines = 23

    /// - Parameter chosen: the number of the fob that the keys of the terminal are for, the first being 1.
    static func lines(_ views: [any FobView], chosen: Int, width: Int, colours: Bool) -> [String] {
        let paint = Paint(isOn: colours)
        var lines: [[Piece]] = views.enumerated().map { index, view in
            let isChosen = index + 1 == chosen
            let name = "\(isChosen ? ">" : " ") \(index + 1)  \(view.address.map { "\($0)" } ?? "")  "
            return [.init(name, isChosen ? .bold : .plain)] + ((view as? any FobInOneLine)?.summary ?? [])
        }
        lines.append([.init("  keys are for fob \(chosen); 1 to \(views.count) choose another", .dim)])
        lines.append([])
        let whole = views[chosen - 1].lines(width: width, colours: colours)
        return lines.map { paint.line($0, width: width) } + shortened(whole, to: mostLines - lines.count)
    }

    /// A fob with fewer of its last notices, which stand above its last two lines.
    private static func shortened(_ whole: [String], to count: Int) -> [String] {
        guard whole.count > count else { return whole }
        let end = whole.count - 2
        let start = end - NoticeHistory.length
        let room = max(0, NoticeHistory.length - (whole.count - count))
        let latest = whole[start..<end].filter { !$0.isEmpty }.suffix(room)
        return whole[..<start] + latest + Array(repeating: "", count: room - latest.count) + whole[end...]
    }
}
