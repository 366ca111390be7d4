public import CoreBluetooth

/// A characteristic that an app publishes: a value that centrals read, write and subscribe to.
///
/// It may be used on any thread. Updates that cannot be sent yet, since there is no subscriber or CoreBluetooth has no
/// room, wait in `pendingUpdates` and are sent in their order, each once.
public final class MutableCharacteristic: @unchecked Sendable {
    struct State {
        weak var service: MutableService?
        var published: CBMutableCharacteristic
        var value: Data?
        var isUpdating = false
        var queue: [Data] = []
        var subscribers: [any CBCentralInjectable] = []
        var requests: StreamPromise<WriteRequest>?
        var writes = OpenWrites()
    }

    /// What a central wants written, and who it is.
    public typealias WriteRequest = (request: any CBATTRequestInjectable, central: any CBCentralInjectable)

    public let uuid: CBUUID
    private let profile: CharacteristicProfile
    let state: Guarded<State>
    let loops = SharedLoops()

    // MARK: Making one

    /// As the profile says, with its initial value.
    public convenience init(profile: CharacteristicProfile) {
        let published = CBMutableCharacteristic(
            type: profile.uuid,
            properties: profile.properties,
            value: nil,
            permissions: profile.permissions
        )
        self.init(published, profile, value: profile.initialValue)
    }

    /// A characteristic whose value is written as hexadecimal digits.
    public convenience init(
        UUID: String,
        properties: CBCharacteristicProperties,
        permissions: CBAttributePermissions,
        value: Data?
    ) {
        self.init(
            profile: CharacteristicProfile(
                uuid: UUID,
                name: "Unknown",
                permissions: permissions,
                properties: properties,
                initialValue: value
            )
        )
    }

    /// A characteristic that can be read, written and subscribed to.
    public convenience init(UUID: String) { self.init(profile: CharacteristicProfile(uuid: UUID)) }

    /// One that the system has kept while the app did not run, with those who have subscribed.
    convenience init(restored: CBMutableCharacteristic) {
        let profile = CharacteristicProfile(
            uuid: restored.uuid.uuidString,
            name: "Unknown",
            permissions: restored.permissions,
            properties: restored.properties
        )
        self.init(restored, profile, value: restored.value)
        state.withLock { state in
            state.subscribers = restored.subscribedCentrals ?? []
            state.isUpdating = !state.subscribers.isEmpty
        }
    }

    private init(_ published: CBMutableCharacteristic, _ profile: CharacteristicProfile, value: Data?) {
        uuid = profile.uuid
        self.profile = profile
        state = Guarded(State(published: published, value: value))
    }

    /// One characteristic for each profile.
    public class func withProfiles(_ profiles: [CharacteristicProfile]) -> [MutableCharacteristic] {
        profiles.map { MutableCharacteristic(profile: $0) }
    }

    /// One characteristic for each profile. What is given beside them is not used.
    public class func withProfiles(
        _ profiles: [CharacteristicProfile],
        cbCharacteristics: [CBMutableCharacteristic]
    ) -> [MutableCharacteristic] { withProfiles(profiles) }

    // MARK: What it is

    public var name: String { profile.name }

    /// The service that has the characteristic.
    public var service: MutableService? { state.withLock(\.service) }

    public var properties: CBCharacteristicProperties { profile.properties }

    public var permissions: CBAttributePermissions { profile.permissions }

    /// Whether one of the properties is there.
    public func propertyEnabled(_ property: CBCharacteristicProperties) -> Bool { profile.propertyEnabled(property) }

    /// Whether one of the permissions is there.
    public func permissionEnabled(_ permission: CBAttributePermissions) -> Bool {
        profile.permissionEnabled(permission)
    }

    /// Whether centrals can be notified of the value.
    public var canNotify: Bool {
        propertyEnabled([.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    // MARK: Its value

    /// What centrals read. Setting it notifies no central; `update` does. Nil, and not to be set, until the service has
    /// been added to a manager.
    public var value: Data? {
        get { isConfigured ? state.withLock(\.value) : nil }
        set { if isConfigured { state.withLock { $0.value = newValue } } }
    }

    /// The value for people, as the profile has it.
    public var stringValue: [String: String]? { value.flatMap(profile.stringValue) }

    /// The texts that are allowed; none where there are too many to list.
    public var stringValues: [String] { profile.stringValues }

    /// A value from text; nil if the profile cannot parse it.
    public func data(fromString stringValue: [String: String]) -> Data? { profile.data(fromString: stringValue) }

    // MARK: Within the library

    var peripheralManager: PeripheralManager? { service?.peripheralManager }

    private var isConfigured: Bool { peripheralManager != nil }

    /// What CoreBluetooth knows it as.
    var published: CBMutableCharacteristic { state.withLock(\.published) }

    func join(_ service: MutableService) { state.withLock { $0.service = service } }

    /// CoreBluetooth takes its objects once only.
    func publishAnew() -> CBMutableCharacteristic {
        let new = CBMutableCharacteristic(type: uuid, properties: properties, value: nil, permissions: permissions)
        state.withLock { $0.published = new }
        forgetCentrals()
        return new
    }
}
