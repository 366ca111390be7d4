import BluethroatBluetoothValues
public import BluethroatByteCoding

extension AdvertisingHeader: FieldDescribed {
    /// Core 6.0, Vol 6, Part B, 2.3.
    public static var fields: [Field<Self>] {
        [
            Field("PDU Type", bits: 4, \.type),
            Field("RFU", bits: 1) { UInt8(truncatingIfNeeded: $0.rawValue >> 4 & 1) },
            Field("ChSel", bits: 1, \.supportsChannelSelection2),
            Field("TxAdd", bits: 1, \.transmitter),
            Field("RxAdd", bits: 1, \.receiver),
            Field("Length", unit: .octets, \.length),
        ]
    }
}

extension DataHeader: FieldDescribed {
    /// Core 6.0, Vol 6, Part B, 2.4.
    public static var fields: [Field<Self>] {
        [
            Field("LLID", bits: 2, \.logicalLink),
            Field("NESN", bits: 1, \.nextExpectedSequenceNumber),
            Field("SN", bits: 1, \.sequenceNumber),
            Field("MD", bits: 1, \.moreData),
            Field("CP", bits: 1, \.hasCTEInfo),
            Field("RFU", bits: 2) { UInt8(truncatingIfNeeded: $0.rawValue >> 6 & 3) },
            Field("Length", unit: .octets, \.length),
        ]
    }
}

extension AdvertisingPDUType: FieldConvertible {
    public static func fieldMeaning(_ value: FieldValue) -> String? {
        AdvertisingPDU.descriptions.first { value == .unsigned(UInt64($0.code)) }?.name
    }
}

extension DataHeader.LogicalLink: FieldConvertible {}
extension SleepClockAccuracy: FieldConvertible {}

extension AccessAddress: FieldConvertible {}

extension CRCInit: FieldConvertible {
    public static var fieldShape: FieldShape { .unsigned(bits: 24) }
    public var fieldValue: FieldValue { .unsigned(UInt64(rawValue)) }
}
