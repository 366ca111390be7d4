import BluethroatByteCoding

/// Google's Eddystone: service data of the UUID FEAA. Its specification has a page for each kind of frame.
enum EddystoneFrame {
    /// Bytes behind the UUID.
    static func decode(_ bytes: [UInt8]) -> BroadcastMessage {
        var name = "Eddystone"
        var cursor = bytes.span.bytes
        do throws(DecodeError) {
            let kind = try cursor.takeUInt8()
            name = Self.name(of: kind)
            guard let fields = try fields(kind, &cursor) else { return BroadcastMessage(name, bytes) }
            guard cursor.byteCount == 0 else { throw .trailingBytes(cursor.byteCount) }
            return BroadcastMessage(name, bytes, fields)
        } catch {
            return BroadcastMessage(name, bytes, isMalformed: true)
        }
    }

    private static func name(of kind: UInt8) -> String {
        switch kind {
        case 0x00: "Eddystone-UID"
        case 0x10: "Eddystone-URL"
        case 0x20: "Eddystone-TLM"
        case 0x30: "Eddystone-EID"
        default: "Eddystone frame 0x" + [kind].hex.uppercased()
        }
    }

    /// Nil for an unknown kind.
    private static func fields(_ kind: UInt8, _ bytes: inout RawSpan) throws(DecodeError) -> [BroadcastMessage.Field]? {
        switch kind {
        case 0x00: try identifier(&bytes)
        case 0x10: try address(&bytes)
        case 0x20: try telemetry(&bytes)
        case 0x30: [try power(&bytes), BroadcastMessage.Field("id", .text(try bytes.takeBytes(8).hex))]
        default: nil
        }
    }

    private static func power(_ bytes: inout RawSpan) throws(DecodeError) -> BroadcastMessage.Field {
        BroadcastMessage.Field("power", .number(Int(try bytes.takeInt8())), unit: " dBm")
    }

    private static func identifier(_ bytes: inout RawSpan) throws(DecodeError) -> [BroadcastMessage.Field] {
        let power = try power(&bytes)
        let namespace = try bytes.takeBytes(10).hex
        let instance = try bytes.takeBytes(6).hex
        // Two bytes are reserved; some beacons leave them out.
        if bytes.byteCount > 0 { _ = try bytes.takeUInt16() }
        return [
            BroadcastMessage.Field("namespace", .text(namespace)), BroadcastMessage.Field("instance", .text(instance)),
            power,
        ]
    }

    private static func address(_ bytes: inout RawSpan) throws(DecodeError) -> [BroadcastMessage.Field] {
        let power = try power(&bytes)
        let scheme = Int(try bytes.takeUInt8())
        guard schemes.indices.contains(scheme) else { throw .invalidValue(field: "scheme", value: scheme) }
        var url = schemes[scheme]
        while bytes.byteCount > 0 {
            let byte = try bytes.takeUInt8()
            switch byte {
            case 0x00...0x0D: url += endings[Int(byte)]
            case 0x21...0x7E: url.unicodeScalars.append(Unicode.Scalar(byte))
            default: throw .invalidValue(field: "URL", value: Int(byte))
            }
        }
        return [BroadcastMessage.Field("url", .text(url)), power]
    }

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net", ".info", ".biz",
        ".gov",
    ]

    private static func telemetry(_ bytes: inout RawSpan) throws(DecodeError) -> [BroadcastMessage.Field] {
        let version = try bytes.takeUInt8()
        guard version <= 1 else { throw .invalidValue(field: "version", value: Int(version)) }
        guard version == 0 else {
            // Twelve bytes that only its owner can read, a salt and a check.
            guard bytes.byteCount == 16 else { throw .invalidLength(bytes.byteCount) }
            return [BroadcastMessage.Field("encrypted", .text(bytes.takeRest().hex))]
        }
        let voltage = Int(try bytes.takeUInt16BigEndian())
        let temperature = Int16(bitPattern: try bytes.takeUInt16BigEndian())
        let advertisements = try takeUInt32BigEndian(&bytes)
        let uptime = try takeUInt32BigEndian(&bytes)
        var fields: [BroadcastMessage.Field] = []
        // Both have a value that means "not measured".
        if voltage != 0 { fields.append(BroadcastMessage.Field("battery", .number(voltage), unit: " mV")) }
        if temperature != .min {
            // In 256ths.
            let hundredths = (Double(temperature) * 100 / 256).rounded()
            fields.append(BroadcastMessage.Field("temperature", .decimal(Int(hundredths), 2), unit: " °C"))
        }
        fields.append(BroadcastMessage.Field("advertisements", .number(advertisements)))
        fields.append(BroadcastMessage.Field("uptime", .decimal(uptime, 1), unit: " s"))
        return fields
    }

    private static func takeUInt32BigEndian(_ bytes: inout RawSpan) throws(DecodeError) -> Int {
        let high = Int(try bytes.takeUInt16BigEndian())
        return high << 16 | Int(try bytes.takeUInt16BigEndian())
    }
}
