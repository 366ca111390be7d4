/// A run of text in one style.
struct Piece {
    enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case inverse = "7"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }

    /// A lamp that is lit or dark.
    static func lamp(_ on: Bool) -> Piece { on ? Piece("●", .yellow) : Piece("○") }

    /// A key that is down or up.
    static func key(_ name: String, isDown: Bool) -> Piece { Piece("[\(name)]", isDown ? .inverse : .plain) }

    /// With no needless decimals.
    static func metres(_ distance: Double) -> String {
        distance == distance.rounded() && distance < 1e9 ? String(Int(distance)) : String(distance)
    }
}

struct Paint {
    let isOn: Bool

    /// The pieces in a row, cut to a width; styles take no room.
    func line(_ pieces: [Piece], width: Int) -> String {
        var room = max(0, width)
        var line = ""
        for piece in pieces {
            let shown = String(piece.text.prefix(room))
            room -= shown.count
            guard !shown.isEmpty else { continue }
            line += isOn && piece.style != .plain ? "\u{1B}[\(piece.style.rawValue)m\(shown)\u{1B}[0m" : shown
        }
        return line
    }
}
