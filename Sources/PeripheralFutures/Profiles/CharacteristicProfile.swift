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
    public var stringValues: [String] { [] }

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
    }

    /// As a type says.
    init(configuredBy type: any CharacteristicConfigurable.Type) {
        uuid = CBUUID(string: type.uuid)
        name = type.name
        permissions = type.permissions
        properties = type.properties
        initialValue = type.initialValue
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
    public func stringValue(_ data: Data) -> [String: String]? { [name: data.hexStringValue()] }

    /// The value that is written; nil if parts are missing, or do not say what they should.
    public func data(fromString data: [String: String]) -> Data? { data[name]?.dataFromHexString() }
}
