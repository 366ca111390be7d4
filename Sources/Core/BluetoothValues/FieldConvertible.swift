public import BluethroatByteCoding

/// How these values stand in a packet's fields, for descriptions of packets.
extension ConnectionHandle: FieldConvertible {}
extension AttributeHandle: FieldConvertible {}
extension ConnectionRole: FieldConvertible {}
extension ControllerError: FieldConvertible {}
extension PHY: FieldConvertible {}
extension PHYSet: FieldConvertible {}

extension DeviceAddress.Kind: FieldConvertible {}

/// Six octets; whether the address is public or random stands elsewhere.
extension DeviceAddress: FieldConvertible {
    public static var fieldShape: FieldShape { .unsigned(bits: 48) }
    public var fieldValue: FieldValue { .unsigned(value) }

    public static func fieldMeaning(_ value: FieldValue) -> String? {
        guard case .unsigned(let value) = value else { return nil }
        return DeviceAddress(value: value, kind: .public).bytes.reversed().hex(separator: ":").uppercased()
    }
}

/// Five octets, of which the lowest 37 bits are channels.
extension ChannelMap: FieldConvertible {
    public static var fieldShape: FieldShape { .unsigned(bits: 40) }
    public var fieldValue: FieldValue { .unsigned(bits) }
}

/// One octet of dBm.
extension SignalStrength: FieldConvertible {
    public static var fieldShape: FieldShape { .signed(bits: 8) }
    public var fieldValue: FieldValue { dBm.fieldValue }
}
