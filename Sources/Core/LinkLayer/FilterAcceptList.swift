import BluethroatBluetoothValues

/// The devices that filter policies let through. Core 6.0, Vol 6, Part B, 4.3.1.
struct FilterAcceptList: Sendable {
    /// In the order added; lists are short, and nothing here may depend on hashes.
    private var devices: [DeviceAddress] = []

    var count: Int { devices.count }

    func contains(_ device: DeviceAddress) -> Bool { devices.contains(device) }

    /// Adding a device that is there already changes nothing.
    mutating func add(_ device: DeviceAddress) {
        if !contains(device) { devices.append(device) }
    }

    mutating func remove(_ device: DeviceAddress) { devices.removeAll { $0 == device } }

    mutating func removeAll() { devices.removeAll() }
}
