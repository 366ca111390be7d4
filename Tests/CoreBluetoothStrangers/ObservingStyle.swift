// In the manner of apps that watch properties instead of waiting for the delegate.
import CoreBluetooth

final class ObservingStyle: NSObject, @unchecked Sendable {
    var scanning: [Bool] = []
    var states: [CBPeripheralState] = []
    private var observed: NSKeyValueObservation?
    private var observations: Set<NSKeyValueObservation> = []

    func watch(_ manager: CBCentralManager) {
        observed = manager.observe(\.isScanning, options: [.old, .new]) { [weak self] _, change in
            if let isScanning = change.newValue, isScanning != change.oldValue { self?.scanning.append(isScanning) }
        }
    }

    func watch(_ peripheral: CBPeripheral) {
        observations.insert(
            peripheral.observe(\CBPeripheral.state, options: .initial) { [weak self] peripheral, change in
                self?.states.append(peripheral.state)
            }
        )
    }

    func stopWatching() {
        observed?.invalidate()
        observed = nil
        for observation in observations { observation.invalidate() }
        observations.removeAll()
    }
}

/// From before there were locks in Swift.
func synchronized<Result>(_ object: AnyObject, _ body: () throws -> Result) rethrows -> Result {
    objc_sync_enter(object)
    defer { objc_sync_exit(object) }
    return try body()
}
