import BluethroatStudies

/// What speaks against a row of a study.
struct RowObjection {
    /// The parameters that are at fault, the likeliest first.
    let paths: [String]
    let message: String
}

extension StudyPlan {
    private static let mostDevices = 200_000
    private static let mostPairs = 2_000_000

    /// What speaks against a row; nil if nothing does.
    func objection(to row: WorldSettings) -> RowObjection? {
        objectionToAir(row) ?? objectionToWindows(row) ?? objectionToTraffic(row) ?? objectionToPowers(row)
            ?? objectionToTraces(row) ?? objectionToPayloads(row)
            ?? objectionToCounts(row)
    }

    /// A crowd's air computes no frame that nobody can hear.
    private func objectionToAir(_ row: WorldSettings) -> RowObjection? {
        guard !isCrowd, row.word("air.mode") == "crowd", let measure = measures.first(where: \.countsAllFrames) else {
            return nil
        }
        return RowObjection(
            paths: ["air.mode"],
            message: "\(measure.rawValue) counts all frames, and a crowd's air computes those that can be heard; give "
                + "air.mode: exact, or do not measure it"
        )
    }

    /// What is advertised is one structure, of a length and a type at least.
    private func objectionToPayloads(_ row: WorldSettings) -> RowObjection? {
        for group in groups where group.kind == .advertiser {
            let payload = "\(group.name).payload"
            guard row.whole(payload) == 1 else { continue }
            return RowObjection(
                paths: [payload],
                message: "\(payload): 1 B holds no AD structure; give 0 B, or 2 B and more"
            )
        }
        return nil
    }

    private func objectionToWindows(_ row: WorldSettings) -> RowObjection? {
        for group in groups where group.kind == .scanner || group.kind == .central {
            let prefix = group.kind == .central ? "\(group.name).scan-" : "\(group.name)."
            let (window, interval) = ("\(prefix)window", "\(prefix)interval")
            guard row.number(window) > row.number(interval) else { continue }
            return RowObjection(
                paths: [window, interval],
                message: "\(window) is longer than \(interval); give one that is no longer"
            )
        }
        return nil
    }

    /// A key fob notifies only when a key is pressed, and takes none of the values that a central of a study writes.
    private func objectionToTraffic(_ row: WorldSettings) -> RowObjection? {
        for group in groups where group.kind == .central {
            let traffic = "\(group.name).traffic", peer = row.word("\(group.name).to")
            guard ["notify", "write"].contains(row.word(traffic)),
                groups.contains(where: { $0.name == peer && $0.kind == .keyfob })
            else { continue }
            return RowObjection(paths: [traffic], message: "a key fob is only read here; give \(traffic): read")
        }
        return nil
    }

    /// One figure for all powers is one for any; a table ends with its highest.
    private func objectionToPowers(_ row: WorldSettings) -> RowObjection? {
        guard measures.contains(.energy), let most = currents.transmit.last?.power else { return nil }
        for group in groups {
            let path = "\(group.name).power"
            if case .number(let power) = row[path] {
                guard power > Double(most) else { continue }
                return RowObjection(
                    paths: [path],
                    message: "the table of currents ends at \(most) dBm; give less power, or another table as energy"
                )
            }
            guard DeviceKind.usualPower > most else { continue }
            return RowObjection(
                paths: [],
                message: "the table of currents ends at \(most) dBm, and \(group.name) sends with "
                    + "\(DeviceKind.usualPower) dBm; give another table as energy"
            )
        }
        return nil
    }

    private func objectionToTraces(_ row: WorldSettings) -> RowObjection? {
        for group in groups where row.word("\(group.name).walk") == "trace" {
            let path = row.word("\(group.name).trace"), count = row.whole("\(group.name).count")
            guard let trace = traces[path] else {
                return RowObjection(
                    paths: ["\(group.name).walk"],
                    message: "\(group.name) walks a trace; give its file as \(group.name).trace"
                )
            }
            if trace.ways.count < count {
                return RowObjection(
                    paths: ["\(group.name).count", "\(group.name).trace"],
                    message: "\(path) has the ways of \(trace.ways.count) devices, not of \(count)"
                )
            }
        }
        return nil
    }

    private func objectionToCounts(_ row: WorldSettings) -> RowObjection? {
        func sum(_ groups: [DeviceGroup]) -> Int { groups.map { row.whole("\($0.name).count") }.reduce(0, +) }
        func objection(_ groups: [DeviceGroup], _ message: String) -> RowObjection {
            let paths = groups.map { "\($0.name).count" }.sorted { row.number($0) > row.number($1) }
            return RowObjection(paths: Array(paths.prefix(1)), message: message)
        }
        if sum(groups) > Self.mostDevices {
            return objection(groups, "that is more than \(Self.mostDevices) devices; give smaller counts")
        }
        let desks = groups.filter { $0.kind == .desk }
        if sum(desks) > 10_000 {
            return objection(desks, "desks have four digits, so that there are 10000 at most; give smaller counts")
        }
        let listeners = groups.filter(\.kind.listens), advertisers = groups.filter(\.kind.advertises)
        if measuresPairs, sum(listeners) * sum(advertisers) > Self.mostPairs {
            return objection(
                listeners + advertisers,
                "that is more than \(Self.mostPairs) pairs of devices to be measured; give smaller counts"
            )
        }
        if isCrowd, row.word("overflow.mode") == "conversation", row.whole("overflow.phones") > 16 {
            return RowObjection(
                paths: ["overflow.phones", "overflow.mode"],
                message: "conversations have numbers for 16 phones; give fewer as overflow.phones"
            )
        }
        return nil
    }
}
