/// The first byte of an HCI packet on a serial transport, which says what follows.
/// Core 6.0, Vol 4, Part A, 2. In this package every HCI packet carries it, as one `[UInt8]`.
public enum PacketIndicator: UInt8, Sendable {
    case command = 1
    case acl = 2
    case synchronous = 3
    case event = 4
    case isochronous = 5
}

extension PacketIndicator {
    /// Bytes of a packet of this kind up to and with its length field, the indicator included.
    @inlinable
    public var headerCount: Int {
        switch self {
        case .event: 3
        case .command, .synchronous: 4
        case .acl, .isochronous: 5
        }
    }
}
