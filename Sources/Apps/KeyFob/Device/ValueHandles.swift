import BluethroatBluetoothValues
import BluethroatHost

/// Which attribute stands for which of the model's values.
struct ValueHandles {
    /// In the order of the handles.
    private var pairs: [(value: KeyFobValue, uuid: BluetoothUUID, handle: AttributeHandle)] = []

    /// Finds them in a database that was made of a `KeyFobTable`.
    init(in database: GATTDatabase) {
        let homes: [(KeyFobValue, service: BluetoothUUID, characteristic: BluetoothUUID)] = [
            (.linkLossLevel, 0x1803, 0x2A06), (.immediateAlertLevel, 0x1802, 0x2A06), (.txPowerLevel, 0x1804, 0x2A07),
            (.batteryLevel, 0x180F, 0x2A19), (.batteryLevel, 0xFFB0, 0xFFB1), (.batteryState, 0xFFB0, 0xFFB2),
            (.accelerometerEnable, 0xFFA0, 0xFFA1), (.x, 0xFFA0, 0xFFA3), (.y, 0xFFA0, 0xFFA4), (.z, 0xFFA0, 0xFFA5),
            (.keys, 0xFFE0, 0xFFE1),
        ]
        for (value, service, characteristic) in homes {
            guard let handle = database.valueHandle(of: characteristic, in: service) else { continue }
            pairs.append((value, characteristic, handle))
        }
    }

    func handle(of value: KeyFobValue) -> AttributeHandle? { pairs.first { $0.value == value }?.handle }

    func value(at handle: AttributeHandle) -> KeyFobValue? { pairs.first { $0.handle == handle }?.value }

    /// The UUID of the characteristic whose value stands at a handle.
    func uuid(at handle: AttributeHandle) -> BluetoothUUID? { pairs.first { $0.handle == handle }?.uuid }
}
