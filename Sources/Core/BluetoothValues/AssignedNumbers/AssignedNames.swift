/// Tables of the public Assigned Numbers, one a file.
enum AssignedNames {
    /// Not assigned, but known from the devices that use them: Texas Instruments' key fob.
    static let vendor = NameTable(
        #"""
        FFA0 Accelerometer
        FFA1 Accelerometer Enable
        FFA2 Accelerometer Range
        FFA3 Accelerometer X
        FFA4 Accelerometer Y
        FFA5 Accelerometer Z
        FFAA Accelerometer X, Y and Z
        FFE0 Simple Keys
        FFE1 Key Press State
        """#
    )
}

extension BluetoothUUID {
    /// What a UUID is used for, where the place says that: one number is not two things.
    public enum Use: Sendable {
        case service, unit, descriptor, characteristic
    }

    /// What a 16-bit UUID stands for: a service, a declaration, a descriptor, a characteristic, a unit, the member a
    /// service belongs to, or a vendor's attribute that is widely known; nil for all others. A short UUID's name does
    /// not depend on how it is spelled.
    public var assignedName: String? { assigned.name }

    /// The name of a UUID that is used so; nil where it is not assigned, or is assigned to something of another kind.
    public func assignedName(as use: Use) -> String? {
        let (name, uses) = assigned
        return uses.contains(use) ? name : nil
    }

    private var assigned: (name: String?, uses: [Use]) {
        guard let short else { return (nil, []) }
        switch short {
        case 0x1800...0x18FF: return (AssignedNames.services.name(of: short), [.service])
        case 0x2700...0x27FF: return (AssignedNames.units.name(of: short), [.unit])
        case 0x2800...0x29FF: return (AssignedNames.descriptors.name(of: short), [.descriptor])
        case 0x2A00...0x2CFF: return (AssignedNames.characteristics.name(of: short), [.characteristic])
        // Members give their numbers to what they like, but for units.
        case 0xFC00...0xFFFF:
            let name = AssignedNames.members.name(of: short) ?? AssignedNames.vendor.name(of: short)
            return (name, [.service, .descriptor, .characteristic])
        default: return (nil, [])
        }
    }
}
