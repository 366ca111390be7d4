/// Finds out which bit of the overflow area belongs to which service, from what phones send that advertise one after the
/// other. It has no idea of the rule: all it knows is that the services are counted up from the first one.
///
/// Each sender is looked at on its own. It receives every advertisement that is heard, and answers with its findings.
public struct OverflowAnalyser: Sendable {
    public struct Settings: Sendable {
        /// Weaker advertisements do not count, so that phones of other people do not: in dBm; nil takes all.
        public var floor: Int? = -45
        /// The time between two services, in seconds.
        public var step = 1.0
        /// If nothing has changed for longer, a change was missed; in seconds.
        public var longestStep = 1.7
        /// The first service that is expected: the last 64 bits of its UUID, the others being zero.
        public var first: UInt64 = 0

        public init() {}
    }

    /// Something worth telling of a sender, which is an index into `senders`.
    public enum Finding: Hashable, Sendable {
        /// A bit was seen for the first time.
        case found(OverflowEntry, sender: Int)
        /// A service has a bit that another one has as well.
        case collision(OverflowEntry, with: OverflowEntry, sender: Int)
        /// So many bits were set at once, which says nothing.
        case several(count: Int, sender: Int)
        /// Nothing has changed for too long, in seconds.
        case missingChange(after: Double, sender: Int)
        /// All 128 bits have been seen.
        case complete(sender: Int)
    }

    public let settings: Settings
    /// Who was heard with something in its overflow area, in the order in which they came.
    public private(set) var senders: [OverflowSender] = []
    /// How many advertisements with an overflow area were too weak to count.
    public private(set) var weakCount = 0

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Whether all bits of so many senders are known.
    public func isComplete(senders count: Int) -> Bool {
        senders.count { $0.entries.count == OverflowEntry.bitCount } >= count
    }

    /// Processes an advertisement.
    /// - Parameters:
    ///   - data: its AD structures, whatever they are.
    ///   - sender: the address.
    ///   - rssi: in dBm; nil if unknown, which counts as weak.
    ///   - time: seconds since some beginning, never less than before.
    public mutating func hear(_ data: [UInt8], from sender: String, rssi: Int?, at time: Double) -> [Finding] {
        guard let mask = Self.mask(in: data) else { return [] }
        if let floor = settings.floor {
            guard let rssi, rssi > floor else {
                weakCount += 1
                return []
            }
        }
        let index = senders.firstIndex { $0.name == sender } ?? senders.endIndex
        if index == senders.endIndex { senders.append(OverflowSender(sender, next: settings.first)) }
        return senders[index].take(mask, at: time, index, settings)
    }

    /// The mask among AD structures: manufacturer specific data of Apple's, message type 1, with at least 17 bytes.
    private static func mask(in data: [UInt8]) -> [UInt8]? {
        var rest = data[...]
        while let length = rest.first, length > 0, rest.count > Int(length) {
            let structure = Array(rest.dropFirst().prefix(Int(length)))
            // Type, company, message type, mask.
            if structure.count >= 1 + 2 + 17, structure.starts(with: [0xFF, 0x4C, 0x00, 0x01]) {
                return Array(structure[4..<20])
            }
            rest = rest.dropFirst(1 + Int(length))
        }
        return nil
    }
}
