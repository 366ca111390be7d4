extension String {
    /// The line in pieces that are no longer than a window is wide, cut between words where that is possible; all but the
    /// first begin with four spaces.
    package func folded(to columns: Int) -> [Substring] {
        let indent = 4
        // In a window for a word or two nothing is gained.
        guard columns >= 20, count > columns else { return [self[...]] }
        var pieces: [Substring] = []
        var rest = self[...]
        while rest.count > columns {
            let room = rest.prefix(columns)
            // What only indents is no place to cut.
            let begin = rest.firstIndex { $0 != " " } ?? rest.endIndex
            // A space behind the last column is one, too.
            let spaces = rest.prefix(columns + 1)
            let cut = spaces.lastIndex(of: " ").flatMap { $0 > begin ? $0 : nil } ?? room.endIndex
            var piece = rest[..<cut]
            while piece.last == " " { piece.removeLast() }
            pieces.append(piece)
            let next = rest[cut...].drop { $0 == " " }
            guard !next.isEmpty else { return pieces }
            rest = Substring(repeating: " ", count: indent) + next
        }
        return pieces + [rest]
    }
}
