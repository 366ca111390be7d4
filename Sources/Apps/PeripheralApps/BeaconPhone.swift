public import BluethroatPeripheralFutures
import CoreBluetooth

/// A phone that is an iBeacon, as long as its app is on the screen.
public final class BeaconPhone {
    public let manager: PeripheralManager
    public let region: BeaconRegion
    /// Called when it is on the air, and when it cannot be.
    public var said: (Event) -> Void = { _ in }

    public enum Event: Sendable {
        case state(ManagerState)
        case advertising
        case failed(String)
    }

    private let power: Int?

    /// - Parameter power: the strength at one metre that it claims, in dBm; nil for the phone's own.
    public init(region: BeaconRegion, power: Int? = nil) {
        self.region = region
        self.power = power
        manager = PeripheralManager()
        let changes = manager.whenStateChanges()
        changes.onSuccess { [weak self] state in self?.changed(state) }
    }

    private func changed(_ state: ManagerState) {
        said(.state(state))
        guard state == .poweredOn, !manager.isAdvertising else { return }
        let started =
            power.map { manager.startAdvertising(region, measuredPower: $0) } ?? manager.startAdvertising(region)
        started.onSuccess { [weak self] in self?.said(.advertising) }
        started.onFailure { [weak self] error in self?.said(.failed(error.localizedDescription)) }
    }
}
