import CoreBluetooth
import Foundation

/// Finds out when a central disconnects, and why; a peripheral manager gets no such event.
///
/// A central that is connected to the phone is a peripheral too: a central manager of the same app knows it by the same
/// identifier. Connecting to it shares the link that there is, and then the app hears of its end as any central does.
final class CentralWatch: NSObject, CBCentralManagerDelegate {
    /// A central that was not watched yet has shown up.
    var found: () -> Void = {}
    /// A central that was watched is gone; out of reach, or because one of the two wanted it.
    var lost: (_ central: UUID, _ isOutOfReach: Bool) -> Void = { _, _ in }

    private let manager: CBCentralManager
    private var watched: [CBPeripheral] = []

    init(queue: DispatchQueue?) {
        manager = CBCentralManager(delegate: nil, queue: queue)
        super.init()
        manager.delegate = self
    }

    func watch(_ central: CBCentral) {
        guard !watched.contains(where: { $0.identifier == central.identifier }),
            let peer = manager.retrievePeripherals(withIdentifiers: [central.identifier]).first
        else { return }
        watched.append(peer)
        found()
        manager.connect(peer)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        // What was connected is not any more.
        guard central.state != .poweredOn else { return }
        let gone = watched
        watched = []
        for peer in gone { lost(peer.identifier, false) }
    }

    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peer: CBPeripheral, error: (any Error)?) {
        // A link that ended by a MIC failure was not ended by either side.
        let code = (error as? CBError)?.code
        forget(peer, isOutOfReach: code == .connectionTimeout || code == .encryptionTimedOut)
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peer: CBPeripheral, error: (any Error)?) {
        forget(peer, isOutOfReach: false)
    }

    private func forget(_ peer: CBPeripheral, isOutOfReach: Bool) {
        guard let index = watched.firstIndex(where: { $0.identifier == peer.identifier }) else { return }
        watched.remove(at: index)
        lost(peer.identifier, isOutOfReach)
    }
}
