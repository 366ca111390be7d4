public import BluethroatByteCoding

/// Data Buffer Overflow: the host sent more than the controller has room for. Core 6.0, Vol 4, Part E, 7.7.26.
public struct DataBufferOverflow: HCIEvent {
    public static var identifier: EventIdentifier { .dataBufferOverflow }
    public static var name: String { "Data Buffer Overflow" }
    public static var maskBit: EventMaskBit? { .page1(.dataBufferOverflow) }
    public var event: Event { .dataBufferOverflow(self) }

    /// The kind of link.
    public var link: Link

    public init(link: Link) {
        self.link = link
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        link = try bytes.takeEnum("link")
    }

    public func write(to out: inout [UInt8]) {
        out.append(link.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Link_Type", \.link)
        ]
    }

    /// The kind of link whose buffers overflowed.
    public enum Link: UInt8, Sendable {
        case synchronous = 0
        case acl = 1
        case isochronous = 2
    }
}

extension EventIdentifier {
    /// Data Buffer Overflow.
    public static let dataBufferOverflow = Self(.dataBufferOverflow)
}

extension EventCode {
    public static let dataBufferOverflow = Self(rawValue: 0x1A)
}

extension EventMask {
    public static let dataBufferOverflow = Self(rawValue: 1 << 25)
}
