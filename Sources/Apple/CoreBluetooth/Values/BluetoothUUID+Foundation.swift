internal import BluethroatBluetoothValues

private import func CoreFoundation.CFUUIDGetUUIDBytes

extension BluetoothUUID {
    /// 2, 4 or 16 bytes; nil for any other number.
    init?(mostSignificantFirst bytes: Data) {
        let number = { (part: Data) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 2: self.init(UInt16(number(bytes)))
        case 4: self.init(bits32: UInt32(number(bytes)))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
        default: return nil
        }
    }

    init(_ uuid: UUID) {
        self = withUnsafeBytes(of: uuid.uuid) { BluetoothUUID(mostSignificantFirst: Data($0)).unsafelyUnwrapped }
    }

    init(_ uuid: CFUUID) {
        self = withUnsafeBytes(of: CFUUIDGetUUIDBytes(uuid)) {
            BluetoothUUID(mostSignificantFirst: Data($0)).unsafelyUnwrapped
        }
    }

    /// As many bytes as the width says.
    var mostSignificantFirst: Data {
        switch width {
        case .bits16: withUnsafeBytes(of: UInt16(truncatingIfNeeded: high >> 32).bigEndian) { Data($0) }
        case .bits32: withUnsafeBytes(of: UInt32(truncatingIfNeeded: high >> 32).bigEndian) { Data($0) }
        case .bits128: withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
        }
    }

    /// The name by which Apple's systems print a UUID: that of the SIG for services, descriptors and characteristics,
    /// and of a few of Apple's own; members' and vendors' numbers they print as digits.
    var knownName: String? {
        if let short { return (0x1800...0x2CFF).contains(short) ? assignedName : nil }
        switch (high, low) {
        case (0xD061_1E78_BBB4_4591, 0xA5F8_4879_10AE_4366): return "Continuity"
        default: return nil
        }
    }
}
