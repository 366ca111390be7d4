#if !canImport(CoreLocation)
    internal import CoreBluetooth

    /// Receives iBeacons while there is a listener, and calls back once a second.
    final class BeaconEar: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
        /// A beacon that was heard.
        private struct Sighting {
            let uuid: UUID
            let major: UInt16
            let minor: UInt16
            var power: Int
            let discoveredAt: Date
            var lastHeard: Date
            /// In dBm, within the present second and within the last one.
            var strengths: [Int] = []
            var strengthsBefore: [Int] = []
        }

        private struct State {
            var manager: CBCentralManager?
            var listeners: [ObjectIdentifier] = []
            var isTicking = false
            /// In the order in which they were first heard.
            var sightings: [Sighting] = []
            var ticks: [() -> Void] = []
        }

        private let appContext = AppContext.current
        private let queue = DispatchQueue(label: "beacons")
        private let state = Guarded(State())

        /// Adds a callback for each second in which there is a listener.
        func add(_ tick: @escaping () -> Void) { state.withLock { $0.ticks.append(tick) } }

        /// A listener wants to hear beacons, or no longer.
        func listen(for listener: AnyObject, _ wanted: Bool) {
            let (begins, ends) = state.withLock { state in
                let was = state.listeners
                state.listeners.removeAll { $0 == ObjectIdentifier(listener) }
                if wanted { state.listeners.append(ObjectIdentifier(listener)) }
                return (was.isEmpty && wanted, !was.isEmpty && state.listeners.isEmpty)
            }
            if begins { begin() }
            if ends { end() }
        }

        private func begin() {
            let manager = appContext.makeCentralManager(self, on: queue, nil)
            let ticks = state.withLock { state in
                defer { state.isTicking = true }
                state.manager = manager
                return !state.isTicking
            }
            scan(manager)
            if ticks { tickLater() }
        }

        private func end() {
            let manager = state.withLock { state in
                defer { state.manager = nil }
                state.sightings = []
                return state.manager
            }
            if manager?.state == .poweredOn { manager?.stopScan() }
        }

        private func tickLater() {
            appContext.call(after: 1, on: queue) { [weak self] in self?.tick() }
        }

        private func tick() {
            let ticks: [() -> Void]? = state.withLock { state in
                guard !state.listeners.isEmpty else {
                    state.isTicking = false
                    return nil
                }
                for index in state.sightings.indices {
                    state.sightings[index].strengthsBefore = state.sightings[index].strengths
                    state.sightings[index].strengths = []
                }
                return state.ticks
            }
            guard let ticks else { return }
            for tick in ticks { tick() }
            tickLater()
        }

        // MARK: What is heard

        /// The beacons of a region that were heard within so many seconds, the nearest first, those of unknown distance
        /// last.
        func beacons(in region: BeaconRegion, heardWithin patience: TimeInterval) -> [Beacon] {
            let now = appContext.now
            let found = state.withLock { state in
                state.sightings.filter { sighting in
                    sighting.uuid == region.proximityUUID && region.major.map { $0 == sighting.major } ?? true
                        && region.minor.map { $0 == sighting.minor } ?? true
                        && now.timeIntervalSince(sighting.lastHeard) <= patience
                }
            }
            return found.map(Self.beacon).sorted { left, right in
                left.accuracy >= 0 && (right.accuracy < 0 || left.accuracy < right.accuracy)
            }
        }

        private static func beacon(_ sighting: Sighting) -> Beacon {
            let strengths = sighting.strengthsBefore
            let strength = strengths.isEmpty ? 0 : Double(strengths.reduce(0, +)) / Double(strengths.count)
            // In free space it falls by 20 dB for ten times the distance.
            let distance = strengths.isEmpty ? -1 : pow(10, (Double(sighting.power) - strength) / 20)
            return Beacon(
                discoveredAt: sighting.discoveredAt,
                proximityUUID: sighting.uuid,
                major: Int(sighting.major),
                minor: Int(sighting.minor),
                proximity: proximity(distance),
                accuracy: distance,
                rssi: Int(strength.rounded())
            )
        }

        private static func proximity(_ distance: Double) -> CLProximity {
            switch distance {
            case ..<0: .unknown
            case ..<0.5: .immediate
            case ..<4: .near
            default: .far
            }
        }

        /// How many beacons are known at a time; others are not taken in.
        private static let most = 1_000

        private func hear(_ bytes: Data, strength: Int) {
            // Apple's company identifier, the number of this kind of message and its length.
            guard bytes.count == 25, bytes.starts(with: [0x4C, 0x00, 0x02, 0x15]) else { return }
            let body = Data(bytes.dropFirst(4))
            let digits = body.prefix(16).hexStringValue()
            guard let uuid = UUID(hexadecimal: digits), let major: UInt16 = .deserialize(body, start: 16),
                let minor: UInt16 = .deserialize(body, start: 18), let power: Int8 = .deserialize(body, start: 20)
            else { return }
            let now = appContext.now
            state.withLock { state in
                let (major, minor) = (UInt16(bigEndian: major), UInt16(bigEndian: minor))
                let known = state.sightings.firstIndex { $0.uuid == uuid && $0.major == major && $0.minor == minor }
                if known == nil {
                    state.sightings.removeAll { now.timeIntervalSince($0.lastHeard) > RegionManager.patience }
                    guard state.sightings.count < Self.most else { return }
                    let new = Sighting(
                        uuid: uuid,
                        major: major,
                        minor: minor,
                        power: Int(power),
                        discoveredAt: now,
                        lastHeard: now
                    )
                    state.sightings.append(new)
                }
                let index = known ?? state.sightings.count - 1
                state.sightings[index].power = Int(power)
                state.sightings[index].lastHeard = now
                // 127 stands for an unknown strength.
                if strength != 127 { state.sightings[index].strengths.append(strength) }
            }
        }

        // MARK: What CoreBluetooth says

        func centralManagerDidUpdateState(_ central: CBCentralManager) { scan(central) }

        private func scan(_ manager: CBCentralManager) {
            guard manager.state == .poweredOn, !manager.isScanning else { return }
            manager.scanForPeripherals(
                withServices: nil,
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
            )
        }

        func centralManager(
            _ central: CBCentralManager,
            didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            guard let bytes = advertisementData[CBAdvertisementDataManufacturerDataKey] as? Data else { return }
            hear(bytes, strength: RSSI.intValue)
        }
    }

    extension UUID {
        /// 32 digits.
        fileprivate init?(hexadecimal digits: String) {
            var text = ""
            for (index, digit) in digits.enumerated() {
                if [8, 12, 16, 20].contains(index) { text += "-" }
                text.append(digit)
            }
            self.init(uuidString: text)
        }
    }
#endif
