public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// SMP_Identity_Address_Information: a public address, or a static random one. Core 6.0, Vol 3, Part H, 3.6.5.
public struct IdentityAddressInformation: Hashable, Sendable {
    public let address: DeviceAddress

    /// Nil for a random address that is not static, since such an address is not an identity.
    public init?(address: DeviceAddress) {
        guard address.kind == .public || address.randomSubtype == .staticDevice else { return nil }
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 7 else { throw .truncated(needed: 7, available: bytes.byteCount) }
        let type = try bytes.takeUInt8()
        guard let kind = DeviceAddress.Kind(rawValue: type) else {
            throw .invalidValue(field: "address type", value: Int(type))
        }
        guard let information = Self(address: try DeviceAddress(parsing: &bytes, kind: kind)) else {
            throw .invalidValue(field: "identity address", value: Int(type))
        }
        self = information
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(address.kind.rawValue)
        address.write(to: &out)
    }
}
