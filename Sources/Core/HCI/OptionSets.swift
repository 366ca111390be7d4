/// Directions in which any PHY will do. Core 6.0, Vol 4, Part E, 7.8.48.
public struct PHYIndifference: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let transmit = Self(rawValue: 0x01)
    public static let receive = Self(rawValue: 0x02)
}

/// What an advertising set allows and what it contains. Core 6.0, Vol 4, Part E, 7.8.53.
public struct AdvertisingProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let connectable = Self(rawValue: 0x01)
    public static let scannable = Self(rawValue: 0x02)
    public static let directed = Self(rawValue: 0x04)
    public static let highDutyCycle = Self(rawValue: 0x08)
    /// With the PDUs that all scanners know.
    public static let legacy = Self(rawValue: 0x10)
    public static let anonymous = Self(rawValue: 0x20)
    public static let includesTransmitPower = Self(rawValue: 0x40)
}

/// What an extended report has heard. Core 6.0, Vol 4, Part E, 7.7.65.13.
public struct ExtendedAdvertisingReportType: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let connectable = Self(rawValue: 0x01)
    public static let scannable = Self(rawValue: 0x02)
    public static let directed = Self(rawValue: 0x04)
    public static let scanResponse = Self(rawValue: 0x08)
    public static let legacy = Self(rawValue: 0x10)
    /// More of the data is to come in another report.
    public static let incomplete = Self(rawValue: 0x20)
    /// The data's end was lost.
    public static let truncated = Self(rawValue: 0x40)
}
