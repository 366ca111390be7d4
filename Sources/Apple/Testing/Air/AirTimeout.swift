import Foundation

/// Something that a test waited for did not happen in time.
public struct AirTimeout: Error, CustomStringConvertible {
    /// What was waited for.
    public let awaited: String
    /// How long it was waited for.
    public let limit: Duration
    /// The seed of the air.
    public let seed: UInt64
    /// The events of apps meanwhile, and how much was on the air.
    public let heard: String
    /// Why time did not pass; nil where it did.
    public let stall: String?
    private let now: Duration

    init(_ air: Air, since start: Duration, limit: Duration, _ what: String?, _ place: CodePlace) {
        awaited = what ?? place.text
        self.limit = limit
        seed = air.seed
        now = air.now
        stall = air.stall
        heard = air.log.summary(since: start)
    }

    public var description: String {
        let reason = stall.map { "\($0)\n" } ?? ""
        return "\(reason)not within \(limit.text): \(awaited) (seed \(seed), \(now.text))\n\(heard)"
    }
}

/// A line of a test.
struct CodePlace {
    let fileID: String
    let filePath: String
    let line: Int

    /// The code itself where the file can be read, and where it is.
    var text: String {
        let place = "\(fileID):\(line)"
        guard
            let lines = try? String(contentsOfFile: filePath, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            ),
            line > 0, line <= lines.count
        else { return place }
        return "\(lines[line - 1].trimmingCharacters(in: .whitespaces)) [\(place)]"
    }
}
