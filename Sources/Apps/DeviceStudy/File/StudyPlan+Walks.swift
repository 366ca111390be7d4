import Yams

/// What counts for some ways of walking, or of being placed, only.
extension StudyPlan {
    /// Where a parameter counts: if another one is one of these words.
    private struct Condition {
        let parameter: String
        let words: [String]

        init(_ parameter: String, _ words: String...) { (self.parameter, self.words) = (parameter, words) }

        func holds(in row: FileSettings, for group: String) -> Bool {
            words.contains(row.values.word("\(group).\(parameter)"))
        }
    }

    private static let still = Condition("walk", "still")
    private static let placed = Condition("place", "at", "line", "grid", "circle")
    private static let conditions: [(parameter: String, all: [Condition])] = [
        ("place", [still]), ("x", [still, placed]), ("y", [still, placed]),
        ("distance", [still, Condition("place", "line", "grid", "circle")]),
        ("speed", [Condition("walk", "waypoint", "streets")]), ("block", [Condition("walk", "streets")]),
        ("trace", [Condition("walk", "trace")]),
    ]

    /// Refuses what is said of a group and counts in no row: the place of devices that walk from places drawn at random, say.
    func refuseUnused(_ rows: [FileSettings], _ base: FileSettings, _ root: YAMLSection) throws {
        for group in groups {
            for (parameter, conditions) in Self.conditions {
                let path = "\(group.name).\(parameter)"
                guard let node = base.nodes[path] ?? rows.lazy.compactMap({ $0.nodes[path] }).first,
                    !rows.contains(where: { row in conditions.allSatisfy { $0.holds(in: row, for: group.name) } }),
                    let missing = conditions.first(where: { condition in
                        !rows.contains { condition.holds(in: $0, for: group.name) }
                    }) ?? conditions.last,
                    let row = rows.first(where: { !missing.holds(in: $0, for: group.name) })
                else { continue }
                let other = "\(group.name).\(missing.parameter)"
                throw root.error(
                    node,
                    "\(path) is for \(missing.parameter): \(missing.words.joined(separator: " or ")), and \(group.name) has "
                        + "\(missing.parameter): \(row.values.word(other)); leave it out, or change \(missing.parameter)"
                )
            }
        }
    }
}
