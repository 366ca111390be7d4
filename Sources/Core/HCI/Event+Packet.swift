public import BluethroatByteCoding

extension Event {
    /// Reads a whole packet, its indicator first; all bytes must belong to it.
    public init(parsing packet: [UInt8]) throws(DecodeError) {
        var bytes = packet.span.bytes
        self = try Self.parse(try Self.takeHeader(&bytes), &bytes)
        try bytes.expectEnd()
    }

    /// Takes indicator, code and length; the parameters are left.
    fileprivate static func takeHeader(_ bytes: inout RawSpan) throws(DecodeError) -> EventCode {
        let indicator = try bytes.takeUInt8()
        guard indicator == PacketIndicator.event.rawValue else {
            throw .invalidValue(field: "packet indicator", value: Int(indicator))
        }
        let code = EventCode(rawValue: try bytes.takeUInt8())
        let length = Int(try bytes.takeUInt8())
        guard length == bytes.byteCount else { throw .invalidLength(length) }
        return code
    }

    /// The whole event, its indicator first.
    public func packet() -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(72)
        out.append(PacketIndicator.event.rawValue)
        let identifier = identifier
        out.append(identifier.code.rawValue)
        out.append(0)
        if let subevent = identifier.subevent { out.append(subevent.rawValue) }
        writeParameters(to: &out)
        precondition(out.count - 3 <= 255, "an event holds at most 255 bytes of parameters")
        out[2] = UInt8(out.count - 3)
        return out
    }
}

extension HCIEvent {
    /// Reads a whole packet with an event of this type, its indicator first; all bytes must belong to it. Nil for another event;
    /// what is not even that may be nil, too. This costs less than `Event`, which is as large as the largest event.
    package init?(ofTypeIn packet: [UInt8]) throws(DecodeError) {
        let identifier = Self.identifier
        guard packet.count > 1, packet[1] == identifier.code.rawValue else { return nil }
        if let subevent = identifier.subevent {
            guard packet.count > 3, packet[3] == subevent.rawValue else { return nil }
        }
        var bytes = packet.span.bytes
        _ = try Event.takeHeader(&bytes)
        if identifier.subevent != nil { try bytes.skip(1) }
        try self.init(parsing: &bytes)
        try bytes.expectEnd()
    }
}

// The two that come most, each read by a function of its own: a generic one of another module asks for its type's functions at
// run time.
extension CommandComplete {
    package static func read(_ packet: [UInt8]) throws(DecodeError) -> Self? { try Self(ofTypeIn: packet) }
}

extension LEAdvertisingReport {
    package static func read(_ packet: [UInt8]) throws(DecodeError) -> Self? { try Self(ofTypeIn: packet) }
}
