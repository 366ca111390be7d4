public import BluethroatEvents
import BluethroatStudies
import Foundation
import Yams

extension StudyPlan {
    /// Reads a study's file.
    ///
    /// - Throws: what is wrong in it, and in which line; or that a file cannot be read.
    public init(file path: String) throws(OperationFailure) {
        do {
            let folder = Self.folder(of: path)
            var files = [path]
            try self.init(yaml: TextFile.contents(path, mebibytes: 1), named: path) { trace in
                let path = trace.hasPrefix("/") ? trace : folder.appendingPathComponent(trace).path
                files.append(path)
                return try TextFile.contents(path, mebibytes: 256)
            }
            self.files = files
        } catch let failure as OperationFailure { throw failure } catch { throw OperationFailure("\(error)") }
    }

    /// Where the files are that a study names: in its folder, or in the current one if it comes from a pipe.
    private static func folder(of path: String) -> URL {
        guard !OpenPath.isOne(path) else { return URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }
        return URL(fileURLWithPath: path).deletingLastPathComponent()
    }

    /// Reads a study from text.
    ///
    /// - Parameters:
    ///   - file: its name, for messages.
    ///   - contents: the text of a file that the study names.
    public init(yaml text: String, named file: String, contents: (String) throws -> String) throws {
        self.init()
        let keys = [
            "study", "worlds", "seed", "length", "warmup", "area", "air", "devices", "overflow", "vary", "measure",
            "energy", "plot",
        ]
        let root = try YAMLSection(YAMLDocument.root(text, named: file), in: file, what: "a study", allowed: keys)
        var base = FileSettings(values: WorldSettings())
        parameters = Self.general
        if let node = root["study"] { title = try root.text(node, "study") }
        try readNumbers(root)
        try readDevices(root)
        for parameter in parameters { base.values[parameter.path] = parameter.initial }
        try readSettings(root, into: &base)
        try readMeasures(root)
        if let node = root["energy"] {
            if groups.isEmpty { throw root.error(node, "energy is not for overflow; leave it out") }
            guard measures.contains(.energy) else {
                throw root.error(node, "energy is not measured; leave it out, or give energy as measure, too")
            }
            try readEnergy(node, file)
        }
        try readTraces(root, base, contents)
        try readVariations(root, base)
        if let node = root["plot"] { try readPlot(node, file) }
    }

    // MARK: Sections

    private mutating func readNumbers(_ root: YAMLSection) throws {
        if let node = root["worlds"] {
            guard let worlds = Int(try root.text(node, "worlds")), (1...10_000).contains(worlds) else {
                throw root.error(node, "worlds: give a whole number from 1 to 10000")
            }
            self.worlds = worlds
        }
        if let node = root["seed"] {
            guard let seed = UInt64(try root.text(node, "seed")) else {
                throw root.error(node, "seed: give a whole number from 0 to 18446744073709551615")
            }
            self.seed = seed
        }
    }

    private mutating func readDevices(_ root: YAMLSection) throws {
        guard (root["devices"] == nil) != (root["overflow"] == nil) else {
            throw root.error(root["overflow"] ?? root.node, "give one of these: devices, overflow")
        }
        guard let node = root["devices"] else {
            // A crowd has its own area, air and beginning.
            parameters = Self.general.filter { $0.path == "length" } + Self.crowd
            return
        }
        for entry in try YAMLSection(node, in: root.file, what: "devices", allowed: nil).entries {
            let isName =
                !entry.key.isEmpty && entry.key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            guard isName else {
                let name = entry.key.isEmpty ? "nothing" : entry.key
                throw root.error(entry.keyNode, "\(name) cannot be the name of devices; give letters, digits, hyphens")
            }
            guard !["length", "warmup", "area", "air", "overflow"].contains(entry.key) else {
                throw root.error(entry.keyNode, "\(entry.key) is a setting of the study; give its devices another name")
            }
            let section = try YAMLSection(entry.value, in: root.file, what: entry.key, allowed: nil)
            let kinds = DeviceKind.allCases.map(\.rawValue).joined(separator: ", ")
            guard let kindNode = section["kind"] else {
                throw root.error(entry.keyNode, "\(entry.key) has no kind; give one of these: \(kinds)")
            }
            let word = try section.text(kindNode, "kind")
            guard let kind = DeviceKind(rawValue: word) else {
                throw root.error(kindNode, "\(word) is no kind of device; give one of these: \(kinds)")
            }
            guard groups.count < 1_000 else {
                throw root.error(entry.keyNode, "there are more than 1000 names of devices; give some a count instead")
            }
            groups.append(DeviceGroup(name: entry.key, kind: kind))
            parameters += kind.parameters(of: entry.key)
        }
        if groups.isEmpty { throw root.error(node, "there are no devices; name some") }
    }

    private func readSettings(_ root: YAMLSection, into base: inout FileSettings) throws {
        for name in ["length", "warmup"] {
            guard let node = root[name] else { continue }
            guard let parameter = parameter(name) else {
                throw root.error(node, "\(name) is not for overflow; leave it out")
            }
            base.set(try root.value(node, of: parameter), name, node)
        }
        var sections: [(String, Node)] = ["area", "air", "overflow"].compactMap { name in root[name].map { (name, $0) }
        }
        if let devices = root["devices"] {
            sections += try YAMLSection(devices, in: root.file, what: "devices", allowed: nil).entries.map {
                ($0.key, $0.value)
            }
        }
        for (name, node) in sections {
            let own = parameters.filter { $0.path.hasPrefix(name + ".") }
            if own.isEmpty { throw root.error(node, "\(name) is not for overflow; leave it out") }
            let isGroup = groups.contains { $0.name == name }
            let section = try YAMLSection(
                node,
                in: root.file,
                what: name,
                allowed: (isGroup ? ["kind"] : []) + own.map(\.name)
            )
            for parameter in own {
                guard let value = section[parameter.name] else { continue }
                base.set(try section.value(value, of: parameter), parameter.path, value)
            }
            guard let kinds = groups.first(where: { $0.name == name })?.kind.peers else { continue }
            let peers = groups.filter { kinds.contains($0.kind) }.map(\.name)
            guard let peer = section["to"], peers.contains(base.values.word("\(name).to")) else {
                let words = kinds.map(\.rawValue).joined(separator: " or ")
                let known = peers.isEmpty ? "a group of kind \(words)" : peers.joined(separator: ", ")
                throw root.error(section["to"] ?? node, "\(name) is to connect `to` a group; give \(known)")
            }
            _ = peer
        }
    }

    private mutating func readMeasures(_ root: YAMLSection) throws {
        guard !groups.isEmpty else {
            if let node = root["measure"] { throw root.error(node, "measure is not for overflow; leave it out") }
            measures = [.crowd]
            return
        }
        let words = Measure.allCases.filter { $0 != .crowd }.map(\.rawValue).joined(separator: ", ")
        guard let node = root["measure"] else { throw root.error(root.node, "give what to measure: \(words)") }
        var nodes = [node]
        if case .sequence(let list) = node { nodes = Array(list) }
        for node in nodes {
            let word = try root.text(node, "measure")
            guard let measure = Measure(rawValue: word), measure != .crowd else {
                throw root.error(node, "\(word) cannot be measured; give \(words)")
            }
            if measures.contains(measure) { throw root.error(node, "\(word) is there twice") }
            if let missing = measure.missing(groups) {
                throw root.error(node, "\(word): there is \(missing); add some")
            }
            measures.append(measure)
        }
        if measures.isEmpty { throw root.error(node, "give what to measure: \(words)") }
    }

    private mutating func readEnergy(_ node: Node, _ file: String) throws {
        let section = try YAMLSection(
            node,
            in: file,
            what: "energy",
            allowed: ["source", "transmit", "receive", "sleep"]
        )
        func current(_ node: Node, _ what: String) throws -> Double {
            let parameter = WorldParameter("energy.\(what)", .number(.current, 0...10), .number(0))
            guard case .number(let number) = try section.value(node, of: parameter) else { return 0 }
            return number
        }
        if let source = section["source"] { currents.source = try section.text(source, "source") }
        if section["source"] == nil { currents.source += ", changed" }
        if let receive = section["receive"] { currents.receive = try current(receive, "receive") }
        if let sleep = section["sleep"] { currents.sleep = try current(sleep, "sleep") }
        guard let transmit = section["transmit"] else { return }
        guard case .mapping = transmit else {
            currents.transmit = [
                CurrentTable.Level(power: CurrentTable.anyPower, current: try current(transmit, "transmit"))
            ]
            return
        }
        var known: Set<Double> = []
        let levels = try YAMLSection(transmit, in: file, what: "transmit", allowed: nil).entries.map { entry in
            let power = WorldParameter("energy.transmit", .number(.power, -40...20, isWhole: true), .number(0))
            guard case .number(let dBm) = try section.value(entry.keyNode, of: power) else {
                throw section.error(entry.keyNode, "give a power, as in 4 dBm")
            }
            guard known.insert(dBm).inserted else {
                throw section.error(entry.keyNode, "\(power.text(.number(dBm))) is there twice; leave one out")
            }
            return CurrentTable.Level(power: Int(dBm), current: try current(entry.value, "transmit"))
        }
        if levels.isEmpty { throw section.error(transmit, "give a current for a power, as in `0 dBm: 4.8 mA`") }
        currents.transmit = levels.sorted { $0.power < $1.power }
    }

    private mutating func readTraces(
        _ root: YAMLSection,
        _ base: FileSettings,
        _ contents: (String) throws -> String
    ) throws {
        for group in groups {
            let path = base.values.word("\(group.name).trace"), node = base.nodes["\(group.name).trace"] ?? root.node
            guard !path.isEmpty, traces[path] == nil else { continue }
            let text: String
            do { text = try contents(path) } catch { throw root.error(node, "\(error)") }
            do throws(InvalidText) { traces[path] = try Trace(csv: text) } catch {
                throw root.error(node, "cannot use \(path): \(error)")
            }
        }
    }

    private mutating func readPlot(_ node: Node, _ file: String) throws {
        let section = try YAMLSection(node, in: file, what: "plot", allowed: ["x", "y", "curves"])
        func choice(_ key: String, _ among: [String], _ missing: String = "") throws -> String? {
            guard let node = section[key] else { return nil }
            let word = try section.text(node, key)
            if among.contains(word) { return word }
            guard !among.isEmpty else {
                throw section.error(node, "\(word) cannot be \(key): no \(missing) varies; leave \(key) out")
            }
            throw section.error(node, "\(word) cannot be \(key); give \(among.joined(separator: ", "))")
        }
        plot.x = try choice("x", varied.filter { parameter($0)?.dimension != nil }, "number")
        plot.curves = try choice("curves", varied, "parameter")
        plot.y = try choice("y", columns.map(\.name))
    }
}

extension Measure {
    /// What there has to be in a world for this to be measured, and is not.
    fileprivate func missing(_ groups: [DeviceGroup]) -> String? {
        let kinds = groups.map(\.kind)
        switch self {
        case .discovery, .received, .reach:
            if !kinds.contains(where: \.listens) { return "nothing that listens (scanner, overflow-listener)" }
            return kinds.contains(where: \.advertises) ? nil : "nothing that advertises"
        case .connect, .throughput, .roundtrip: return kinds.contains(.central) ? nil : "no central"
        case .task: return kinds.contains(where: \.hasTask) ? nil : "no moneydrop-payer, text-client or login-phone"
        case .collisions, .energy, .crowd: return nil
        }
    }
}
