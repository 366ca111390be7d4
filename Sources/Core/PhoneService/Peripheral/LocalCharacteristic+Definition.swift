import BluethroatBluetoothValues
import BluethroatHost

extension LocalCharacteristic {
    private enum Property {
        static let broadcast: UInt = 0x01
        static let extended: UInt = 0x80
        static let notifyEncrypted: UInt = 0x100
        static let indicateEncrypted: UInt = 0x200
    }

    private enum Permission {
        static let readable: UInt = 0x01
        static let writeable: UInt = 0x02
        static let readEncrypted: UInt = 0x04
        static let writeEncrypted: UInt = 0x08
    }

    /// The characteristic as it is to stand in the database.
    var definition: CharacteristicDefinition {
        get throws(LocalFault) {
            guard properties & (Property.broadcast | Property.extended) == 0 else { throw .invalidParameters }
            guard (value?.count ?? 0) <= 512 else { throw .invalidParameters }
            var shown = CharacteristicProperties(rawValue: UInt8(truncatingIfNeeded: properties))
            if properties & Property.notifyEncrypted != 0 { shown.insert(.notify) }
            if properties & Property.indicateEncrypted != 0 { shown.insert(.indicate) }

            var permissions = AttributePermissions(
                read: access(Permission.readable, Permission.readEncrypted),
                write: access(Permission.writeable, Permission.writeEncrypted)
            )
            if value != nil {
                // A value that never changes is there to be read.
                shown = .read
                if !permissions.read.isAllowed { permissions.read = .open }
                permissions.write = .denied
            }
            var descriptors = try self.descriptors.map { descriptor throws(LocalFault) in
                try descriptor.definition
            }
            if properties & (Property.notifyEncrypted | Property.indicateEncrypted) != 0 {
                let permissions = AttributePermissions(read: .open, write: .encrypted)
                descriptors.insert(DescriptorDefinition(.clientConfiguration(permissions: permissions)), at: 0)
            }
            return CharacteristicDefinition(
                uuid,
                properties: shown,
                permissions: permissions,
                value: value ?? [],
                reads: value == nil ? .application : .stored,
                writes: .application,
                descriptors: descriptors
            )
        }
    }

    private func access(_ plain: UInt, _ encrypted: UInt) -> AttributeAccess {
        if permissions & encrypted != 0 { return .encrypted }
        return permissions & plain != 0 ? .open : .denied
    }
}

extension LocalDescriptor {
    /// The descriptors that clients configure are the system's.
    fileprivate var definition: DescriptorDefinition {
        get throws(LocalFault) {
            switch uuid.short {
            case 0x2900, 0x2902, 0x2903: throw .invalidParameters
            default: break
            }
            guard value.count <= 512 else { throw .invalidParameters }
            return DescriptorDefinition(.other(uuid, value: value))
        }
    }
}
