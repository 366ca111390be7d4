import BluethroatBluetoothValues
package import BluethroatHost

/// Devices as a scan lists them for people: each once, when all that can be expected of it is known.
package struct DeviceList {
    private let expectsResponses: Bool
    private var waiting: [DiscoveryCache.Entry] = []
    private var listed: Set<DeviceAddress> = []

    /// An active scan can expect scan responses.
    package init(expectsResponses: Bool) { self.expectsResponses = expectsResponses }

    /// The line for a device, if this is the moment for it.
    package mutating func add(_ device: DiscoveryCache.Entry) -> String? {
        guard !listed.contains(device.address) else { return nil }
        waiting.removeAll { $0.address == device.address }
        guard device.data != nil, !expectsResponses || !device.isScannable || device.scanResponse != nil else {
            waiting.append(device)
            return nil
        }
        listed.insert(device.address)
        return CentralEvent.line(device)
    }

    /// The lines for those of which nothing more came.
    package mutating func rest() -> [String] {
        defer { waiting = [] }
        return waiting.map(CentralEvent.line)
    }
}
