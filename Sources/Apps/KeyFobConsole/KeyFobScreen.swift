import BluethroatKeyFob

/// A terminal on which a key fob is drawn in place: what to write for each frame, and at the end.
///
/// Only text: the terminal's owner puts it into raw mode, writes, and puts it back.
public struct KeyFobScreen: Sendable {
    private var drawn: [String] = []
    private var isCursorHidden = false

    public init() {}

    /// What to write so that the terminal shows the fob; empty if it does already.
    public mutating func frame(_ view: some FobView, width: Int, colours: Bool = true) -> String {
        // The last column stays free: some terminals wrap as soon as it is written.
        frame(view.lines(width: width - 1, colours: colours))
    }

    /// The same with lines, of which there are always equally many.
    mutating func frame(_ lines: [String]) -> String {
        guard lines != drawn else { return "" }
        var out = ""
        if !isCursorHidden {
            out += "\u{1B}[?25l"
            isCursorHidden = true
        }
        if drawn.count > 0 { out += "\u{1B}[\(drawn.count)A" }
        for (index, line) in lines.enumerated() {
            if index < drawn.count, drawn[index] == line {
                out += "\r\n"
            } else {
                out += "\r\u{1B}[2K\(line)\r\n"
            }
        }
        drawn = lines
        return out
    }

    /// Draws everything anew with the next frame, as after the window was resized.
    public mutating func invalidate() -> String {
        guard !drawn.isEmpty else { return "" }
        let up = "\u{1B}[\(drawn.count)A\r\u{1B}[J"
        drawn = []
        return up
    }

    /// What to write at the end: the cursor is seen again, below the fob.
    public mutating func end() -> String {
        guard isCursorHidden else { return "" }
        isCursorHidden = false
        drawn = []
        return "\u{1B}[?25h"
    }
}

extension KeyFobWord {
    /// What a single key at a terminal means; nil for keys that mean nothing. Control-C and Control-D quit.
    public init?(terminalKey byte: UInt8) {
        switch byte {
        case UInt8(ascii: "l"): self = .click(.left)
        case UInt8(ascii: "r"): self = .click(.right)
        case UInt8(ascii: "a"): self = .toggleAdvertising
        case UInt8(ascii: "q"), 0x03, 0x04: self = .quit
        default: return nil
        }
    }
}
