public import CoreBluetooth

/// A characteristic whose value is text.
public final class StringCharacteristicProfile<T: CharacteristicConfigurable>: CharacteristicProfile,
    @unchecked Sendable
{
    /// How the text is written.
    public let encoding: String.Encoding

    /// As the type says.
    public convenience init(encoding: String.Encoding = .utf8) {
        self.init(
            uuid: T.uuid,
            name: T.name,
            permissions: T.permissions,
            properties: T.properties,
            initialValue: T.initialValue,
            encoding: encoding
        )
    }

    public init(
        uuid: String,
        name: String,
        permissions: CBAttributePermissions = [.readable, .writeable],
        properties: CBCharacteristicProperties = [.read, .write, .notify],
        initialValue: Data? = nil,
        encoding: String.Encoding = .utf8
    ) {
        self.encoding = encoding
        super.init(
            uuid: uuid,
            name: name,
            permissions: permissions,
            properties: properties,
            initialValue: initialValue
        )
    }

    public override func stringValue(_ data: Data) -> [String: String]? {
        SerDe.deserialize(data, encoding: encoding).map { [name: $0] }
    }

    public override func data(fromString data: [String: String]) -> Data? {
        data[name].flatMap { SerDe.serialize($0, encoding: encoding) }
    }
}
