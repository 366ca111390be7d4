public import BluethroatBluetoothValues
public import BluethroatHost

/// The key fob's attributes: nine services in the order in which the firmware registers them, with consecutive
/// handles from 0x0001.
public struct KeyFobTable: Sendable {
    /// What a database is made of. No handle is spelled out: the order gives each the firmware's.
    public let services: [ServiceDefinition]

    public init(options: KeyFobOptions = KeyFobOptions()) {
        services = options == KeyFobOptions() ? Self.latest : Self.services(options)
    }

    /// Those of the latest firmware, which nearly all fobs have: one table for all of them.
    private static let latest = services(KeyFobOptions())

    private static func services(_ options: KeyFobOptions) -> [ServiceDefinition] {
        let values = ValueDefinitions(options: options)
        return [
            genericAccess(options),
            genericAttribute,
            deviceInformation(options),
            ServiceDefinition(0x1803, characteristics: [values.linkLossLevel]),
            ServiceDefinition(0x1802, characteristics: [values.immediateAlertLevel]),
            ServiceDefinition(0x1804, characteristics: [values.txPowerLevel]),
            options.batteryService == .assigned ? values.battery : values.customBattery,
            values.accelerometer,
            ServiceDefinition(0xFFE0, characteristics: [values.keys]),
        ].map { $0.demanding(options.pairing.demand) }
    }

    /// The System ID of a device address: its six bytes, least significant first, parted by two zeroes.
    public static func systemID(of address: DeviceAddress) -> [UInt8] {
        let bytes = address.bytes
        return Array(bytes[..<3]) + [0, 0] + Array(bytes[3...])
    }

    /// What TI's server refuses with where the specification has other codes: a value out of range.
    public static let invalidValue = ATTError(rawValue: 0x80)

    private static func genericAccess(_ options: KeyFobOptions) -> ServiceDefinition {
        ServiceDefinition(
            0x1800,
            characteristics: [
                CharacteristicDefinition(0x2A00, properties: .read, value: Array(options.deviceName.utf8)),
                CharacteristicDefinition(0x2A01, properties: .read, value: [0x00, 0x00]),
                CharacteristicDefinition(
                    0x2A02,
                    properties: options.privacyFlagIsWritable ? [.read, .write] : .read,
                    value: [0x00],
                    lengths: 1...1,
                    isLong: false
                ),
                // Only a link that is safe from a man in the middle may set it.
                CharacteristicDefinition(
                    0x2A03,
                    properties: options.reconnectionAddressIsReadable ? [.read, .write] : .write,
                    permissions: AttributePermissions(
                        read: options.reconnectionAddressIsReadable ? .open : .denied,
                        write: .authenticated
                    ),
                    value: [0, 0, 0, 0, 0, 0],
                    lengths: 6...6
                ),
                // 100 to 200 ms, no latency, 10 s. What the fob asks for on a connection is not the same.
                CharacteristicDefinition(
                    0x2A04,
                    properties: .read,
                    value: [0x50, 0x00, 0xA0, 0x00, 0x00, 0x00, 0xE8, 0x03]
                ),
            ]
        )
    }

    private static let genericAttribute = ServiceDefinition(
        0x1801,
        characteristics: [
            CharacteristicDefinition(
                0x2A05,
                properties: .indicate,
                descriptors: [DescriptorDefinition(.clientConfiguration(refusal: invalidValue))]
            )
        ]
    )

    private static func deviceInformation(_ options: KeyFobOptions) -> ServiceDefinition {
        func string(_ uuid: BluetoothUUID, _ text: String) -> CharacteristicDefinition {
            let value = Array(text.utf8) + (options.stringsEndWithNUL ? [0] : [])
            return CharacteristicDefinition(uuid, properties: .read, value: value)
        }
        var service = ServiceDefinition(
            0x180A,
            characteristics: [
                // All zero until the stack has started and knows its address.
                CharacteristicDefinition(0x2A23, properties: .read, value: [0, 0, 0, 0, 0, 0, 0, 0]),
                string(0x2A24, "Model Number"),
                string(0x2A25, "Serial Number"),
                string(0x2A26, "Firmware Revision"),
                string(0x2A27, "Hardware Revision"),
                string(0x2A28, "Software Revision"),
                string(0x2A29, "Manufacturer Name"),
                // Authority body 254, experimental; structure 0.
                CharacteristicDefinition(
                    0x2A2A,
                    properties: .read,
                    value: [0xFE, 0x00] + Array("experimental".utf8)
                ),
            ]
        )
        if options.hasPnPID {
            // Vendor 13 of the SIG's list, which is TI; product 0, version 1.1.0.
            let pnpID: [UInt8] = [0x01, 0x0D, 0x00, 0x00, 0x00, 0x10, 0x01]
            service.characteristics.append(CharacteristicDefinition(0x2A50, properties: .read, value: pnpID))
        }
        return service
    }
}
