public import BluethroatByteCoding

/// The AD structures of an advertisement or a scan response, in order. Core 6.0, Vol 3, Part C, 11;
/// types from the Assigned Numbers, 2.3.
public struct AdvertisingData: Hashable, Sendable {
    /// One AD structure: a type and its bytes.
    public struct Structure: Hashable, Sendable {
        public var type: DataType
        /// At most 254 bytes.
        public var bytes: [UInt8]

        public init(_ type: DataType, _ bytes: [UInt8]) {
            precondition(bytes.count <= 254, "an AD structure holds at most 254 bytes")
            self.type = type
            self.bytes = bytes
        }
    }

    /// An AD type's number.
    public struct DataType: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let flags = Self(rawValue: 0x01)
        public static let incompleteUUIDs16 = Self(rawValue: 0x02)
        public static let completeUUIDs16 = Self(rawValue: 0x03)
        public static let incompleteUUIDs32 = Self(rawValue: 0x04)
        public static let completeUUIDs32 = Self(rawValue: 0x05)
        public static let incompleteUUIDs128 = Self(rawValue: 0x06)
        public static let completeUUIDs128 = Self(rawValue: 0x07)
        public static let shortenedLocalName = Self(rawValue: 0x08)
        public static let completeLocalName = Self(rawValue: 0x09)
        public static let txPowerLevel = Self(rawValue: 0x0A)
        public static let peripheralConnectionIntervalRange = Self(rawValue: 0x12)
        public static let solicitedUUIDs16 = Self(rawValue: 0x14)
        public static let solicitedUUIDs128 = Self(rawValue: 0x15)
        public static let serviceData16 = Self(rawValue: 0x16)
        public static let appearance = Self(rawValue: 0x19)
        public static let solicitedUUIDs32 = Self(rawValue: 0x1F)
        public static let serviceData32 = Self(rawValue: 0x20)
        public static let serviceData128 = Self(rawValue: 0x21)
        public static let manufacturerSpecific = Self(rawValue: 0xFF)
    }

    /// Bits of the flags structure.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let limitedDiscoverable = Self(rawValue: 0x01)
        public static let generalDiscoverable = Self(rawValue: 0x02)
        public static let brEDRNotSupported = Self(rawValue: 0x04)
    }

    public var structures: [Structure]

    public init(_ structures: [Structure] = []) { self.structures = structures }

    /// Reads the whole span. A length of zero ends the data early: what follows must be zeroes only
    /// (Core 6.0, Vol 3, Part C, 11). A length past the end is an error.
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        structures = []
        while bytes.byteCount > 0 {
            let length = Int(try bytes.takeUInt8())
            guard length > 0 else {
                while bytes.byteCount > 0 {
                    let padding = try bytes.takeUInt8()
                    guard padding == 0 else { throw .invalidValue(field: "padding", value: Int(padding)) }
                }
                return
            }
            guard length <= bytes.byteCount else { throw .invalidLength(length) }
            let type = DataType(rawValue: try bytes.takeUInt8())
            structures.append(Structure(type, try bytes.takeBytes(length - 1)))
        }
    }

    /// The structures that can be made sense of; reading stops quietly at the first that is malformed,
    /// as scanners do.
    public init(lenient bytes: [UInt8]) {
        structures = []
        var index = 0
        while index < bytes.count {
            let length = Int(bytes[index])
            guard length > 0, index + 1 + length <= bytes.count else { return }
            let body = Array(bytes[(index + 2)..<(index + 1 + length)])
            structures.append(Structure(DataType(rawValue: bytes[index + 1]), body))
            index += 1 + length
        }
    }

    public func write(to out: inout [UInt8]) {
        for structure in structures {
            out.append(UInt8(structure.bytes.count + 1))
            out.append(structure.type.rawValue)
            out.append(contentsOf: structure.bytes)
        }
    }

    /// The bytes as they go on air.
    public var bytes: [UInt8] {
        guard !structures.isEmpty else { return [] }
        var out: [UInt8] = []
        out.reserveCapacity(structures.reduce(0) { $0 + $1.bytes.count + 2 })
        write(to: &out)
        return out
    }

    /// The bytes of the first structure of a type.
    public func first(_ type: DataType) -> [UInt8]? { structures.first { $0.type == type }?.bytes }

    /// The complete local name, else the shortened one; invalid UTF-8 is repaired.
    public var localName: String? {
        (first(.completeLocalName) ?? first(.shortenedLocalName)).map { String(decoding: $0, as: UTF8.self) }
    }

    public var flags: Flags? { first(.flags)?.first.map(Flags.init(rawValue:)) }

    /// The transmit power the advertiser claims.
    public var txPower: SignalStrength? {
        first(.txPowerLevel)?.first.map { SignalStrength(dBm: Int8(bitPattern: $0)) }
    }
}

extension AdvertisingData.Structure {
    public static func flags(_ flags: AdvertisingData.Flags) -> Self { Self(.flags, [flags.rawValue]) }

    public static func completeLocalName(_ name: String) -> Self { Self(.completeLocalName, Array(name.utf8)) }

    public static func txPowerLevel(_ level: SignalStrength) -> Self {
        Self(.txPowerLevel, [UInt8(bitPattern: level.dBm)])
    }

    /// A list of UUIDs of one type; each is written in its own width, which must be the type's.
    public static func uuids(_ type: AdvertisingData.DataType, _ uuids: [BluetoothUUID]) -> Self {
        var bytes: [UInt8] = []
        for uuid in uuids { uuid.write(to: &bytes) }
        return Self(type, bytes)
    }
}
