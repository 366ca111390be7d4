public import CoreBluetooth
private import Synchronization

/// The kinds of services that an app knows.
public final class ProfileManager: Sendable {
    private let profiles = Mutex<[ServiceProfile]>([])

    public init() {}

    public var services: [CBUUID: ServiceProfile] { Dictionary(all.map { ($0.uuid, $0) }) { $1 } }

    /// In the order in which they were added.
    public var all: [ServiceProfile] { profiles.withLock { $0 } }

    /// Takes the place of one with the same UUID.
    public func addService(_ profile: ServiceProfile) {
        profiles.withLock { $0.put(profile) { $0.uuid == profile.uuid } }
    }
}
