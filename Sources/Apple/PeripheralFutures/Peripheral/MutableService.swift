public import CoreBluetooth

/// A service that an app publishes.
///
/// It may be used on any thread. Its characteristics have to be there when it is added to a manager: what is published
/// is a copy.
public final class MutableService: @unchecked Sendable {
    private struct State {
        weak var manager: PeripheralManager?
        var published: CBMutableService
        var isFresh: Bool
        var characteristics: [MutableCharacteristic]
    }

    public let uuid: CBUUID
    private let profile: ServiceProfile
    private let state: Guarded<State>

    /// A primary service.
    public convenience init(profile: ServiceProfile) {
        let published = CBMutableService(type: profile.uuid, primary: true)
        self.init(published, isFresh: true, profile, [], manager: nil)
    }

    /// A primary service of which nothing but the UUID is known.
    public convenience init(uuid: String) { self.init(profile: ServiceProfile(uuid: uuid)) }

    private init(
        _ published: CBMutableService,
        isFresh: Bool,
        _ profile: ServiceProfile,
        _ characteristics: [MutableCharacteristic],
        manager: PeripheralManager?
    ) {
        uuid = profile.uuid
        self.profile = profile
        state = Guarded(
            State(manager: manager, published: published, isFresh: isFresh, characteristics: characteristics)
        )
    }

    /// A service that the system has kept while the app did not run.
    convenience init(restored: CBMutableService, manager: PeripheralManager) {
        let characteristics = (restored.characteristics ?? []).compactMap { $0 as? CBMutableCharacteristic }
        self.init(
            restored,
            isFresh: false,
            ServiceProfile(uuid: restored.uuid.uuidString),
            characteristics.map { MutableCharacteristic(restored: $0) },
            manager: manager
        )
        for characteristic in self.characteristics { characteristic.join(self) }
    }

    public var name: String { profile.name }

    /// Each belongs to this service from then on.
    public var characteristics: [MutableCharacteristic] {
        get { state.withLock(\.characteristics) }
        set {
            for characteristic in newValue { characteristic.join(self) }
            // Not under the lock: a characteristic that has an update asks its service under its own.
            let published = newValue.map(\.published)
            state.withLock { state in
                state.characteristics = newValue
                state.published.characteristics = published
            }
        }
    }

    /// One characteristic for each in the service's profile, in its order.
    public func characteristicsFromProfiles() {
        characteristics = MutableCharacteristic.withProfiles(profile.characteristics)
    }

    // MARK: Within the library

    /// The manager that it has been added to.
    var peripheralManager: PeripheralManager? { state.withLock(\.manager) }

    /// What CoreBluetooth knows it as.
    var published: CBMutableService { state.withLock(\.published) }

    /// It is added to a manager. CoreBluetooth takes each of its objects once only, so that from the second time on they
    /// are made anew.
    func enter(_ manager: PeripheralManager) -> CBMutableService {
        let (isFresh, characteristics) = state.withLock { state in
            defer { state.isFresh = false }
            state.manager = manager
            return (state.isFresh, state.characteristics)
        }
        if !isFresh {
            let new = CBMutableService(type: uuid, primary: published.isPrimary)
            new.characteristics = characteristics.map { $0.publishAnew() }
            state.withLock { $0.published = new }
        }
        return published
    }

    /// It is in no manager any more.
    func leave() {
        state.withLock { $0.manager = nil }
        forgetCentrals()
    }

    /// No central is connected any more.
    func forgetCentrals() { for characteristic in characteristics { characteristic.forgetCentrals() } }
}
