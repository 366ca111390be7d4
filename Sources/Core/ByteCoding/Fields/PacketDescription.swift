/// A kind of packet as the Core Specification describes it: its number among packets of its sort, its name and its
/// fields, without the number itself.
public struct PacketDescription: Sendable {
    /// Opcode or code.
    public let code: UInt8
    /// The name in the Core Specification.
    public let name: String
    public let fields: [FieldDescription]

    public init(_ code: UInt8, _ name: String, _ fields: [FieldDescription] = []) {
        self.code = code
        self.name = name
        self.fields = fields
    }

    /// A packet whose fields are those of a type.
    public init(_ code: UInt8, _ name: String, _ type: (some FieldDescribed).Type) {
        self.init(code, name, type.fieldDescriptions)
    }
}
