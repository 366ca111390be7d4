import BluethroatBluetoothValues
import BluethroatHost
import CoreBluetooth

/// The same as the host wants it. Values are the application's, so that each read and write passes the simulation.
extension SimulatedService {
    var definition: ServiceDefinition {
        ServiceDefinition(
            uuid.bluetoothUUID,
            isPrimary: isPrimary,
            includes: includes.map { IncludeDefinition(.uuid($0.bluetoothUUID)) },
            characteristics: characteristics.map(\.definition)
        )
    }
}

extension SimulatedCharacteristic {
    fileprivate var definition: CharacteristicDefinition {
        precondition(value.count <= 512, "a characteristic's value has at most 512 bytes, \(uuid) has \(value.count)")
        let access = security.access
        let isWritable = !properties.isDisjoint(with: [.write, .writeWithoutResponse])
        let isSent = !properties.isDisjoint(with: [.notify, .indicate])
        var descriptors = descriptors.map(\.definition)
        if isSent, security != .none {
            let permissions = AttributePermissions(read: .open, write: access)
            descriptors.insert(DescriptorDefinition(.clientConfiguration(permissions: permissions)), at: 0)
        }
        return CharacteristicDefinition(
            uuid.bluetoothUUID,
            properties: CharacteristicProperties(rawValue: UInt8(truncatingIfNeeded: properties.rawValue)),
            permissions: AttributePermissions(
                read: properties.contains(.read) ? access : .denied,
                write: isWritable ? access : .denied
            ),
            value: Array(value),
            reads: .application,
            writes: .application,
            descriptors: descriptors
        )
    }
}

extension SimulatedSecurity {
    var access: AttributeAccess {
        switch self {
        case .none: .open
        case .encrypted: .encrypted
        case .authenticated: .authenticated
        }
    }
}

extension SimulatedDescriptor {
    fileprivate var definition: DescriptorDefinition {
        switch kind {
        case .userDescription(let text): DescriptorDefinition(.userDescription(text))
        case .other(let uuid, let value): DescriptorDefinition(.other(uuid.bluetoothUUID, value: Array(value)))
        }
    }
}
