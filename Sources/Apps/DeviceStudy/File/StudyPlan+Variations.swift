import BluethroatEvents
import BluethroatStudies
import Foundation
import Yams

/// What varies: a grid, of which every combination is a row, or a list of rows.
extension StudyPlan {
    private static let mostRowsOfAll = 10_000
    /// Each row has the values of each group.
    private var mostRows: Int { min(Self.mostRowsOfAll, 100_000 / max(1, groups.count)) }
    private var tooManyRows: String {
        mostRows < Self.mostRowsOfAll
            ? "that makes more than \(mostRows) rows for \(groups.count) names of devices; give fewer values, or fewer names"
            : "that makes more than \(mostRows) rows; give fewer values"
    }

    mutating func readVariations(_ root: YAMLSection, _ base: FileSettings) throws {
        var list = [FileSettings(values: base.values)]
        if let node = root["vary"] {
            switch node {
            case .sequence(let nodes): list = try readRows(Array(nodes), root, base)
            default: try readGrid(node, root, &list)
            }
            if list.isEmpty { throw root.error(node, "there are no values; leave vary out, or give some") }
        }
        for row in list {
            guard let objection = objection(to: row.values) else { continue }
            let nodes = objection.paths.compactMap { row.nodes[$0] } + objection.paths.compactMap { base.nodes[$0] }
            throw root.error(nodes.first ?? root.node, objection.message)
        }
        try refuseUnused(list, base, root)
        try refuseVariedWithoutEffect(list, root)
        try refuseMeasuresWithoutTraffic(list, root)
        rows = list.map(\.values)
    }

    private mutating func readRows(_ nodes: [Node], _ root: YAMLSection, _ base: FileSettings) throws -> [FileSettings]
    {
        var list: [FileSettings] = [], known: Set<WorldSettings> = []
        let variable = variable
        for node in nodes {
            guard list.count < mostRows else { throw root.error(node, tooManyRows) }
            let section = try YAMLSection(node, in: root.file, what: "a row", allowed: variable)
            if varied.isEmpty { varied = section.entries.map(\.key) }
            guard Set(section.entries.map(\.key)) == Set(varied) else {
                throw root.error(node, "each row has to give the same parameters: \(varied.joined(separator: ", "))")
            }
            var row = FileSettings(values: base.values)
            for entry in section.entries {
                if let parameter = parameter(entry.key) {
                    row.set(try section.value(entry.value, of: parameter), entry.key, entry.value)
                }
            }
            guard known.insert(row.values).inserted else {
                throw root.error(node, "this row is there twice; leave one out")
            }
            list.append(row)
        }
        return list
    }

    private mutating func readGrid(_ node: Node, _ root: YAMLSection, _ list: inout [FileSettings]) throws {
        let section = try YAMLSection(node, in: root.file, what: "vary", allowed: variable)
        for entry in section.entries {
            guard let parameter = parameter(entry.key) else { continue }
            let values = try values(of: parameter, entry.value, section)
            varied.append(entry.key)
            guard list.count * values.count <= mostRows else { throw root.error(entry.value, tooManyRows) }
            list = list.flatMap { row in
                values.map { value in
                    var next = row
                    next.set(value.value, entry.key, value.node)
                    return next
                }
            }
        }
    }

    /// Each value with the place where it stands.
    private func values(
        of parameter: WorldParameter,
        _ node: Node,
        _ section: YAMLSection
    ) throws -> [(value: StudyValue, node: Node)] {
        guard case .sequence(let list) = node else {
            return try range(of: parameter, node, section).map { ($0, node) }
        }
        var values: [(StudyValue, Node)] = [], known: Set<StudyValue> = []
        for node in list {
            let value = try section.value(node, of: parameter)
            guard known.insert(value).inserted else {
                throw section.error(node, "\(parameter.text(value)) is there twice")
            }
            values.append((value, node))
        }
        if values.isEmpty { throw section.error(node, "\(parameter.path): there are no values") }
        return values
    }

    private func range(of parameter: WorldParameter, _ node: Node, _ section: YAMLSection) throws -> [StudyValue] {
        guard case .mapping = node else {
            throw section.error(node, "\(parameter.path): give a list, as in [1, 2], or {from: 1, to: 10, step: 1}")
        }
        let range = try YAMLSection(node, in: section.file, what: "a range", allowed: ["from", "to", "step", "factor"])
        guard let dimension = parameter.dimension else {
            throw section.error(node, "\(parameter.path): give a list of words")
        }
        func number(_ key: String, _ dimension: Dimension) throws -> Double? {
            guard let node = range[key] else { return nil }
            let text = try range.text(node, key)
            do throws(InvalidText) { return try dimension.number(text) } catch {
                throw range.error(node, "\(key): \(error)")
            }
        }
        guard let from = try number("from", dimension), let to = try number("to", dimension), from <= to else {
            throw section.error(node, "\(parameter.path): a range goes from a number to one that is no smaller")
        }
        let advance: ValueRange.Advance
        switch (try number("step", dimension), try number("factor", .number)) {
        case (let step?, nil) where step > 0: advance = .step(step)
        case (nil, let factor?) where factor > 1 && from > 0: advance = .factor(factor)
        default:
            throw section.error(
                node,
                "\(parameter.path): give one of these: a step above 0, a factor above 1 (and from above 0)"
            )
        }
        let values = ValueRange(first: from, last: to, advance: advance)
        do throws(InvalidText) {
            let texts = try values.texts(dimension, most: Self.mostRowsOfAll)
            let found = try texts.map { text throws(InvalidText) in try parameter.value(text) }
            for (value, next) in zip(found, found.dropFirst()) where value == next {
                throw InvalidText("there are steps in it, and \(parameter.text(value)) comes twice; give a larger step")
            }
            return found
        } catch {
            // An end that is not possible is more to the point than the value on the way there that is not.
            for end in ["from", "to"] { _ = try range[end].map { try range.value($0, of: parameter) } }
            throw section.error(node, "\(parameter.path): \(error)")
        }
    }

    /// What can be varied.
    private var variable: [String] {
        parameters.filter {
            switch $0.kind {
            case .number, .choice: true
            case .group, .file: false
            }
        }
        .map(\.path)
    }
}
