/// The 16-bit header of every PDU on a data channel. Core 6.0, Vol 6, Part B, 2.4.
public struct DataHeader: RawRepresentable, Hashable, Sendable {
    /// What the payload is: the LLID field.
    public enum LogicalLink: UInt8, Sendable {
        case reserved = 0b00
        /// The continuation of an L2CAP message, or an empty PDU.
        case continuation = 0b01
        /// The start of an L2CAP message, or a whole one.
        case start = 0b10
        /// An LL control PDU.
        case control = 0b11
    }

    /// As on the air: flags in the lower byte, length in the upper.
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable
    public init(
        _ logicalLink: LogicalLink,
        nextExpectedSequenceNumber: Bool = false,
        sequenceNumber: Bool = false,
        moreData: Bool = false,
        length: UInt8 = 0
    ) {
        rawValue =
            UInt16(logicalLink.rawValue) | (nextExpectedSequenceNumber ? 0x04 : 0) | (sequenceNumber ? 0x08 : 0)
            | (moreData ? 0x10 : 0) | UInt16(length) << 8
    }

    /// LLID: what the payload is.
    @inlinable
    public var logicalLink: LogicalLink {
        get {
            switch rawValue & 0b11 {
            case 0b01: .continuation
            case 0b10: .start
            case 0b11: .control
            default: .reserved
            }
        }
        set { rawValue = rawValue & ~0b11 | UInt16(newValue.rawValue) }
    }

    /// NESN: the sequence number that the sender expects next, which acknowledges the other one.
    @inlinable
    public var nextExpectedSequenceNumber: Bool {
        get { self[0x04] }
        set { self[0x04] = newValue }
    }

    /// SN: the sequence number of this PDU.
    @inlinable
    public var sequenceNumber: Bool {
        get { self[0x08] }
        set { self[0x08] = newValue }
    }

    /// MD: whether the sender has more for this connection event.
    @inlinable
    public var moreData: Bool {
        get { self[0x10] }
        set { self[0x10] = newValue }
    }

    /// CP: whether a CTEInfo byte follows the header. No feature that we announce lets a peer set it.
    @inlinable
    public var hasCTEInfo: Bool {
        get { self[0x20] }
        set { self[0x20] = newValue }
    }

    /// Bytes of payload, MIC included.
    @inlinable
    public var length: UInt8 {
        get { UInt8(truncatingIfNeeded: rawValue >> 8) }
        set { rawValue = rawValue & 0xFF | UInt16(newValue) << 8 }
    }

    /// Whether this is the empty PDU, which carries nothing but the acknowledgement.
    @inlinable
    public var isEmpty: Bool { rawValue & 0xFF03 == 0x0001 }

    @inlinable
    subscript(mask: UInt16) -> Bool {
        get { rawValue & mask != 0 }
        set { rawValue = newValue ? rawValue | mask : rawValue & ~mask }
    }
}
