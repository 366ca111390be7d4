import BluethroatBluetoothValues
import BluethroatByteCoding
package import BluethroatEvents
package import BluethroatHost
import BluethroatKeyFobConsole
package import BluethroatOverflowAnalyser
package import BluethroatVirtualTime

/// Writes what an analyser of the overflow area finds.
package struct OverflowFindingsWriter {
    package private(set) var analyser: OverflowAnalyser
    private let isJSON: Bool
    private let write: (String) -> Void
    private let hint: (String) -> Void
    private var hasHinted = false

    /// - Parameters:
    ///   - write: takes a line with a finding.
    ///   - hint: takes a hint for people at a terminal.
    package init(
        _ analyser: OverflowAnalyser,
        json: Bool,
        write: @escaping (String) -> Void,
        hint: @escaping (String) -> Void
    ) {
        self.analyser = analyser
        isJSON = json
        self.write = write
        self.hint = hint
    }

    /// Processes what was heard.
    package mutating func hear(_ report: AdvertisingReport, at now: Instant) {
        defer {
            if analyser.weakCount == 1, !hasHinted {
                hasHinted = true
                hint("there is a phone that is too weak to count; --rssi -100 takes it")
            }
        }
        let findings = analyser.hear(
            report.data,
            from: report.address.description,
            rssi: report.signalStrength.map { Int($0.dBm) },
            at: Double(now.nanoseconds) / 1e9
        )
        for finding in findings { tell(finding, at: now) }
    }

    /// Writes the tables.
    package func end(at now: Instant) {
        for sender in analyser.senders where !sender.entries.isEmpty {
            let isWhole = sender.entries.count == OverflowEntry.bitCount
            if isJSON {
                write(table(sender, isWhole, at: now).text)
                continue
            }
            write("\(sender.name): Found \(sender.entries.count) of \(OverflowEntry.bitCount)")
            if isWhole, let remark = sender.alignment.remark { write(remark) }
            for entry in sender.table {
                let index = String(entry.index)
                write("\(String(repeating: " ", count: 3 - index.count))\(index)  \(entry.place)  \(entry.uuid)")
            }
            let confidence = sender.confidence.map(ConfidenceText.percent).joined(separator: " ")
            write("\(sender.name): confidence in bytes 0 to 15: \(confidence)")
        }
    }

    /// Why not enough was found.
    package func shortfall(in patience: TimeSpan) -> OperationFailure {
        let seconds = Seconds(span: patience)
        let best = analyser.senders.map(\.entries.count).max() ?? 0
        if best > 0 {
            return OperationFailure(
                "found \(best) of \(OverflowEntry.bitCount) bits in \(seconds) s; --timeout takes more seconds",
                .nothingFound
            )
        }
        return OperationFailure(
            weakness.map { "no phone was near in \(seconds) s; \($0)" }
                ?? "no phone with anything in its overflow area was heard in \(seconds) s",
            .nothingFound
        )
    }

    /// That phones were there and did not count; nil if there were none.
    package var weakness: String? {
        guard analyser.weakCount > 0 else { return nil }
        return "\(analyser.weakCount) advertisements were too weak: go nearer, or try --rssi -100"
    }

    private func tell(_ finding: OverflowAnalyser.Finding, at now: Instant) {
        write(isJSON ? object(finding, at: now).text : line(finding))
    }

    private func line(_ finding: OverflowAnalyser.Finding) -> String {
        func name(_ sender: Int) -> String { analyser.senders[sender].name }
        return switch finding {
        case .found(let entry, let sender):
            "\(name(sender)): \(entry.uuid) sets bit \(entry.index). Found \(count(entry, sender)) of 128"
        case .collision(let entry, let other, let sender):
            "\(name(sender)): \(entry.uuid) sets bit \(entry.index), as does \(other.uuid)"
        case .several(let count, let sender): "\(name(sender)): \(count) bits are set at once"
        case .missingChange(let seconds, let sender):
            "\(name(sender)): missing change: nothing is different after \(Int((seconds * 1_000).rounded())) ms"
        case .complete(let sender): "\(name(sender)): Found 128 of 128"
        }
    }

    /// How many had been found with this one: several findings may come at once.
    private func count(_ entry: OverflowEntry, _ sender: Int) -> Int {
        (analyser.senders[sender].entries.firstIndex(of: entry) ?? -1) + 1
    }

    private func object(_ finding: OverflowAnalyser.Finding, at now: Instant) -> JSONLine {
        func start(_ event: String, _ sender: Int) -> JSONLine {
            var line = JSONLine(event: event, time: now)
            line.add("peer", analyser.senders[sender].name)
            return line
        }
        switch finding {
        case .found(let entry, let sender):
            var line = start("found", sender)
            line.add(entry)
            line.add("count", count(entry, sender))
            return line
        case .collision(let entry, let other, let sender):
            var line = start("collision", sender)
            line.add(entry)
            line.add("with", other.uuid)
            return line
        case .several(let count, let sender):
            var line = start("severalBits", sender)
            line.add("count", count)
            return line
        case .missingChange(let seconds, let sender):
            var line = start("missingChange", sender)
            line.add("after", .nanoseconds(Int64(seconds * 1e9)))
            return line
        case .complete(let sender): return start("complete", sender)
        }
    }

    private func table(_ sender: OverflowSender, _ isWhole: Bool, at now: Instant) -> JSONLine {
        var line = JSONLine(event: "table", time: now)
        line.add("peer", sender.name)
        line.add("count", sender.entries.count)
        if isWhole { line.add("fits", sender.alignment.fits) }
        line.add("confidence", decimal: ConfidenceText.json(sender.confidence))
        line.add(
            "entries",
            sender.table.map { entry in
                var object = JSONLine()
                object.add(entry)
                return object
            }
        )
        return line
    }
}

extension JSONLine {
    fileprivate mutating func add(_ entry: OverflowEntry) {
        add("uuid", entry.uuid)
        add("index", entry.index)
        add("byte", entry.byte)
        add("value", [entry.value].hex)
    }
}

extension OverflowEntry {
    /// `byte 10 value 08`
    fileprivate var place: String {
        "byte \(byte < 10 ? " " : "")\(byte) value \([value].hex.uppercased())"
    }
}

extension OverflowAlignment {
    /// Whether the table is right if the bits are a checksum's.
    fileprivate var fits: Bool {
        switch self {
        case .asCounted, .late: true
        case .unconfirmed, .inconsistent: false
        }
    }

    fileprivate var remark: String? {
        switch self {
        case .asCounted: nil
        case .late(let count): "listening began \(count) services late; that is made up for in the table"
        case .unconfirmed: "a service may be wrong: nothing else that was heard confirms it; listen once more"
        case .inconsistent: "the services may be wrong: no counting makes them fit together"
        }
    }
}
