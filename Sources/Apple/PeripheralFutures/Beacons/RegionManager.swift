#if !canImport(CoreLocation)
    internal import Foundation

    /// Whether an app may know where its device is. Nothing here asks the user for that.
    public enum CLAuthorizationStatus: Int32, Sendable {
        case notDetermined = 0
        case restricted = 1
        case denied = 2
        case authorizedAlways = 3
        case authorizedWhenInUse = 4
    }

    /// Whether a device is in a region.
    public enum CLRegionState: Int, Sendable {
        case unknown = 0
        case inside = 1
        case outside = 2
    }

    /// Watches regions of beacons: a device is in one while one of its beacons is heard.
    public class RegionManager: @unchecked Sendable {
        /// How long a beacon may be silent before its region is left, in seconds; about what iPhones take.
        static let patience: TimeInterval = 30

        struct Watch {
            let region: BeaconRegion
            var state = RegionState.unknown
        }

        let ear = BeaconEar()
        let loops = SharedLoops()
        private let watches = Guarded<[Watch]>([])

        public init() {
            ear.add { [weak self] in self?.look() }
        }

        /// Whether regions are watched.
        public var isMonitoring: Bool { !regions.isEmpty }

        /// The regions that are watched, in the order in which that began.
        public var regions: [Region] { watches.withLock { $0.map(\.region) } }

        /// The region of a name that is watched.
        public func region(_ identifier: String) -> Region? { regions.first { $0.identifier == identifier } }

        /// Watches a region: `start` at once, then `inside` and `outside` whenever that changes. Regions other than those of
        /// beacons stay `unknown`.
        ///
        /// - Parameters:
        ///   - authorization: not asked for here.
        ///   - capacity: how many events the stream keeps.
        public func startMonitoring(
            for region: Region,
            authorization: CLAuthorizationStatus = .authorizedWhenInUse,
            capacity: Int = Int.max,
            context: any ExecutionContext = QueueContext.futuresDefault
        ) -> FutureStream<RegionState> {
            FutureStream(capacity: capacity, context: context, dependent: watch(region).stream)
        }

        /// Watches a region.
        ///
        /// - Returns: the region's own stream, which has what happened before, too; and whether it was not watched.
        func watch(_ region: Region) -> (stream: FutureStream<RegionState>, isNew: Bool) {
            region.regionPromise.success(.start)
            guard let region = region as? BeaconRegion else {
                region.regionPromise.success(.unknown)
                return (region.regionPromise.stream, false)
            }
            let isNew = watches.withLock { watches in
                let isKnown = watches.contains { $0.region === region }
                watches.put(Watch(region: region)) { $0.region.identifier == region.identifier }
                return !isKnown
            }
            ear.listen(for: self, true)
            return (region.regionPromise.stream, isNew)
        }

        /// Watches a region no longer.
        public func stopMonitoring(for region: Region) {
            watches.withLock { $0.removeAll { $0.region.identifier == region.identifier } }
            if !isMonitoring { ear.listen(for: self, false) }
        }

        /// Watches nothing any more.
        public func stopMonitoringAllRegions() { for region in regions { stopMonitoring(for: region) } }

        /// Whether the device is in a region that is watched; unknown for others.
        public func requestState(for region: Region) -> Future<CLRegionState> {
            let watch = watches.withLock { $0.first { $0.region.identifier == region.identifier } }
            return switch watch?.state {
            case .inside: Future(value: .inside)
            case .outside: Future(value: .outside)
            default: Future(value: .unknown)
            }
        }

        /// Once a second.
        private func look() {
            let changes = watches.withLock { watches in
                watches.indices.compactMap { index -> (BeaconRegion, RegionState)? in
                    let region = watches[index].region
                    let isHeard = !ear.beacons(in: region, heardWithin: Self.patience).isEmpty
                    let state: RegionState = isHeard ? .inside : .outside
                    guard state != watches[index].state else { return nil }
                    watches[index].state = state
                    return (region, state)
                }
            }
            for (region, state) in changes where state == .inside ? region.notifyOnEntry : region.notifyOnExit {
                region.regionPromise.success(state)
            }
        }
    }

    /// Ranges beacons: once a second, which of them are heard and how far away they seem to be.
    public final class BeaconManager: RegionManager, @unchecked Sendable {
        private struct Ranging {
            let region: BeaconRegion
            let promise: StreamPromise<[Beacon]>
        }

        private let rangings = Guarded<[Ranging]>([])

        /// The stream of the region of a name whose beacons are ranged.
        func rangingStream(identifier: String) -> FutureStream<[Beacon]>? {
            rangings.withLock { $0.first { $0.region.identifier == identifier }?.promise.stream }
        }

        public override init() {
            super.init()
            ear.add { [weak self] in self?.range() }
        }

        /// Whether beacons are ranged.
        public var isRanging: Bool { !beaconRegions.isEmpty }

        /// Whether the beacons of a region are.
        public func isRangingRegion(identifier: String) -> Bool { beaconRegion(identifier: identifier) != nil }

        /// Whether this device can.
        public func isRangingAvailable() -> Bool { true }

        /// The regions whose beacons are ranged, in the order in which that began.
        public var beaconRegions: [BeaconRegion] { rangings.withLock { $0.map(\.region) } }

        /// The region of a name whose beacons are ranged.
        public func beaconRegion(identifier: String) -> BeaconRegion? {
            beaconRegions.first { $0.identifier == identifier }
        }

        /// Ranges the beacons of a region, the nearest first; those that were not heard in the last second are of unknown
        /// distance, and left out after ten.
        ///
        /// - Parameters:
        ///   - authorization: not asked for here.
        ///   - capacity: how many events the stream keeps.
        /// - Returns: the stream of the call before, if the region is ranged already.
        public func startRangingBeacons(
            in region: BeaconRegion,
            authorization: CLAuthorizationStatus = .authorizedWhenInUse,
            capacity: Int = Int.max,
            context: any ExecutionContext = QueueContext.futuresDefault
        ) -> FutureStream<[Beacon]> {
            range(region, capacity).stream
        }

        /// Whether the stream is a new one is said, too.
        func range(_ region: BeaconRegion, _ capacity: Int) -> (stream: FutureStream<[Beacon]>, isNew: Bool) {
            let (promise, isNew): (StreamPromise<[Beacon]>, Bool) = rangings.withLock { rangings in
                if let known = rangings.first(where: { $0.region.identifier == region.identifier }) {
                    return (known.promise, false)
                }
                let promise = StreamPromise<[Beacon]>(capacity: capacity)
                rangings.append(Ranging(region: region, promise: promise))
                return (promise, true)
            }
            ear.listen(for: rangings, true)
            return (promise.stream, isNew)
        }

        /// Ranges the beacons of a region no longer.
        public func stopRangingBeacons(in region: BeaconRegion) {
            rangings.withLock { $0.removeAll { $0.region.identifier == region.identifier } }
            if !isRanging { ear.listen(for: rangings, false) }
        }

        /// Ranges nothing any more.
        public func stopRangingAllBeacons() { for region in beaconRegions { stopRangingBeacons(in: region) } }

        private func range() {
            for ranging in rangings.withLock({ $0 }) {
                let beacons = ear.beacons(in: ranging.region, heardWithin: 10)
                ranging.region.heard.withLock { $0 = beacons.sorted { $0.discoveredAt < $1.discoveredAt } }
                ranging.promise.success(beacons)
            }
        }
    }
#endif
