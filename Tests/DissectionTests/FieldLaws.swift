import BluethroatByteCoding
import Testing

/// The law that holds descriptions and codecs to each other: random packets are decoded, encoded, and taken apart by the
/// descriptions alone; each field must hold what its property does.
struct FieldLaws {
    private var packets: RandomPackets
    private static let rounds = 50

    init(seed: UInt64 = 1) { packets = RandomPackets(seed: seed) }

    /// `decode` reads a packet of these fields, `encode` writes it, `values` are those of its properties.
    mutating func check<Packet>(
        _ name: String,
        _ fields: [FieldDescription],
        decode: ([UInt8]) throws(DecodeError) -> Packet,
        encode: (Packet) -> [UInt8],
        values: (Packet) -> [FieldValue]
    ) {
        var understood = 0, attempts = 0
        while understood < Self.rounds, attempts < 200 * Self.rounds {
            attempts += 1
            let bytes = packets.bytes(of: fields)
            guard let packet = try? decode(bytes) else { continue }
            understood += 1
            let encoded = encode(packet)
            do {
                let readings = try fields.read(encoded)
                let values = values(packet)
                #expect(readings.map(\.value) == values, "\(name): \(packet)")
                Self.checkPlaces(readings, in: encoded, name)
            } catch {
                Issue.record("\(name): its description cannot read \(encoded.hex): \(error)")
                return
            }
        }
        #expect(understood > 0, "\(name): nothing of \(attempts) random packets is understood")
    }

    /// The same for a type that describes itself.
    mutating func check<Packet: FieldDescribed>(
        _ type: Packet.Type,
        decode: ([UInt8]) throws(DecodeError) -> Packet,
        encode: (Packet) -> [UInt8]
    ) {
        check("\(type)", Packet.fieldDescriptions, decode: decode, encode: encode) { $0.fieldValues }
    }

    /// Fields lie one after the other and fill the packet.
    private static func checkPlaces(_ readings: [FieldReading], in bytes: [UInt8], _ name: String) {
        var position = 0
        for reading in readings {
            #expect(reading.bitOffset == position, "\(name): \(reading.description.name)")
            position += reading.bitCount
        }
        #expect(position == 8 * bytes.count, "\(name)")
    }

    /// What the payload of an enumeration's case holds: that of a value that describes itself, else its elements in their
    /// order.
    static func values(ofPayload pdu: Any) -> [FieldValue] {
        guard let payload = Mirror(reflecting: pdu).children.first?.value else { return [] }
        if let described = payload as? any FieldDescribed { return described.fieldValues }
        if let value = value(of: payload) { return [value] }
        return Mirror(reflecting: payload).children.compactMap { value(of: $0.value) }
    }

    private static func value(of element: Any) -> FieldValue? {
        if let bytes = element as? [UInt8] { return .bytes(bytes) }
        return (element as? any FieldConvertible)?.fieldValue
    }
}
