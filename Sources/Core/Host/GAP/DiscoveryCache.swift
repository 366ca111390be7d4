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

    /// All devices, in the order in which they were first heard.
    public private(set) var entries: [Entry] = []
    private var indices: [DeviceAddress: Int] = [:]
    private let limit: Int

    /// Once `limit` devices are known, others are not taken in.
    public init(limit: Int = 4096) { self.limit = limit }

    /// What is known about one device.
    public subscript(address: DeviceAddress) -> Entry? { indices[address].map { entries[$0] } }

    /// Takes a report in; nil if the cache is full.
    public mutating func absorb(_ report: AdvertisingReport, at now: Instant) -> (entry: Entry, change: Change)? {
        guard let index = indices[report.address] else {
            guard entries.count < limit else { return nil }
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
