import Yams

/// What counts for some ways of walking, of being placed or of sending only.
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
    /// In a conversation the phones are the scanners; there are no others, who walk.
    private static let listened = Condition("mode", "demo", "hamming", "bch")
    private static let crowdConditions = [("scanners", [listened]), ("speed", [listened])]
    private static let conditions: [(parameter: String, all: [Condition])] = [
        ("place", [still]), ("x", [still, placed]), ("y", [still, placed]),
        ("distance", [still, Condition("place", "line", "grid", "circle")]),
        ("speed", [Condition("walk", "waypoint", "streets")]), ("block", [Condition("walk", "streets")]),
        ("trace", [Condition("walk", "trace")]),
    ]

    /// Refuses what is said of a group and counts in no row: the place of devices that walk from places drawn at
    /// random, say; or of a crowd.
    func refuseUnused(_ rows: [FileSettings], _ base: FileSettings, _ root: YAMLSection) throws {
        let all = isCrowd ? [("overflow", Self.crowdConditions)] : groups.map { ($0.name, Self.conditions) }
        for (group, list) in all {
            for (parameter, conditions) in list {
                let path = "\(group).\(parameter)"
                guard let node = base.nodes[path] ?? rows.lazy.compactMap({ $0.nodes[path] }).first,
                    !rows.contains(where: { row in conditions.allSatisfy { $0.holds(in: row, for: group) } }),
                    let missing = conditions.first(where: { condition in
                        !rows.contains { condition.holds(in: $0, for: group) }
                    }) ?? conditions.last,
                    let row = rows.first(where: { !missing.holds(in: $0, for: group) })
                else { continue }
                let other = "\(group).\(missing.parameter)"
                throw root.error(
                    node,
                    "\(path) is for \(missing.parameter): \(missing.words.joined(separator: " or ")), and \(group) has "
                        + "\(missing.parameter): \(row.values.word(other)); leave it out, or change \(missing.parameter)"
                )
            }
        }
    }

    /// What counts for some kinds of devices only where another parameter has one of these words.
    private static let ownConditions: [(kind: DeviceKind, parameter: String, condition: Condition)] = [
        (.central, "value", Condition("traffic", "write")),
        (.central, "mtu", Condition("traffic", "notify", "read", "write")),
        (.scanner, "power", Condition("active", "yes")),
    ]

    /// Refuses what varies and makes no difference: rows would be equal.
    func refuseVariedWithoutEffect(_ rows: [FileSettings], _ root: YAMLSection) throws {
        for group in groups {
            for (kind, parameter, condition) in Self.ownConditions where kind == group.kind {
                let path = "\(group.name).\(parameter)"
                guard varied.contains(path), !rows.contains(where: { condition.holds(in: $0, for: group.name) }) else {
                    continue
                }
                throw root.error(
                    rows.lazy.compactMap { $0.nodes[path] }.first ?? root.node,
                    "\(path) makes no difference without \(group.name).\(condition.parameter): "
                        + "\(condition.words.joined(separator: " or ")); give that, or leave \(parameter) out of vary"
                )
            }
        }
    }

    /// What values have to be carried for this to be measured.
    private static let traffic: [(measure: Measure, condition: Condition)] = [
        (.throughput, Condition("traffic", "notify", "read", "write")),
        (.roundtrip, Condition("traffic", "read", "write")),
    ]

    /// Refuses what is measured of values where in no row a central has any.
    func refuseMeasuresWithoutTraffic(_ rows: [FileSettings], _ root: YAMLSection) throws {
        let centrals = groups.filter { $0.kind == .central }
        for (measure, condition) in Self.traffic where measures.contains(measure) {
            guard !rows.contains(where: { row in centrals.contains { condition.holds(in: row, for: $0.name) } }) else {
                continue
            }
            let settings = centrals.map { "\($0.name).traffic" }.joined(separator: " or ")
            throw root.error(
                root["measure"] ?? root.node,
                "\(measure.rawValue): no central has such values; give \(settings): "
                    + condition.words.joined(separator: " or ")
            )
        }
    }
}
