internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// Under which key an environment travels in the options of a manager.
let environmentKey = "BluetoothEnvironment"

extension [String: Any] {
    /// A truth value that an app gave as `Bool` or as `NSNumber`; false if it is missing or something else.
    func flag(_ key: String) -> Bool { (self[key] as? Bool) ?? (self[key] as? NSNumber)?.boolValue ?? false }

    /// A number that an app gave in whatever form; 0 if it is missing or something else.
    func number(_ key: String) -> Double {
        switch self[key] {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        default: 0
        }
    }

    func uuids(_ key: String) -> [BluetoothUUID]? { (self[key] as? [CBUUID])?.map(\.value) }
}

extension PeerID {
    init(_ uuid: UUID) {
        let value = BluetoothUUID(uuid)
        self.init(high: value.high, low: value.low)
    }

    var uuid: UUID {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}
