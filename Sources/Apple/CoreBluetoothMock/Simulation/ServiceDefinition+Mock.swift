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
        let access = characteristic.security.access
        let wantsKey = !characteristic.properties.isDisjoint(
            with: [.notifyEncryptionRequired, .indicateEncryptionRequired]
        )
        if characteristic.properties.contains(.notifyEncryptionRequired) { properties.insert(.notify) }
        if characteristic.properties.contains(.indicateEncryptionRequired) { properties.insert(.indicate) }
        // Only what is described is announced.
        let isExtended = characteristic.mockDescriptors.contains { descriptor in
            if case .extendedProperties? = descriptor.stored { true } else { false }
        }
        if isExtended { properties.insert(.extendedProperties) } else { properties.remove(.extendedProperties) }
        let subscribing = wantsKey && characteristic.security == .none ? .encrypted : access
        let configuration = DescriptorDefinition(
            .clientConfiguration(permissions: AttributePermissions(read: .open, write: subscribing))
        )
        var descriptors = characteristic.mockDescriptors.map { descriptor in
            descriptor.isClientConfiguration ? configuration : DescriptorDefinition(descriptor, writing: access)
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
                read: properties.contains(.read) ? access : .denied,
                write: isWritable ? access : .denied
            ),
            reads: .application,
            writes: .application,
            descriptors: descriptors
        )
    }
}

extension DescriptorDefinition {
    /// `access` says what the link must be like for those that may write it.
    fileprivate init(_ descriptor: CBMDescriptorMock, writing access: AttributeAccess) {
        func permissions(_ isWritable: Bool) -> AttributePermissions {
            AttributePermissions(read: .open, write: isWritable ? access : .denied)
        }
        let uuid = descriptor.uuid.bluetoothUUID
        let kind: Kind =
            switch descriptor.stored {
            case .text(let text, let isWritable): .userDescription(text, permissions: permissions(isWritable))
            case .extendedProperties(let properties): .extendedProperties(properties)
            case .serverConfiguration: .serverConfiguration(permissions: permissions(true))
            case .presentationFormat(let format): .presentationFormat(format)
            case .other(let value, let isWritable):
                .other(uuid, value: Array(value), permissions: permissions(isWritable))
            case nil:
                .other(uuid, value: [], permissions: .readWrite, reads: .application, writes: .application)
            }
        self.init(kind)
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
