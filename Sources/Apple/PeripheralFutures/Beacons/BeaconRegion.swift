public import Foundation

/// Where one of a group of iBeacons is heard; or what a device advertises to be one of them.
public final class BeaconRegion: Region, @unchecked Sendable {
    private let clBeaconRegion: CLBeaconRegion
    let heard = Guarded<[Beacon]>([])

    /// A region of Core Location's.
    ///
    /// - Parameter capacity: how many events its streams keep.
    public init(region: CLBeaconRegion, capacity: Int = Int.max) {
        clBeaconRegion = region
        super.init(region, capacity: capacity)
        region.notifyEntryStateOnDisplay = true
    }

    /// All beacons of a group.
    public convenience init(proximityUUID: UUID, identifier: String, capacity: Int = Int.max) {
        self.init(region: CLBeaconRegion(uuid: proximityUUID, identifier: identifier), capacity: capacity)
    }

    /// The beacons of a part of a group.
    public convenience init(proximityUUID: UUID, identifier: String, major: UInt16, capacity: Int = Int.max) {
        self.init(
            region: CLBeaconRegion(uuid: proximityUUID, major: major, identifier: identifier),
            capacity: capacity
        )
    }

    /// One beacon.
    public convenience init(
        proximityUUID: UUID,
        identifier: String,
        major: UInt16,
        minor: UInt16,
        capacity: Int = Int.max
    ) {
        self.init(
            region: CLBeaconRegion(uuid: proximityUUID, major: major, minor: minor, identifier: identifier),
            capacity: capacity
        )
    }

    /// The beacons that were heard in it, in the order in which they were.
    public var beacons: [Beacon] { heard.withLock { $0 } }

    public var proximityUUID: UUID? { clBeaconRegion.uuid }

    public var major: Int? { clBeaconRegion.major?.intValue }

    public var minor: Int? { clBeaconRegion.minor?.intValue }

    /// Whether an app is notified each time the display is lit.
    public var notifyEntryStateOnDisplay: Bool {
        get { clBeaconRegion.notifyEntryStateOnDisplay }
        set { clBeaconRegion.notifyEntryStateOnDisplay = newValue }
    }

    /// What a peripheral manager advertises to be a beacon of this region.
    ///
    /// - Parameter measuredPower: the strength at one metre in dBm; nil for the device's own.
    public func peripheralDataWithMeasuredPower(_ measuredPower: Int?) -> [String: AnyObject] {
        let power = measuredPower.map { NSNumber(value: $0) }
        var dictionary: [String: AnyObject] = [:]
        for (key, value) in clBeaconRegion.peripheralData(withMeasuredPower: power) {
            if let key = key as? String { dictionary[key] = value as AnyObject }
        }
        return dictionary
    }
}

/// An iBeacon that was heard.
public final class Beacon: Hashable, Sendable {
    public let discoveredAt: Date
    public let major: Int?
    public let minor: Int?
    public let proximityUUID: UUID?
    public let proximity: CLProximity
    /// How far away it is, in metres; below zero if unknown.
    public let accuracy: CLLocationAccuracy
    /// How strongly it was heard, in dBm.
    public let rssi: Int

    init(
        discoveredAt: Date,
        proximityUUID: UUID?,
        major: Int?,
        minor: Int?,
        proximity: CLProximity,
        accuracy: CLLocationAccuracy,
        rssi: Int
    ) {
        self.discoveredAt = discoveredAt
        self.proximityUUID = proximityUUID
        self.major = major
        self.minor = minor
        self.proximity = proximity
        self.accuracy = accuracy
        self.rssi = rssi
    }

    /// Whether they are the same beacon, however they were heard.
    public static func == (left: Beacon, right: Beacon) -> Bool {
        left.proximityUUID == right.proximityUUID && left.major == right.major && left.minor == right.minor
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(proximityUUID)
        hasher.combine(major)
        hasher.combine(minor)
    }
}
