import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Scanning: whom to report, whom to ask. Core 6.0, Vol 6, Part B, 4.4.3.
///
/// An object, so that a controller that does not scan, as most do, has no room for it.
final class Scanner {
    let parameters: ScanParameters
    let schedule: ScanSchedule
    /// Under which address requests are made where no private one is.
    let identity: DeviceAddress
    // Each access to what follows is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var duplicates: DuplicateFilter?
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var backoff = ScanBackoff()

    init(parameters: ScanParameters, identity: DeviceAddress, filtersDuplicates: Bool, at now: Instant) {
        self.parameters = parameters
        self.identity = identity
        schedule = ScanSchedule(interval: parameters.interval, window: parameters.window, start: now)
        duplicates = filtersDuplicates ? DuplicateFilter() : nil
    }
}

/// Remembers who was reported with what kind of PDU, so that it is reported once. Core 6.0, Vol 4, Part E, 7.8.11.
struct DuplicateFilter: Sendable {
    /// How many are remembered; after that many the filter begins anew.
    static let capacity = 16_384

    private var seen: Set<UInt64> = []

    /// Whether this is the first report of its kind.
    mutating func admits(_ address: DeviceAddress, _ type: AdvertisingReportType) -> Bool {
        if seen.count >= Self.capacity { seen.removeAll(keepingCapacity: true) }
        return seen.insert(Self.key(address, type)).inserted
    }

    func contains(_ address: DeviceAddress, _ type: AdvertisingReportType) -> Bool {
        seen.contains(Self.key(address, type))
    }

    private static func key(_ address: DeviceAddress, _ type: AdvertisingReportType) -> UInt64 {
        address.value | UInt64(address.kind.rawValue) << 48 | UInt64(type.rawValue) << 56
    }
}

/// How often scan requests are held back so that scanners do not all ask at once. Core 6.0, Vol 6, Part B, 4.4.3.2.
struct ScanBackoff: Sendable {
    static let mostOpportunities: UInt64 = 256

    /// From how many opportunities one is drawn.
    private(set) var upperLimit: UInt64 = 1
    /// Opportunities until the next request, that one included.
    private(set) var count: UInt64 = 1
    private var successes = 0
    private var failures = 0

    /// Whether the request may go out now; counts an opportunity. A request that something else cut short was never
    /// noted, and leaves the count where it was.
    mutating func mayAsk() -> Bool {
        if count > 1 {
            count -= 1
            return false
        }
        return true
    }

    /// The request was answered, or not: two of a kind in a row halve or double the limit, and a new count is drawn.
    mutating func note(success: Bool, stream: inout SeededRandom) {
        if success {
            failures = 0
            successes += 1
            if successes == 2 {
                successes = 0
                upperLimit = max(1, upperLimit / 2)
            }
        } else {
            successes = 0
            failures += 1
            if failures == 2 {
                failures = 0
                upperLimit = min(Self.mostOpportunities, upperLimit * 2)
            }
        }
        count = 1 + stream.next(below: upperLimit)
    }
}
