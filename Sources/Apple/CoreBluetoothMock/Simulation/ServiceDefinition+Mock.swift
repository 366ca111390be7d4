import BluethroatBluetoothValues
import BluethroatHost
import CoreBluetooth

extension ServiceDefinition {
    /// A service of a specification as the host wants it. Every value is the delegate's, so that each read and each write
    /// comes to it.
    init(_ service: CBMServiceMock, isOnlyIncluded: Bool) {
        self.init(
            service.uuid.bluetoothUUID,
            isPrimary: service.isPrimary && !isOnlyIncluded,
            includes: service.mockIncludedServices.map { IncludeDefinition(.uuid($0.uuid.bluetoothUUID)) },
            characteristics: service.mockCharacteristics.map(CharacteristicDefinition.init)
        )
    }
}

extension CharacteristicDefinition {
    fileprivate init(_ characteristic: CBMCharacteristicMock) {
        var properties = CharacteristicProperties(
            rawValue: UInt8(truncatingIfNeeded: characteristic.properties.rawValue)
        )
        let wantsKey = !characteristic.properties.isDisjoint(
            with: [.notifyEncryptionRequired, .indicateEncryptionRequired]
        )
        if characteristic.properties.contains(.notifyEncryptionRequired) { properties.insert(.notify) }
        if characteristic.properties.contains(.indicateEncryptionRequired) { properties.insert(.indicate) }
        // Only what is described is announced: the host answers for extended properties where it is told of them.
        properties.remove(.extendedProperties)
        let configuration = DescriptorDefinition(
            .clientConfiguration(permissions: AttributePermissions(read: .open, write: wantsKey ? .encrypted : .open))
        )
        var descriptors = characteristic.mockDescriptors.map { descriptor in
            descriptor.isClientConfiguration ? configuration : DescriptorDefinition(descriptor)
        }
        let isSent = !properties.isDisjoint(with: [.notify, .indicate])
        // Behind all others, so that those of the specification are the first of the handles.
        if isSent, !characteristic.mockDescriptors.contains(where: \.isClientConfiguration) {
            descriptors.append(configuration)
        }
        let isWritable = !properties.isDisjoint(with: [.write, .writeWithoutResponse])
        self.init(
            characteristic.uuid.bluetoothUUID,
            properties: properties,
            permissions: AttributePermissions(
                read: properties.contains(.read) ? .open : .denied,
                write: isWritable ? .open : .denied
            ),
            reads: .application,
            writes: .application,
            descriptors: descriptors
        )
    }
}

extension DescriptorDefinition {
    fileprivate init(_ descriptor: CBMDescriptorMock) {
        self.init(
            .other(
                descriptor.uuid.bluetoothUUID,
                value: [],
                permissions: .readWrite,
                reads: .application,
                writes: .application
            )
        )
    }
}

extension CBMDescriptor {
    var isClientConfiguration: Bool { uuid == CBMUUID(string: "2902") }
}

extension CBUUID {
    var bluetoothUUID: BluetoothUUID {
        // A CBUUID has digits in one of the forms that this takes.
        BluetoothUUID(uuidString).unsafelyUnwrapped
    }
}
