public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// What is known so far about each device that was heard, advertisement and scan response together.
public struct DiscoveryCache: Sendable {
    /// One device that was heard.
    public struct Entry: Hashable, Sendable {
        public var address: DeviceAddress
        /// Which bonded peer it is; nil for other peers.
        public var identity: DeviceAddress?
        /// The latest advertisement; nil while only a scan response was heard.
        public var data: [UInt8]?
        /// The latest scan response; nil while there was none.
        public var scanResponse: [UInt8]?
        public var isConnectable: Bool
        public var isScannable: Bool
        public var signalStrength: SignalStrength?
        public var firstHeard: Instant
        public var lastHeard: Instant

        /// The AD structures of the advertisement, then those of the scan response, as far as they make sense.
        public var advertisingData: AdvertisingData {
            AdvertisingData(
                AdvertisingData(lenient: data ?? []).structures
                    + AdvertisingData(lenient: scanResponse ?? []).structures
            )
        }

        /// The complete local name from either, else the shortened one.
        public var localName: String? { advertisingData.localName }
    }

    /// What a report added to what was known.
    public enum Change: Hashable, Sendable {
        /// The first report of this device.
        case new
        /// New bytes, or a new kind of advertisement.
        case changed
        /// Nothing but the time and the signal strength.
        case heardAgain
    }

    /// The devices that are known, in the order in which they were first heard.
    public private(set) var entries: [Entry] = []
    private var indices: [DeviceAddress: Int] = [:]
    private let limit: Int

    /// - Parameter limit: how many devices are known at once, at least one. For one more the quarter is forgotten that was not
    ///   heard for longest: one radio can change its address without end, and others are found all the same.
    public init(limit: Int = 4096) { self.limit = max(1, limit) }

    /// What is known about one device.
    public subscript(address: DeviceAddress) -> Entry? { indices[address].map { entries[$0] } }

    /// Takes a report in. A device that was forgotten is a new one.
    public mutating func absorb(_ report: AdvertisingReport, at now: Instant) -> (entry: Entry, change: Change) {
        guard let index = indices[report.address] else {
            if entries.count >= limit { forgetSilent(max(1, limit / 4)) }
            let entry = Entry(report, at: now)
            indices[report.address] = entries.count
            entries.append(entry)
            return (entry, .new)
        }
        let before = entries[index]
        entries[index].absorb(report, at: now)
        let after = entries[index]
        return (after, after.sameContents(as: before) ? .heardAgain : .changed)
    }

    /// Forgets so many devices, those that were not heard for longest.
    private mutating func forgetSilent(_ count: Int) {
        let bySilence = entries.sorted { ($0.lastHeard, $0.firstHeard) < ($1.lastHeard, $1.firstHeard) }
        let forgotten = Set(bySilence.prefix(count).map(\.address))
        entries.removeAll { forgotten.contains($0.address) }
        indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.address, $0) })
    }
}

extension DiscoveryCache.Entry {
    fileprivate init(_ report: AdvertisingReport, at now: Instant) {
        self.init(
            address: report.address,
            isConnectable: report.isConnectable,
            isScannable: report.isScannable,
            firstHeard: now,
            lastHeard: now
        )
        absorb(report, at: now)
    }

    fileprivate mutating func absorb(_ report: AdvertisingReport, at now: Instant) {
        if report.kind == .scanResponse {
            scanResponse = report.data
            // Only scannable advertisers answer; their advertisement says whether one may connect.
            isScannable = true
        } else {
            data = report.data
            isConnectable = report.isConnectable
            isScannable = report.isScannable
        }
        if let resolved = report.identity { identity = resolved }
        if let heard = report.signalStrength { signalStrength = heard }
        lastHeard = now
    }

    fileprivate func sameContents(as other: Self) -> Bool {
        data == other.data && scanResponse == other.scanResponse && isConnectable == other.isConnectable
            && isScannable == other.isScannable
    }
}
