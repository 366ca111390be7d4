import BluethroatBluetoothValues
package import BluethroatHost

/// Devices as a scan lists them for people: each once, when all that can be expected of it is known.
package struct DeviceList {
    private let expectsResponses: Bool
    private let limit: Int
    private var waiting: [DiscoveryCache.Entry] = []
    private var listed: Set<DeviceAddress> = []
    /// Those listed before them, which are forgotten when `listed` is full again, unless they are heard meanwhile.
    private var listedBefore: Set<DeviceAddress> = []

    /// An active scan can expect scan responses. What is remembered is at most `limit` devices that wait for one, and
    /// twice as many that are listed: one radio can change its address without end.
    package init(expectsResponses: Bool, limit: Int = 4096) {
        self.expectsResponses = expectsResponses
        self.limit = max(1, limit)
    }

    /// The line for a device, if this is the moment for it; where too many wait, that of the one that waits longest.
    package mutating func add(_ device: DiscoveryCache.Entry) -> String? {
        guard !listed.contains(device.address) else { return nil }
        guard !listedBefore.contains(device.address) else {
            remember(device.address)
            return nil
        }
        waiting.removeAll { $0.address == device.address }
        guard device.data != nil, !expectsResponses || !device.isScannable || device.scanResponse != nil else {
            waiting.append(device)
            return waiting.count > limit ? line(waiting.removeFirst()) : nil
        }
        return line(device)
    }

    /// The lines for those of which nothing more came.
    package mutating func rest() -> [String] {
        defer { waiting = [] }
        return waiting.map(CentralEvent.line)
    }

    private mutating func line(_ device: DiscoveryCache.Entry) -> String {
        remember(device.address)
        return CentralEvent.line(device)
    }

    private mutating func remember(_ address: DeviceAddress) {
        if listed.count >= limit {
            listedBefore = listed
            listed = []
        }
        listed.insert(address)
    }
}
