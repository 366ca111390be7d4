public import BluethroatBluetoothValues

/// What an advertising PDU is, by the four bits of its header. Core 6.0, Vol 6, Part B, 2.3.
public struct AdvertisingPDUType: RawRepresentable, Hashable, Sendable {
    /// 0 to 15.
    public let rawValue: UInt8

    /// Bits above the lowest four are dropped.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0xF }

    /// Connectable and scannable by any device.
    public static let advInd = Self(rawValue: 0b0000)
    /// Connectable by one device.
    public static let advDirectInd = Self(rawValue: 0b0001)
    /// Neither connectable nor scannable.
    public static let advNonconnInd = Self(rawValue: 0b0010)
    /// Asks an advertiser for more data.
    public static let scanReq = Self(rawValue: 0b0011)
    /// The answer to a scan request.
    public static let scanRsp = Self(rawValue: 0b0100)
    /// Makes a connection.
    public static let connectInd = Self(rawValue: 0b0101)
    /// Scannable but not connectable.
    public static let advScanInd = Self(rawValue: 0b0110)
    /// ADV_EXT_IND and its relatives of extended advertising.
    public static let extended = Self(rawValue: 0b0111)

    /// Whether an advertiser sends it without being asked, on the primary channels of legacy advertising.
    @inlinable
    public var isAdvertisement: Bool {
        self == .advInd || self == .advNonconnInd || self == .advScanInd || self == .advDirectInd
    }
}

/// The 16-bit header of every PDU on an advertising channel. Core 6.0, Vol 6, Part B, 2.3.
public struct AdvertisingHeader: RawRepresentable, Hashable, Sendable {
    /// As on the air: type and flags in the lower byte, length in the upper.
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable
    public init(
        _ type: AdvertisingPDUType,
        supportsChannelSelection2: Bool = false,
        transmitter: DeviceAddress.Kind = .public,
        receiver: DeviceAddress.Kind = .public,
        length: UInt8
    ) {
        rawValue =
            UInt16(type.rawValue) | (supportsChannelSelection2 ? 0x20 : 0) | UInt16(transmitter.rawValue) << 6
            | UInt16(receiver.rawValue) << 7 | UInt16(length) << 8
    }

    /// PDU Type: what the PDU is.
    @inlinable
    public var type: AdvertisingPDUType { AdvertisingPDUType(rawValue: UInt8(truncatingIfNeeded: rawValue)) }

    /// ChSel: whether the sender can use Channel Selection Algorithm #2. It means so in ADV_IND, ADV_DIRECT_IND and
    /// CONNECT_IND only.
    @inlinable
    public var supportsChannelSelection2: Bool { rawValue & 0x20 != 0 }

    /// TxAdd: the kind of the address that the PDU's sender gives as its own.
    @inlinable
    public var transmitter: DeviceAddress.Kind { rawValue & 0x40 == 0 ? .public : .random }

    /// RxAdd: the kind of the address that the PDU is directed at, where it has one.
    @inlinable
    public var receiver: DeviceAddress.Kind { rawValue & 0x80 == 0 ? .public : .random }

    /// Bytes of payload.
    @inlinable
    public var length: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
}
