public import BluethroatBluetoothValues

/// The attribute types that GATT itself is made of. Core 6.0, Vol 3, Part G, 3.8; Assigned Numbers, 3.6 to 3.8.
extension BluetoothUUID {
    public static let primaryService: Self = 0x2800
    public static let secondaryService: Self = 0x2801
    public static let include: Self = 0x2802
    public static let characteristic: Self = 0x2803

    public static let characteristicExtendedProperties: Self = 0x2900
    public static let characteristicUserDescription: Self = 0x2901
    public static let clientCharacteristicConfiguration: Self = 0x2902
    public static let serverCharacteristicConfiguration: Self = 0x2903
    public static let characteristicPresentationFormat: Self = 0x2904
    public static let characteristicAggregateFormat: Self = 0x2905

    public static let genericAccessService: Self = 0x1800
    public static let genericAttributeService: Self = 0x1801
    public static let deviceName: Self = 0x2A00
    public static let appearance: Self = 0x2A01
    public static let serviceChanged: Self = 0x2A05
    public static let clientSupportedFeatures: Self = 0x2B29
    public static let databaseHash: Self = 0x2B2A
    public static let serverSupportedFeatures: Self = 0x2B3A
}
