public import CoreBluetooth
private import Synchronization

/// What is known of a kind of service: its name and its characteristics.
public class ServiceProfile: @unchecked Sendable {
    public let uuid: CBUUID
    public let name: String
    /// What the service is listed under, where there are many.
    public let tag: String

    private let profiles = Mutex<[CharacteristicProfile]>([])

    public init(uuid: String, name: String, tag: String = "Miscellaneous") {
        self.uuid = CBUUID(string: uuid)
        self.name = name
        self.tag = tag
    }

    /// A service of which nothing else is known.
    public convenience init(uuid: String) { self.init(uuid: uuid, name: "Unknown") }

    /// In the order in which they were added.
    public var characteristics: [CharacteristicProfile] { profiles.withLock { $0 } }

    public var characteristic: [CBUUID: CharacteristicProfile] {
        Dictionary(characteristics.map { ($0.uuid, $0) }) { $1 }
    }

    /// Takes the place of one with the same UUID.
    public func addCharacteristic(_ characteristicProfile: CharacteristicProfile) {
        profiles.withLock { $0.put(characteristicProfile) { $0.uuid == characteristicProfile.uuid } }
    }

    /// A profile that knows nothing but the UUID where there is none.
    public func characteristicProfile(withUUID uuid: CBUUID) -> CharacteristicProfile {
        characteristics.first { $0.uuid == uuid } ?? CharacteristicProfile(uuid: uuid.uuidString)
    }
}

/// A service as a type says.
public final class ConfiguredServiceProfile<Config: ServiceConfigurable>: ServiceProfile, @unchecked Sendable {
    public init() { super.init(uuid: Config.uuid, name: Config.name, tag: Config.tag) }
}

extension Array {
    /// Puts an element where another is that it replaces, else at the end.
    mutating func put(_ element: Element, inPlaceOf isReplaced: (Element) -> Bool) {
        if let index = firstIndex(where: isReplaced) { self[index] = element } else { append(element) }
    }
}
