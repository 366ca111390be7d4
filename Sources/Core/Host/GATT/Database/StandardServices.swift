import BluethroatBluetoothValues

/// The two services that every device has.
extension ServiceDefinition {
    /// Generic Access, with a name of at most 248 bytes and an appearance from the Assigned Numbers, 2.6.
    /// Core 6.0, Vol 3, Part C, 12.
    public static func genericAccess(name: String, appearance: UInt16 = 0) -> Self {
        Self(
            .genericAccessService,
            characteristics: [
                CharacteristicDefinition(.deviceName, properties: .read, value: Array(name.utf8.prefix(248))),
                CharacteristicDefinition(
                    .appearance,
                    properties: .read,
                    value: [UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance >> 8)]
                ),
            ]
        )
    }

    /// Generic Attribute, for a database that changes: clients can receive indications of changes, can compare the
    /// hash, and can say what they support. Core 6.0, Vol 3, Part G, 7.
    public static var genericAttribute: Self {
        Self(
            .genericAttributeService,
            characteristics: [
                CharacteristicDefinition(.serviceChanged, properties: .indicate),
                CharacteristicDefinition(.clientSupportedFeatures, properties: [.read, .write]),
                CharacteristicDefinition(.databaseHash, properties: .read),
            ]
        )
    }
}
