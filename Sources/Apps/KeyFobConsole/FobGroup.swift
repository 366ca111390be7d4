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
        return lines.map { paint.line($0, width: width) } + whole
    }
}
