/// Rows of cells as lines of text: columns flush on the right, a line of hyphens below the header.
package enum TextTable {
    package static func lines(header: [String], rows: [[String]]) -> [String] {
        var lines = [header] + rows
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        lines.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
        return lines.map { line in
            zip(line, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
    }
}
