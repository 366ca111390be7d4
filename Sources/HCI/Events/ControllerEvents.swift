public import ByteCoding

/// Hardware Error: the controller has failed in a way of its own. Core 6.0, Vol 4, Part E, 7.7.16.
public struct HardwareError: EventParameters {
    /// The maker's own.
    public var code: UInt8

    public init(code: UInt8) {
        self.code = code
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        code = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(code)
    }
}

/// Number Of Completed Packets: the controller has room again. Core 6.0, Vol 4, Part E, 7.7.19.
public struct NumberOfCompletedPackets: EventParameters {
    /// At most 255 entries.
    public var completed: [CompletedPackets]

    public init(completed: [CompletedPackets]) {
        self.completed = completed
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let count = Int(try bytes.takeUInt8())
        completed = []
        completed.reserveCapacity(count)
        for _ in 0..<count { completed.append(try CompletedPackets(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(completed.count))
        for element in completed { element.write(to: &out) }
    }
}

/// Data Buffer Overflow: the host sent more than the controller has room for. Core 6.0, Vol 4, Part E, 7.7.26.
public struct DataBufferOverflow: EventParameters {
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

    /// The kind of link whose buffers overflowed.
    public enum Link: UInt8, Sendable {
        case synchronous = 0
        case acl = 1
        case isochronous = 2
    }
}
