public import BluethroatByteCoding

/// LE Set Extended Advertising Enable: starts or stops advertising sets. Core 6.0, Vol 4, Part E, 7.8.56.
public struct LESetExtendedAdvertisingEnable: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedAdvertisingEnable,
            "LE Set Extended Advertising Enable",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 5)
        )
    }

    /// On or off.
    public var isEnabled: Bool
    /// None, to stop all sets.
    public var sets: [AdvertisingSetTiming]

    public init(isEnabled: Bool, sets: [AdvertisingSetTiming]) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
        let count = Int(try bytes.takeUInt8())
        sets = []
        sets.reserveCapacity(count)
        for _ in 0..<count { sets.append(try AdvertisingSetTiming(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
        out.appendUInt8(UInt8(sets.count))
        for element in sets { element.write(to: &out) }
    }

    public static var fields: [Field<Self>] {
        [
            Field("Enable", \.isEnabled),
            Field("Num_Sets") { UInt8(truncatingIfNeeded: $0.sets.count) },
            .group("Sets", .counted(by: "Num_Sets"), of: AdvertisingSetTiming.fields, \.sets),
        ]
    }
}

/// One set in LE Set Extended Advertising Enable: how long it is on the air. Core 6.0, Vol 4, Part E, 7.8.56.
public struct AdvertisingSetTiming: FieldDescribed, Hashable, Sendable {
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Steps of 10 ms; 0 goes on until stopped.
    public var duration: UInt16
    /// Advertising events after which it ends; 0 for no limit.
    public var maximumEvents: UInt8

    public init(advertisingHandle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
        self.advertisingHandle = advertisingHandle
        self.duration = duration
        self.maximumEvents = maximumEvents
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        duration = try bytes.takeUInt16()
        maximumEvents = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.appendUInt16(duration)
        out.appendUInt8(maximumEvents)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Duration", unit: .centiseconds, \.duration),
            Field("Max_Extended_Advertising_Events", \.maximumEvents),
        ]
    }
}

extension Opcode {
    /// LE Set Extended Advertising Enable. 7.8.56.
    public static let leSetExtendedAdvertisingEnable = Self(rawValue: 0x2039)
}

extension Command {
    /// LE Set Extended Advertising Enable.
    public static func leSetExtendedAdvertisingEnable(_ command: LESetExtendedAdvertisingEnable) -> Self {
        Self(command)
    }
}
