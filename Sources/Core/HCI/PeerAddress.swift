public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// A peer's address as HCI spells it: a type and six bytes. Beside the two kinds a device may use on air, the type
/// marks identities that the controller found by resolving a private address, and devices without any address. Core
/// 6.0, Vol 4, Part E, 7.7.65.2, 7.7.65.13.
public struct PeerAddress: Hashable, Sendable {
    /// The values of the type byte that commands and events may carry.
    public enum AddressType: UInt8, Sendable {
        case `public` = 0x00
        case random = 0x01
        /// The public address of a peer that used a private address on air.
        case publicIdentity = 0x02
        /// The static random address of a peer that used a private address on air.
        case randomIdentity = 0x03
        /// A private address the controller could not resolve.
        case unresolved = 0xFE
        /// No address at all.
        case anonymous = 0xFF
    }

    /// What the first byte says.
    public let type: AddressType
    /// The six bytes, with the kind that follows from the type.
    public let address: DeviceAddress

    /// An address as it is on air.
    @inlinable
    public init(_ address: DeviceAddress) {
        self.init(type: address.kind == .public ? .public : .random, value: address.value)
    }

    /// An identity behind a private address.
    @inlinable
    public init(identity: DeviceAddress) {
        self.init(type: identity.kind == .public ? .publicIdentity : .randomIdentity, value: identity.value)
    }

    /// The kind of the address follows from the type.
    @inlinable
    public init(type: AddressType, value: UInt64) {
        self.type = type
        let isPublic = type == .public || type == .publicIdentity
        address = DeviceAddress(value: value, kind: isPublic ? .public : .random)
    }

    /// A device that does not say who it is.
    public static let anonymous = Self(type: .anonymous, value: 0)

    /// Whether the controller found this address by resolving a private one.
    @inlinable
    public var isIdentity: Bool { type == .publicIdentity || type == .randomIdentity }

    /// Whether the type is one of the two that addresses have on air.
    @inlinable
    public var isOnAir: Bool { type == .public || type == .random }

    /// Whether one device can be meant: an address on air, or an identity.
    @inlinable
    public var isDevice: Bool { isOnAir || isIdentity }

    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 7 else { throw .truncated(needed: 7, available: bytes.byteCount) }
        let type: AddressType = try bytes.takeEnum("address type")
        self.init(type: type, value: try bytes.takeUInt48())
    }

    /// The same where a status stands beside it: in a failure the type may be anything.
    @inlinable
    init(parsing bytes: inout RawSpan, status: ControllerError) throws(DecodeError) {
        guard bytes.byteCount >= 7 else { throw .truncated(needed: 7, available: bytes.byteCount) }
        let type: AddressType = try bytes.takeEnum("address type", status: status, otherwise: .public)
        self.init(type: type, value: try bytes.takeUInt48())
    }

    /// The type, then the address.
    @inlinable
    public func write(to out: inout [UInt8]) {
        out.append(type.rawValue)
        address.write(to: &out)
    }
}

extension PeerAddress: CustomStringConvertible {
    public var description: String {
        switch type {
        case .public, .random: "\(address)"
        case .publicIdentity, .randomIdentity: "\(address) (identity)"
        case .unresolved: "\(address) (unresolved)"
        case .anonymous: "anonymous"
        }
    }
}
