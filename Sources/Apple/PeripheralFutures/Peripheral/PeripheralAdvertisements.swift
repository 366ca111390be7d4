public import CoreBluetooth

/// What is advertised, each part as far as it is there.
public struct PeripheralAdvertisements: @unchecked Sendable {
    // Values of Foundation's that never change.
    let advertisements: [String: Any]

    init(advertisements: [String: Any]) { self.advertisements = advertisements }

    /// The name, whole or shortened.
    public var localName: String? { self[CBAdvertisementDataLocalNameKey] }

    /// What the maker says, beginning with its company identifier.
    public var manufacturerData: Data? { self[CBAdvertisementDataManufacturerDataKey] }

    /// With which power the peripheral transmits, in dBm.
    public var txPower: NSNumber? { self[CBAdvertisementDataTxPowerLevelKey] }

    /// Whether it takes connections.
    public var isConnectable: NSNumber? { self[CBAdvertisementDataIsConnectable] }

    public var serviceUUIDs: [CBUUID]? { self[CBAdvertisementDataServiceUUIDsKey] }

    public var serviceData: [CBUUID: Data]? { self[CBAdvertisementDataServiceDataKey] }

    /// Services in Apple's overflow area, which may be others.
    public var overflowServiceUUIDs: [CBUUID]? { self[CBAdvertisementDataOverflowServiceUUIDsKey] }

    /// Services that the peripheral looks for.
    public var solicitedServiceUUIDs: [CBUUID]? { self[CBAdvertisementDataSolicitedServiceUUIDsKey] }

    private subscript<Value>(key: String) -> Value? { advertisements[key] as? Value }
}
