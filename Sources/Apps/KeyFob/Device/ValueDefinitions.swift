import BluethroatBluetoothValues
import BluethroatHost

/// The characteristics behind which a model's values stand. The model answers for them, so that a read of the battery
/// can measure it and a write can be refused as the firmware does.
struct ValueDefinitions {
    let options: KeyFobOptions

    var linkLossLevel: CharacteristicDefinition {
        value(0x2A06, properties: [.read, .write], permissions: .readWrite)
    }

    var immediateAlertLevel: CharacteristicDefinition {
        // The firmware looks at permissions only, so that a Write Request will do as well as a Write Command.
        value(0x2A06, properties: .writeWithoutResponse, permissions: .writeOnly)
    }

    var txPowerLevel: CharacteristicDefinition {
        value(0x2A07, properties: [.read, .notify], permissions: .readOnly, [Self.configuration])
    }

    var battery: ServiceDefinition {
        // The HID service would send the level as input report 4.
        let reportReference = DescriptorDefinition(.other(0x2908, value: [0x04, 0x01], permissions: .readOnly))
        return ServiceDefinition(
            0x180F,
            characteristics: [
                value(
                    0x2A19,
                    properties: [.read, .notify],
                    permissions: .readOnly,
                    [Self.configuration, reportReference]
                )
            ]
        )
    }

    /// TI's own battery service, before the SIG had one.
    var customBattery: ServiceDefinition {
        ServiceDefinition(
            0xFFB0,
            characteristics: [
                value(0xFFB1, properties: .read, permissions: .readOnly, [Self.description("Battery Level")]),
                value(0xFFB2, properties: .read, permissions: .readOnly, [Self.description("Battery State")]),
            ]
        )
    }

    var accelerometer: ServiceDefinition {
        ServiceDefinition(
            0xFFA0,
            characteristics: [
                value(
                    0xFFA1,
                    properties: [.read, .write],
                    permissions: .readWrite,
                    [Self.description("Accel Enable")]
                ),
                // Tenths of a g, and nothing in the firmware changes it.
                CharacteristicDefinition(
                    0xFFA2,
                    properties: .read,
                    value: [20, 0],
                    isLong: false,
                    descriptors: [Self.description("Accel Range")]
                ),
                notified(0xFFA3, "Accel X-Coordinate"),
                notified(0xFFA4, "Accel Y-Coordinate"),
                notified(0xFFA5, "Accel Z-Coordinate"),
            ]
        )
    }

    var keys: CharacteristicDefinition { notified(0xFFE1, "Key Press State") }

    /// A value that is notified, and read only by those who believe TI's guide.
    private func notified(_ uuid: BluetoothUUID, _ description: String) -> CharacteristicDefinition {
        value(
            uuid,
            properties: .notify,
            permissions: options.notifiedValuesAreReadable ? .readOnly : .none,
            [Self.configuration, Self.description(description)]
        )
    }

    private func value(
        _ uuid: BluetoothUUID,
        properties: CharacteristicProperties,
        permissions: AttributePermissions,
        _ descriptors: [DescriptorDefinition] = []
    ) -> CharacteristicDefinition {
        CharacteristicDefinition(
            uuid,
            properties: properties,
            permissions: permissions,
            value: [0],
            lengths: 1...1,
            isLong: false,
            reads: .application,
            writes: .application,
            descriptors: descriptors
        )
    }

    private static let configuration = DescriptorDefinition(
        .clientConfiguration(refusal: KeyFobTable.invalidValue)
    )

    private static func description(_ text: String) -> DescriptorDefinition {
        DescriptorDefinition(.userDescription(text))
    }
}
