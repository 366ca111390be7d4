import BluethroatHost
import BluethroatSimulation

extension World {
    /// The device's host scans, unless it is busy.
    func scan(_ id: DeviceID) {
        perform(on: id) { host, now, actions in try? host.startScanning(at: now, into: &actions) }
    }
}
