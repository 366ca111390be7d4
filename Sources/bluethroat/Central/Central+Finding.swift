import BluetoothValues
import Host
import VirtualTime

extension Central {
    /// Listens for so long, telling of each device whenever more is known about it. Says whether any was heard.
    func scan(active: Bool, for duration: TimeSpan) async throws(CommandFailure) -> Bool {
        var cache = DiscoveryCache()
        try await startScanning(active: active, for: duration)
        do throws(CommandFailure) {
            try await wait { [self] event throws(CommandFailure) in
                if let change = cache.absorb(event, at: present) { tell(.report(change)) }
                return try scanningEnd(event)
            }
        } catch {
            // Asked to stop before the time is over: what was heard counts.
            guard error == .interruption, !cache.entries.isEmpty else { throw error }
        }
        return !cache.entries.isEmpty
    }

    /// Listens until a device is heard that is the one meant, tells of it and returns all that is known about it; nil if
    /// it was not heard in time.
    func find(
        _ target: DeviceTarget,
        active: Bool = true,
        toConnect: Bool,
        within patience: TimeSpan
    ) async throws(CommandFailure) -> DiscoveryCache.Entry? {
        var cache = DiscoveryCache()
        var isDeaf = false
        try await startScanning(active: active, for: patience)
        let found: DiscoveryCache.Entry?? = try await wait { [self] event throws(CommandFailure) in
            if let device = cache.absorb(event, at: present), target.matches(device) {
                if device.isConnectable || !toConnect { return .some(device) }
                isDeaf = true
            }
            return try scanningEnd(event) == nil ? nil : .some(nil)
        }
        guard let device = found ?? nil else {
            if isDeaf { throw CommandFailure("\(target) is there, but takes no connections now") }
            return nil
        }
        tell(.report(device))
        try await order { host, now, actions throws(OrderError) in try host.stopScanning(at: now, into: &actions) }
        try await wait { event in
            if case .scanningEnded = event { () } else { nil }
        }
        return device
    }

    private func startScanning(active: Bool, for duration: TimeSpan) async throws(CommandFailure) {
        try await order { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: active, duration: duration), at: now, into: &actions)
        }
    }

    /// Not nil if the scan has come to its end.
    private func scanningEnd(_ event: HostEvent) throws(CommandFailure) -> Void? {
        switch event {
        case .scanningEnded(.refused(let error)):
            throw CommandFailure("the controller refused to scan: \(error)", hciError: error.rawValue)
        case .scanningEnded: return ()
        default: return nil
        }
    }
}

extension DiscoveryCache {
    /// What is known about the device of a report, if the report brought anything new.
    fileprivate mutating func absorb(_ event: HostEvent, at now: Instant) -> Entry? {
        guard case .advertisingReport(let report) = event, let (entry, change) = absorb(report, at: now),
            change != .heardAgain
        else { return nil }
        return entry
    }
}
