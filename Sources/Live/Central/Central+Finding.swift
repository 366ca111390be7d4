import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatVirtualTime

extension Central {
    /// Listens for so long, telling of each device whenever more is known about it. Says whether any was heard.
    public func scan(active: Bool, for duration: TimeSpan) async throws(OperationFailure) -> Bool {
        var cache = DiscoveryCache()
        try await startScanning(active: active, for: duration)
        try await wait { [self] event throws(OperationFailure) in
            if let change = cache.absorb(event, at: present) { emit(.report(change)) }
            return try scanningEnd(event)
        }
        return !cache.entries.isEmpty
    }

    /// Scans until the target is heard, reports it and returns all that is known about it; nil if it was not heard in
    /// time, and then `heard` has what was. Bonded devices are recognised under private addresses. If `isStrict`, another device with the name of a
    /// bonded one is not accepted.
    public func find(
        _ target: DeviceTarget,
        active: Bool = true,
        toConnect: Bool,
        isStrict: Bool = true,
        within patience: TimeSpan
    ) async throws(OperationFailure) -> DiscoveryCache.Entry? {
        var cache = DiscoveryCache()
        defer { heard = cache.entries }
        var isDeaf = false
        var stranger: DeviceAddress?
        let bonded = memory?.bonds(with: target).map(\.peer) ?? []
        try await startScanning(active: active, for: patience)
        let found: DiscoveryCache.Entry?? = try await wait { [self] event throws(OperationFailure) in
            if let device = cache.absorb(event, at: present) {
                let match = target.match(device, identity: event.reportedIdentity, bonded: bonded, isStrict: isStrict)
                switch match {
                case .isMeant where device.isConnectable || !toConnect: return .some(device)
                case .isMeant: isDeaf = true
                case .bearsTheName: stranger = device.address
                case .isAnother: break
                }
            }
            return try scanningEnd(event) == nil ? nil : .some(nil)
        }
        guard let device = found ?? nil else {
            if isDeaf { throw OperationFailure("\(target) is there, but takes no connections now") }
            if let stranger {
                throw OperationFailure(
                    "\(target) is bonded, and was not heard; \(stranger) bears the name, but is somebody else: give its "
                        + "address if you mean that one",
                    .nothingFound
                )
            }
            return nil
        }
        // What is listened for now may last longer than the scan.
        var isOver = false
        if toConnect, bonded.isEmpty, let twin = try await twin(of: device, target, &cache, &isOver) {
            throw OperationFailure(
                "several devices are called \(target): \(device.address), \(twin.address); give an address",
                .wrongUsage
            )
        }
        let whole = active && !toConnect ? try await completed(device, &cache, &isOver) : device
        emit(.report(whole))
        if !isOver { try await stopScanning() }
        return whole
    }

    /// How long a name is listened for once more, so that another device has its turn that bears it: three advertising
    /// events of a device that wants to be found.
    private static let turn = TimeSpan.milliseconds(300)

    /// A device with its scan response, which a device that is known by its address or by its bond may not have been heard
    /// with yet; without it where none comes soon.
    private func completed(
        _ device: DiscoveryCache.Entry,
        _ cache: inout DiscoveryCache,
        _ isOver: inout Bool
    ) async throws(OperationFailure) -> DiscoveryCache.Entry {
        guard device.isScannable, device.scanResponse == nil else { return device }
        let whole = try await further(&cache, &isOver) { $0.address == device.address && $0.scanResponse != nil }
        return whole ?? device
    }

    /// The first device with news that is wanted, heard before the end of a turn and of the scan; `isOver` if that ended.
    private func further(
        _ cache: inout DiscoveryCache,
        _ isOver: inout Bool,
        _ isWanted: (DiscoveryCache.Entry) -> Bool
    ) async throws(OperationFailure) -> DiscoveryCache.Entry? {
        let heard: DiscoveryCache.Entry?? = try await wait(for: Self.turn) { event throws(OperationFailure) in
            if let device = cache.absorb(event, at: present) { return isWanted(device) ? .some(device) : nil }
            isOver = try scanningEnd(event) != nil
            return isOver ? .some(nil) : nil
        }
        return heard ?? nil
    }

    /// Another device with the name that is meant; nil if none was heard soon, and where it is no name that is meant.
    private func twin(
        of device: DiscoveryCache.Entry,
        _ target: DeviceTarget,
        _ cache: inout DiscoveryCache,
        _ isOver: inout Bool
    ) async throws(OperationFailure) -> DiscoveryCache.Entry? {
        guard case .name = target else { return nil }
        return try await further(&cache, &isOver) { other in
            other.address != device.address && target.matches(other) && other.isConnectable
        }
    }

    /// Listens until `heard` is content; false if it was not in time.
    @discardableResult
    package func listen(
        _ parameters: ScanParameters,
        for patience: TimeSpan,
        heard: (AdvertisingReport) -> Bool
    ) async throws(OperationFailure) -> Bool {
        try await order { host, now, actions throws(OrderError) in
            try host.startScanning(parameters, at: now, into: &actions)
        }
        let answer: Void? = try await wait(for: patience) { event throws(OperationFailure) in
            if case .advertisingReport(let report) = event { return heard(report) ? () : nil }
            _ = try scanningEnd(event)
            return nil
        }
        return answer != nil
    }

    private func startScanning(active: Bool, for duration: TimeSpan) async throws(OperationFailure) {
        try await order { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: active, duration: duration), at: now, into: &actions)
        }
    }

    private func stopScanning() async throws(OperationFailure) {
        try await order { host, now, actions throws(OrderError) in
            do throws(OrderError) {
                try host.stopScanning(at: now, into: &actions)
            } catch OrderError.notActive {
                // It has ended, which is to be heard of.
            }
        }
        try await wait { event in
            if case .scanningEnded = event { () } else { nil }
        }
    }

    /// Not nil if the scan has come to its end.
    private func scanningEnd(_ event: HostEvent) throws(OperationFailure) -> Void? {
        switch event {
        case .scanningEnded(.refused(let error)):
            throw OperationFailure("the controller refused to scan: \(error)", hciError: error.rawValue)
        case .scanningEnded: return ()
        default: return nil
        }
    }
}

extension HostEvent {
    /// The bonded peer that a report is from.
    fileprivate var reportedIdentity: DeviceAddress? {
        if case .advertisingReport(let report) = self { report.identity } else { nil }
    }
}

extension DiscoveryCache {
    /// What is known about the device of a report, if the report brought anything new.
    fileprivate mutating func absorb(_ event: HostEvent, at now: Instant) -> Entry? {
        guard case .advertisingReport(let report) = event else { return nil }
        let (entry, change) = absorb(report, at: now)
        return change == .heardAgain ? nil : entry
    }
}
