import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

// Finding desks.
extension LoginPhone {
    /// For about four seconds, while its person does something else.
    func fillRegistry() {
        guard screen.isBluetoothOn else { return }
        registryTimer?.cancel()
        screen.isScanning = true
        registryTimer = clock.once(after: Self.registrySeconds) { [weak self] in
            self?.screen.isScanning = false
            self?.lookAround()
        }
        lookAround()
    }

    func search(_ identifier: DeskIdentifier) {
        screen.page = .searching(identifier)
        searchTimer?.cancel()
        searchTimer = clock.once(after: Self.searchSeconds) { [weak self] in
            guard let self, screen.page == .searching(identifier) else { return }
            showNotFound(identifier)
        }
        lookAround()
    }

    private var watchesNearness: Bool {
        screen.settings.loginByNearness && screen.page == .start && !screen.buttons.isEmpty
    }

    /// Scans if a search, a screen or the nearness needs it.
    func lookAround() {
        guard screen.isBluetoothOn else { return }
        var isSearching = reach.isLooking
        if case .searching = screen.page { isSearching = true }
        guard screen.isScanning || isSearching || watchesNearness else {
            if manager.isScanning { manager.stopScan() }
            return
        }
        // A scan that goes on is not disturbed, unless strengths are wanted anew and anew.
        let wantsAll = isSearching || watchesNearness
        guard !manager.isScanning || wantsAll else { return }
        manager.scanForPeripherals(
            withServices: [LoginProfile.service],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: wantsAll]
        )
    }

    private func noteStrength(_ identifier: DeskIdentifier, _ dBm: Int) {
        guard watchesNearness, screen.buttons.contains(identifier), !lockedByPerson.contains(identifier) else { return }
        let change = nearness[identifier, default: Nearness(screen.settings)].take(dBm, at: clock.now)
        if change == .cameNear { choose(identifier, byNearness: true) }
    }
}

extension LoginPhone: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        screen.isBluetoothOn = central.state == .poweredOn
        if screen.isBluetoothOn { return fillRegistry() }
        registryTimer?.cancel()
        searchTimer?.cancel()
        reachTimer?.cancel()
        reach.isLooking = false
        screen.isScanning = false
        // What was found belongs to a radio that is off.
        registry.clear()
        screen.registry = []
        guard screen.page != .locked else { return }
        visit?.close()
        visit = nil
        screen.notice = "Bluetooth is not on"
        toStart()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
        guard let identifier = DeskIdentifier(advertisedName: name), rssi.intValue < 20 else { return }
        registry.note(identifier, peripheral, rssi.intValue, at: clock.now)
        screen.registry = registry.identifiers
        if screen.page == .searching(identifier) {
            searchTimer?.cancel()
            return proceed(to: identifier)
        }
        foundAgain(identifier)
        noteStrength(identifier, rssi.intValue)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        guard let visit, visit.peripheral === peripheral else { return }
        linked(visit)
        peripheral.discoverServices([LoginProfile.service])
    }

    public func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) { lost(peripheral) }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { lost(peripheral) }
}
