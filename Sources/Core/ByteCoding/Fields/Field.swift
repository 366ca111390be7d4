/// A field of one kind of packet: its description, and the property that it is the place of.
public struct Field<Packet>: Sendable {
    public let description: FieldDescription
    /// What the property holds, as it stands in the field.
    public let value: @Sendable (Packet) -> FieldValue

    public init(_ description: FieldDescription, _ value: @escaping @Sendable (Packet) -> FieldValue) {
        self.description = description
        self.value = value
    }

    /// A field that is as long as its type says, or has this many bits.
    public init<Value: FieldConvertible>(
        _ name: String,
        bits: Int? = nil,
        unit: FieldUnit? = nil,
        _ value: @escaping @Sendable (Packet) -> Value
    ) {
        let shape = bits.map { .unsigned(bits: $0) } ?? Value.fieldShape
        let description = FieldDescription(name, shape, unit: unit) { Value.fieldMeaning($0) }
        self.init(description) { value($0).fieldValue }
    }

    /// A field of bytes.
    public static func bytes(
        _ name: String,
        _ length: FieldLength,
        _ value: @escaping @Sendable (Packet) -> [UInt8]
    ) -> Self {
        Self(FieldDescription(name, .bytes(length))) { .bytes(value($0)) }
    }

    /// Bytes in a place of `total` octets, of which as many count as an earlier field says.
    public static func padded(
        _ name: String,
        countedBy count: String,
        total: Int,
        _ value: @escaping @Sendable (Packet) -> [UInt8]
    ) -> Self {
        Self(FieldDescription(name, .padded(countedBy: count, total: total))) { .bytes(value($0)) }
    }

    /// Fields that stand in the packet several times, once or not at all.
    public static func group<Element>(
        _ name: String,
        _ repetition: FieldRepetition,
        of fields: [Field<Element>],
        _ elements: @escaping @Sendable (Packet) -> [Element]
    ) -> Self {
        Self(FieldDescription(name, .group(fields.map(\.description), repetition))) { packet in
            .groups(elements(packet).map { element in fields.map { $0.value(element) } })
        }
    }

    /// The same field of a packet that has this one as a part.
    public func part<Whole>(of whole: @escaping @Sendable (Whole) -> Packet) -> Field<Whole> {
        Field<Whole>(description) { value(whole($0)) }
    }
}

/// A packet, or a part of one, whose fields are described.
public protocol FieldDescribed {
    /// In the order in which they are sent.
    static var fields: [Field<Self>] { get }
}

extension FieldDescribed {
    /// The descriptions alone, as a dissector uses them.
    public static var fieldDescriptions: [FieldDescription] { fields.map(\.description) }
    /// What the fields of this packet hold, in their order.
    public var fieldValues: [FieldValue] { Self.fields.map { $0.value(self) } }
}
