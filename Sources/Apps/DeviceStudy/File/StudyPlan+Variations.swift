import BluethroatEvents
import BluethroatStudies
import Foundation
import Yams

/// What varies: a grid, of which every combination is a row, or a list of rows.
extension StudyPlan {
    private static let mostRows = 10_000

    mutating func readVariations(_ root: YAMLSection, _ base: WorldSettings) throws {
        rows = [base]
        if let node = root["vary"] {
            switch node {
            case .sequence(let list): try readRows(Array(list), root, base)
            default: try readGrid(node, root)
            }
            if rows.isEmpty { throw root.error(node, "there are no values; leave vary out, or give some") }
        }
        for row in rows {
            if let objection = objection(to: row) { throw root.error(root["vary"] ?? root.node, objection) }
        }
    }

    private mutating func readRows(_ nodes: [Node], _ root: YAMLSection, _ base: WorldSettings) throws {
        rows = []
        for node in nodes {
            let section = try YAMLSection(node, in: root.file, what: "a row", allowed: variable)
            if varied.isEmpty { varied = section.entries.map(\.key) }
            guard Set(section.entries.map(\.key)) == Set(varied) else {
                throw root.error(node, "each row has to give the same parameters: \(varied.joined(separator: ", "))")
            }
            var row = base
            for entry in section.entries {
                if let parameter = parameter(entry.key) {
                    row[entry.key] = try section.value(entry.value, of: parameter)
                }
            }
            rows.append(row)
        }
    }

    private mutating func readGrid(_ node: Node, _ root: YAMLSection) throws {
        let section = try YAMLSection(node, in: root.file, what: "vary", allowed: variable)
        for entry in section.entries {
            guard let parameter = parameter(entry.key) else { continue }
            let values = try values(of: parameter, entry.value, section)
            varied.append(entry.key)
            guard rows.count * values.count <= Self.mostRows else {
                throw root.error(entry.value, "that makes more than \(Self.mostRows) rows; give fewer values")
            }
            rows = rows.flatMap { row in
                values.map { value in
                    var next = row
                    next[entry.key] = value
                    return next
                }
            }
        }
    }

    private func values(of parameter: WorldParameter, _ node: Node, _ section: YAMLSection) throws -> [StudyValue] {
        if case .sequence(let list) = node {
            var values: [StudyValue] = []
            for node in list {
                let value = try section.value(node, of: parameter)
                if values.contains(value) { throw section.error(node, "\(parameter.text(value)) is there twice") }
                values.append(value)
            }
            if values.isEmpty { throw section.error(node, "\(parameter.path): there are no values") }
            return values
        }
        guard case .mapping = node else {
            throw section.error(node, "\(parameter.path): give a list, as in [1, 2], or {from: 1, to: 10, step: 1}")
        }
        let range = try YAMLSection(node, in: section.file, what: "a range", allowed: ["from", "to", "step", "factor"])
        guard let dimension = parameter.dimension else {
            throw section.error(node, "\(parameter.path): give a list of words")
        }
        func number(_ key: String, _ dimension: Dimension) throws -> Double? {
            guard let node = range[key] else { return nil }
            do { return try dimension.number(range.text(node, key)) } catch let error as InvalidText {
                throw range.error(node, "\(key): \(error)")
            }
        }
        guard let from = try number("from", dimension), let to = try number("to", dimension), from <= to else {
            throw section.error(node, "\(parameter.path): a range goes from a number to one that is no smaller")
        }
        let step = try number("step", dimension), factor = try number("factor", .number)
        var numbers: [Double] = []
        // A hair more, so that the last value is not lost to rounding.
        let end = to + 1e-9 * max(1, to.magnitude)
        switch (step, factor) {
        case (let step?, nil) where step > 0 && (to - from) / step < Double(Self.mostRows):
            numbers = (0...Int((end - from) / step)).map { from + Double($0) * step }
        case (nil, let factor?) where factor > 1.000_1 && from > 0:
            var next = from
            while next <= end {
                numbers.append(next)
                next *= factor
            }
        default:
            throw section.error(
                node,
                "\(parameter.path): give one of these: a step above 0, a factor above 1 (and from above 0)"
            )
        }
        return try numbers.map { number in
            let text = number.digits + (dimension.units[0].name.isEmpty ? "" : " \(dimension.units[0].name)")
            do { return try parameter.value(text) } catch { throw section.error(node, "\(parameter.path): \(error)") }
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
