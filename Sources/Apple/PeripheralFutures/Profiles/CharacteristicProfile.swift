public import CoreBluetooth

/// What is known of a kind of characteristic: its name, what can be done with it, and how its value is written for
/// people. This one writes hexadecimal digits.
public class CharacteristicProfile: @unchecked Sendable {
    public let uuid: CBUUID
    public let name: String
    public let permissions: CBAttributePermissions
    public let properties: CBCharacteristicProperties
    /// What a characteristic of this kind has at first.
    public let initialValue: Data?

    /// The texts that are allowed; none where there are too many to list.
    public let stringValues: [String]

    /// How a type writes and reads its values.
    private let typed: (text: (Data) -> [String: String]?, data: ([String: String]) -> Data?)?

    public init(
        uuid: String,
        name: String,
        permissions: CBAttributePermissions = [.readable, .writeable],
        properties: CBCharacteristicProperties = [.read, .write, .notify],
        initialValue: Data? = nil
    ) {
        self.uuid = CBUUID(string: uuid)
        self.name = name
        self.permissions = permissions
        self.properties = properties
        self.initialValue = initialValue
        stringValues = []
        typed = nil
    }

    /// As a type says.
    init<Value>(_ texts: ValueTexts<Value>) {
        uuid = CBUUID(string: Value.uuid)
        name = Value.name
        permissions = Value.permissions
        properties = Value.properties
        initialValue = Value.initialValue
        stringValues = Value.stringValues
        typed = (
            text: { data in texts.reading(data)?.stringValue },
            data: { text in Value(stringValue: text).map(texts.writing) }
        )
    }

    /// A characteristic of which nothing else is known.
    public convenience init(uuid: String) { self.init(uuid: uuid, name: "Unknown") }

    /// Whether one of the properties is there.
    public func propertyEnabled(_ property: CBCharacteristicProperties) -> Bool {
        !properties.isDisjoint(with: property)
    }

    /// Whether one of the permissions is there.
    public func permissionEnabled(_ permission: CBAttributePermissions) -> Bool {
        !permissions.isDisjoint(with: permission)
    }

    /// The parts of a value, each under its name; nil if the bytes mean nothing.
    public func stringValue(_ data: Data) -> [String: String]? {
        if let typed { typed.text(data) } else { [name: data.hexStringValue()] }
    }

    /// The value that is written; nil if parts are missing, or do not say what they should.
    public func data(fromString data: [String: String]) -> Data? {
        if let typed { typed.data(data) } else { data[name]?.dataFromHexString() }
    }
}
