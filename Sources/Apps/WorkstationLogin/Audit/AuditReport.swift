public import Foundation

/// What was found out about a desk's log.
public struct AuditReport: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// Nothing was changed, and the head agrees.
        case whole
        /// The last line has no end, and the head does not count it: the desk was killed, or the disk was full, while it
        /// was written.
        case unfinishedLine
        /// The head does not count the last line, which is the desk's: the desk was killed between the two.
        case headBehind
        case broken(AuditFault)
    }

    /// How many lines follow upon each other from the first on.
    public let entries: Int
    public let state: State
    /// The link of the last of them.
    let link: Data
    /// Their length with their ends of line, in bytes.
    let length: Int

    /// What somebody has done to it, if it had so many entries once; nil for nothing.
    public func fault(atLeast known: Int) -> AuditFault? {
        if case .broken(let fault) = state { return fault }
        return entries < known ? .cutAtEnd(entries: entries + 1...known) : nil
    }

    /// What is printed of a log that nobody has changed, and why for one that somebody has.
    public var sentence: String {
        let count = "\(entries) \(entries == 1 ? "entry" : "entries"), none changed, cut, moved or added"
        switch state {
        case .whole: return "\(count); the last link is \(link.hex)"
        case .unfinishedLine:
            return "\(count); line \(entries + 1) has no end: the desk was killed, or the disk was full, while it was "
                + "written. The next start takes it away"
        case .headBehind:
            return
                "\(count); the head does not count the last: the desk was killed between the two, or writes just now. "
                + "The next start puts the head forward"
        case .broken(let fault): return "\(fault)"
        }
    }
}

/// The first thing that somebody has done to a desk's log. Lines are counted from 1.
public enum AuditFault: Error, Equatable, Sendable, CustomStringConvertible {
    case changed(line: Int)
    case added(line: Int)
    case reordered(line: Int)
    /// Before this line; the entries that are missing.
    case cut(line: Int, entries: ClosedRange<Int>)
    case cutAtEnd(entries: ClosedRange<Int>)
    case noHead
    /// It was not written with this key, or belongs to another log.
    case otherHead
    /// It counts so many lines less than there are that no crash explains it.
    case headSetBack(count: Int)

    public var description: String {
        switch self {
        case .changed(let line): "line \(line) was changed"
        case .added(let line): "line \(line) was added"
        case .reordered(let line): "line \(line) is out of order: entry \(line) stands further down"
        case .cut(let line, let entries): "\(Self.missing(entries)) cut out before line \(line)"
        case .cutAtEnd(let entries): "\(Self.missing(entries)) cut off at the end"
        case .noHead: "its head is missing"
        case .otherHead: "its head was changed, or is that of another log or another desk's key"
        case .headSetBack(let count): "its head was set back to line \(count)"
        }
    }

    private static func missing(_ entries: ClosedRange<Int>) -> String {
        entries.count == 1
            ? "entry \(entries.lowerBound) was" : "entries \(entries.lowerBound) to \(entries.upperBound) were"
    }
}

extension AuditReport {
    /// Looks through a log.
    ///
    /// - Parameters:
    ///   - log: all of it; what is not there is empty.
    ///   - head: nil if there is none.
    ///   - key: that of the desk.
    public init(log: Data, head: Data?, key: DeskKey) {
        let chain = AuditChain(key)
        let parsed = head.flatMap(chain.parse)
        var lines = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.removeLast()
        var (count, links, length) = (0, AuditChain.start, 0)
        /// The link of the line that the head counts as the last.
        var atHead = parsed?.count == 0 ? AuditChain.start : nil
        for line in lines {
            guard let next = chain.link(ofLine: line, after: links) else { break }
            count += 1
            links = next
            length += line.count + 1
            if parsed?.count == count { atHead = links }
        }
        (entries, link, self.length) = (count, links, length)
        let hasHead = head != nil
        func found() -> State {
            if count < lines.count {
                return .broken(Self.fault(at: count, in: lines, after: links, chain, headCount: parsed?.count))
            }
            guard hasHead else { return log.isEmpty ? .whole : .broken(.noHead) }
            guard let parsed else { return .broken(.otherHead) }
            if count < parsed.count { return .broken(.cutAtEnd(entries: count + 1...parsed.count)) }
            guard atHead == parsed.link else { return .broken(.otherHead) }
            switch count - parsed.count {
            case 0: return rest.isEmpty ? .whole : .unfinishedLine
            case 1 where rest.isEmpty: return .headBehind
            default: return .broken(.headSetBack(count: parsed.count))
            }
        }
        state = found()
    }

    /// What is wrong with a line that does not follow upon the one before.
    private static func fault(
        at index: Int,
        in lines: [Data],
        after previous: Data,
        _ chain: AuditChain,
        headCount: Int?
    ) -> AuditFault {
        let line = index + 1
        // What the head does not count, nobody but another can have written.
        if index == headCount { return .added(line: line) }
        var places: [Int: [Int]] = [:]
        let numbers = lines[index...].map { try? JSONDecoder().decode(AuditEntry.self, from: $0.dropFirst(65)).number }
        for (offset, number) in numbers.enumerated() where offset > 0 {
            if let number { places[number, default: []].append(index + offset) }
        }
        /// The link of an entry that stands further down.
        func entryLink(_ number: Int, after previous: Data) -> Data? {
            places[number, default: []].lazy.compactMap { chain.link(ofLine: lines[$0], after: previous) }.first
        }
        let stated = numbers[0]
        if var link = entryLink(line, after: previous) {
            // The entry that belongs here stands further down: does this one follow upon those there?
            guard let stated, stated > line else { return .added(line: line) }
            for number in line + 1..<stated {
                guard let next = entryLink(number, after: link) else { break }
                link = next
            }
            // It does, unless it is a copy of what stands where it belongs.
            let isGenuine =
                chain.link(ofLine: lines[index], after: link) != nil && entryLink(stated, after: link) == nil
            return isGenuine ? .reordered(line: line) : .added(line: line)
        }
        let next = numbers.count > 1 ? numbers[1] : nil
        if let stated, stated > line, stated < .max, next == stated + 1 || line == lines.count && stated == headCount {
            return .cut(line: line, entries: line...stated - 1)
        }
        return .changed(line: line)
    }
}
