#if !canImport(CoreLocation)
    extension AsyncTwins where Base: RegionManager {
        /// Watches a region until the loop is left: what is known of it from before, `start`, and then `inside` and
        /// `outside` whenever that changes.
        ///
        /// - Parameter authorization: not asked for here.
        public func startMonitoring(
            for region: Region,
            authorization: CLAuthorizationStatus = .authorizedWhenInUse
        ) -> AsyncSubscription<RegionState> {
            base.loops.loop(base.watch(region)) { [base] in
                base.region(region.identifier)?.regionPromise.stream
            } stop: { [base] in
                base.stopMonitoring(for: region)
            }
        }

        /// Whether the device is in a region that is watched; unknown for others.
        ///
        /// - Throws: `CancellationError`.
        public func requestState(for region: Region) async throws -> CLRegionState {
            try await answer { base.requestState(for: region) }
        }
    }

    extension AsyncTwins where Base == BeaconManager {
        /// Ranges the beacons of a region once a second, the nearest first, until the loop is left.
        ///
        /// - Parameters:
        ///   - authorization: not asked for here.
        ///   - capacity: how many events wait while the loop is busy; then the oldest give way.
        public func startRangingBeacons(
            in region: BeaconRegion,
            authorization: CLAuthorizationStatus = .authorizedWhenInUse,
            capacity: Int = 100
        ) -> AsyncSubscription<[Beacon]> {
            base.loops.loop(base.range(region, capacity)) { [base] in
                base.rangingStream(identifier: region.identifier)
            } stop: { [base] in
                base.stopRangingBeacons(in: region)
            }
        }
    }
#endif
