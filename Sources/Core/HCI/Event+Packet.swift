public import BluethroatByteCoding

extension Event {
    /// Reads a whole packet, its indicator first; all bytes must belong to it.
    public init(parsing packet: [UInt8]) throws(DecodeError) {
        var bytes = packet.span.bytes
        let indicator = try bytes.takeUInt8()
        guard indicator == PacketIndicator.event.rawValue else {
            throw .invalidValue(field: "packet indicator", value: Int(indicator))
        }
        let code = EventCode(rawValue: try bytes.takeUInt8())
        let length = Int(try bytes.takeUInt8())
        guard length == bytes.byteCount else { throw .invalidLength(length) }
        self = try Self.parse(code, &bytes)
        try bytes.expectEnd()
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
