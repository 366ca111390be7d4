public import BluethroatBluetoothValues

/// What the fob says on the advertising channels.
public enum KeyFobAdvertisement {
    /// 11 bytes: limited discoverable, no BR/EDR; some of its services are Link Loss, Immediate Alert and Tx Power.
    public static let data = AdvertisingData([
        .flags([.limitedDiscoverable, .brEDRNotSupported]),
        .uuids(.incompleteUUIDs16, [0x1803, 0x1802, 0x1804]),
    ])

    /// 12 bytes: the name for scanners, which is not the one in the Device Name characteristic.
    public static let scanResponse = AdvertisingData([.completeLocalName("Keyfobdemo")])
}
