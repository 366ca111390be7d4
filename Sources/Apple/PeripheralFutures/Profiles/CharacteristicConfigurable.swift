public import CoreBluetooth

/// What a characteristic is like that has a type of its own for its value.
public protocol CharacteristicConfigurable {
    static var name: String { get }
    static var uuid: String { get }
    static var permissions: CBAttributePermissions { get }
    static var properties: CBCharacteristicProperties { get }
    static var initialValue: Data? { get }
}

extension CharacteristicConfigurable {
    /// Clients may read and write, as far as the properties let them.
    public static var permissions: CBAttributePermissions { [.readable, .writeable] }
}

/// What a service is like that has a type of its own.
public protocol ServiceConfigurable {
    static var name: String { get }
    static var uuid: String { get }
    /// What the service is listed under, where there are many.
    static var tag: String { get }
}
