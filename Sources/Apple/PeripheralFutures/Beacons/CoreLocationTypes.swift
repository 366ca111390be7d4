#if canImport(CoreLocation)
    @_exported public import CoreLocation
#else
    public import Foundation

    // What Core Location says of beacons, for systems that do not have it.

    /// How near a beacon is.
    public enum CLProximity: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// Next to it.
        case immediate = 1
        /// A few metres.
        case near = 2
        /// Within its range.
        case far = 3
    }

    /// How exact a place is, in metres; below zero if unknown.
    public typealias CLLocationAccuracy = Double
    /// 0 to 65535, the larger number.
    public typealias CLBeaconMajorValue = UInt16
    /// 0 to 65535, the smaller number.
    public typealias CLBeaconMinorValue = UInt16

    /// Somewhere to be.
    open class CLRegion: NSObject, @unchecked Sendable {
        public let identifier: String
        private let notices = Guarded((onEntry: true, onExit: true))

        /// Whether an app is notified when its device enters.
        open var notifyOnEntry: Bool {
            get { notices.withLock(\.onEntry) }
            set { notices.withLock { $0.onEntry = newValue } }
        }

        /// Whether an app is notified when its device leaves.
        open var notifyOnExit: Bool {
            get { notices.withLock(\.onExit) }
            set { notices.withLock { $0.onExit = newValue } }
        }

        init(identifier: String) { self.identifier = identifier }
    }

    /// Where one of a group of beacons is heard.
    open class CLBeaconRegion: CLRegion, @unchecked Sendable {
        /// Which group.
        public let uuid: UUID
        /// Which part of the group; nil for all.
        public let major: NSNumber?
        /// Which beacon of the part; nil for all.
        public let minor: NSNumber?
        private let notice = Guarded(false)

        /// The same as `uuid`, under its older name.
        open var proximityUUID: UUID { uuid }

        /// Whether an app is notified each time the display is lit.
        open var notifyEntryStateOnDisplay: Bool {
            get { notice.withLock { $0 } }
            set { notice.withLock { $0 = newValue } }
        }

        public convenience init(uuid: UUID, identifier: String) {
            self.init(uuid, nil, nil, identifier)
        }

        public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
            self.init(uuid, major, nil, identifier)
        }

        public convenience init(
            uuid: UUID,
            major: CLBeaconMajorValue,
            minor: CLBeaconMinorValue,
            identifier: String
        ) {
            self.init(uuid, major, minor, identifier)
        }

        private init(_ uuid: UUID, _ major: UInt16?, _ minor: UInt16?, _ identifier: String) {
            self.uuid = uuid
            self.major = major.map { NSNumber(value: $0) }
            self.minor = minor.map { NSNumber(value: $0) }
            super.init(identifier: identifier)
        }

        /// What a peripheral manager advertises to be a beacon of this region. What the region leaves open is 0.
        ///
        /// - Parameter measuredPower: the strength at one metre in dBm, from −128 to 127; nil for −59, which is what an
        ///   iPhone sends.
        open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
            var data = withUnsafeBytes(of: uuid.uuid) { Data($0) }
            for number in [major, minor] {
                data += Data.serialize((number?.uint16Value ?? 0).bigEndian)
            }
            data += Data.serialize(Int8(clamping: measuredPower?.intValue ?? -59))
            return ["kCBAdvDataAppleBeaconKey": data]
        }
    }
#endif

extension CLProximity {
    /// In a word.
    public var stringValue: String {
        switch self {
        case .unknown: "Unknown"
        case .immediate: "Immediate"
        case .near: "Near"
        case .far: "Far"
        @unknown default: "Unknown"
        }
    }
}
