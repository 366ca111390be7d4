public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// What a central has done and what came of it, the latest last; new entries replace the oldest.
public struct OperationLog: Sendable {
    /// One line of the log.
    public struct Entry: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case scan, connect, disconnect, mtu, discover, read, write, writeCommand = "write-command", subscribe
            case unsubscribe, notification, indication, pair, security
        }

        /// Counts from 1, without gaps.
        public var number: Int
        /// When it was asked for, or when it came by itself.
        public var began: Instant
        /// When the answer was there; nil while it is waited for.
        public var ended: Instant?
        public var kind: Kind
        /// Of the connection it belongs to.
        public var peer: DeviceAddress?
        public var handle: AttributeHandle?
        public var uuid: BluetoothUUID?
        /// What was sent or received.
        public var value: [UInt8]?
        /// What came of it, where that is not the value.
        public var outcome: String?
        public var hasFailed = false
    }

    public static let capacity = 2000

    public private(set) var entries: [Entry] = []
    private var count = 0

    public init() {}

    mutating func begin(
        _ kind: Entry.Kind,
        at now: Instant,
        peer: DeviceAddress? = nil,
        handle: AttributeHandle? = nil,
        uuid: BluetoothUUID? = nil,
        value: [UInt8]? = nil
    ) -> Int {
        count += 1
        if entries.count == Self.capacity { entries.removeFirst(Self.capacity / 10) }
        entries.append(
            Entry(number: count, began: now, kind: kind, peer: peer, handle: handle, uuid: uuid, value: value)
        )
        return count
    }

    /// Something that is over as soon as it happens.
    mutating func note(
        _ kind: Entry.Kind,
        at now: Instant,
        peer: DeviceAddress? = nil,
        handle: AttributeHandle? = nil,
        uuid: BluetoothUUID? = nil,
        value: [UInt8]? = nil,
        outcome: String? = nil,
        hasFailed: Bool = false
    ) {
        let number = begin(kind, at: now, peer: peer, handle: handle, uuid: uuid, value: value)
        end(number, at: now, outcome: outcome, hasFailed: hasFailed)
    }

    mutating func end(
        _ number: Int,
        at now: Instant,
        value: [UInt8]? = nil,
        outcome: String? = nil,
        hasFailed: Bool = false
    ) {
        guard let index = index(of: number) else { return }
        entries[index].ended = now
        if let value { entries[index].value = value }
        entries[index].outcome = outcome
        entries[index].hasFailed = hasFailed
    }

    /// Those behind the entry with this number.
    public func entries(after number: Int) -> ArraySlice<Entry> {
        guard let first = entries.first, number >= first.number else { return entries[...] }
        return entries.dropFirst(min(number - first.number, entries.count - 1) + 1)
    }

    private func index(of number: Int) -> Int? {
        guard let first = entries.first, number >= first.number, number - first.number < entries.count else {
            return nil
        }
        return number - first.number
    }
}
