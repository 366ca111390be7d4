import BluethroatAppEnvironment
import BluethroatMoneyTerms
import CoreBluetooth
import Foundation

/// The central of MoneyDrop: finds recipients, and delivers receipts to them.
final class Sender: NSObject {
    static let restoreIdentifier = "MoneyDrop sender"

    var changed: () -> Void = {}
    private(set) var isLooking = false
    /// Whether the air is left to a photo.
    var isQuiet = false {
        didSet {
            guard isQuiet != oldValue, isLooking, manager.state == .poweredOn else { return }
            if isQuiet { manager.stopScan() } else { scan() }
        }
    }
    /// In the order in which they were found.
    private(set) var encounters: [Encounter] = []

    private let keeper: WalletKeeper
    private let clock: AppClock
    private let settings: MoneyDropSettings
    private var manager: CBCentralManager!
    /// Those that are whole. A recipient may have another one each time, so that they do not all stay.
    private let photos = MemoryPhotos()
    /// How much has come of long photos since the app began.
    private(set) var longBytesFetched: UInt64 = 0

    init(_ keeper: WalletKeeper, clock: AppClock, settings: MoneyDropSettings, queue: DispatchQueue?) {
        self.keeper = keeper
        self.clock = clock
        self.settings = settings
        super.init()
        let options: [String: Any]? =
            settings.isRestored ? [CBCentralManagerOptionRestoreIdentifierKey: Self.restoreIdentifier] : nil
        manager = CBCentralManager(delegate: self, queue: queue, options: options)
    }

    var state: CBManagerState { manager.state }
    var bankKey: BankKey? { keeper.wallet.account?.bankKey }

    func end() {
        manager.delegate = nil
        for encounter in encounters { encounter.end() }
    }

    // MARK: Looking around

    func look(_ isLooking: Bool) {
        guard self.isLooking != isLooking else { return }
        self.isLooking = isLooking
        guard manager.state == .poweredOn else { return }
        if isLooking {
            scan()
        } else {
            manager.stopScan()
        }
        for encounter in encounters { callOrLeave(encounter) }
    }

    private func scan() {
        if !isQuiet { manager.scanForPeripherals(withServices: [MoneyDropUUIDs.service]) }
    }

    private func encounter(_ peripheral: CBPeripheral) -> Encounter {
        if let known = encounters.first(where: { $0.peripheral === peripheral }) { return known }
        // One that is known by another object is left over from before Bluetooth was reset.
        encounters.removeAll { $0.peripheral.identifier == peripheral.identifier }
        makeRoom()
        let new = Encounter(peripheral, clock: clock, settings: settings)
        new.owner = self
        encounters.append(new)
        return new
    }

    /// At the limit of phones that have not said who they are, and of those that have and are gone, the first of them is given
    /// up: one radio can change its address without end, and must not fill this phone's memory.
    private func makeRoom() {
        let idle = encounters.filter { $0.peripheral.state != .connected && nextDelivery(to: $0) == nil }
        let unknown = idle.filter { $0.token == nil }, gone = idle.filter { $0.token != nil }
        if unknown.count >= settings.mostUnknown, let first = unknown.first { forget(first) }
        if gone.count >= settings.mostGone, let first = gone.first { forget(first) }
    }

    private func forget(_ encounter: Encounter) {
        encounters.removeAll { $0 === encounter }
        encounter.end()
        manager.cancelPeripheralConnection(encounter.peripheral)
    }

    /// A phone is connected to while the user looks around, or while there is a receipt to deliver.
    private func callOrLeave(_ encounter: Encounter) {
        let isWanted = isLooking || nextDelivery(to: encounter) != nil
        switch (encounter.peripheral.state, isWanted) {
        case (.disconnected, true): if !encounter.hasLostPairing { manager.connect(encounter.peripheral) }
        case (.connected, false), (.connecting, false): manager.cancelPeripheralConnection(encounter.peripheral)
        default: break
        }
    }

    // MARK: For encounters

    func encounterChanged() { changed() }

    /// A phone that was not to be called may be called again.
    func mayBeCalled(_ encounter: Encounter) {
        // Otherwise it is called when Bluetooth is on.
        if manager.state == .poweredOn { callOrLeave(encounter) }
    }

    func hangUp(_ encounter: Encounter) { manager.cancelPeripheralConnection(encounter.peripheral) }

    func photo(_ description: PhotoDescription) -> Data? {
        let bytes = photos.load(description)
        return UInt64(bytes.count) == description.length ? bytes : nil
    }

    func keep(_ photo: Data, _ description: PhotoDescription) { photos.write(photo, at: 0, of: description) }

    func fetched(_ count: Int, of photo: PhotoDescription) { if photo.isLong { longBytesFetched += UInt64(count) } }

    // MARK: Receipts

    /// The oldest receipt that this phone has not had.
    func nextDelivery(to encounter: Encounter) -> (transfer: UUID, receipt: Data)? {
        for outgoing in keeper.wallet.outgoing {
            guard case .paid(let receipt) = outgoing.state else { continue }
            // A phone may have another identifier in another run; the phone that shows the details that were paid to is
            // right.
            let isRight =
                outgoing.peripheral == encounter.peripheral.identifier
                || outgoing.order.token == encounter.token?.bytes
            if isRight { return (outgoing.id, receipt) }
        }
        return nil
    }

    /// Delivers all open receipts, each as soon as its recipient is there.
    func deliver() {
        guard manager.state == .poweredOn else { return }
        let wanted = keeper.wallet.outgoing.filter { if case .paid = $0.state { true } else { false } }.map(
            \.peripheral
        )
        let unknown = wanted.filter { id in !encounters.contains { $0.peripheral.identifier == id } }
        for peripheral in manager.retrievePeripherals(withIdentifiers: unknown) { _ = encounter(peripheral) }
        for encounter in encounters where nextDelivery(to: encounter) != nil {
            if encounter.peripheral.state == .connected { encounter.deliver() } else { callOrLeave(encounter) }
        }
    }

    func isTold(_ transfer: UUID) { close(transfer, .told) }

    func isUntold(_ transfer: UUID, _ why: String) { close(transfer, .untold(because: why)) }

    private func close(_ transfer: UUID, _ state: OutgoingTransfer.State) {
        keeper.set(transfer, state)
        guard !isLooking else { return }
        for encounter in encounters { callOrLeave(encounter) }
    }
}

extension Sender: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        defer { changed() }
        guard central.state == .poweredOn else {
            for encounter in encounters { encounter.disconnected() }
            // Below off the system has forgotten all peripherals.
            if central.state.rawValue < CBManagerState.poweredOff.rawValue { encounters = [] }
            return
        }
        if isLooking { scan() }
        for encounter in encounters {
            // Restored with its connection.
            if encounter.peripheral.state == .connected { encounter.connected() } else { callOrLeave(encounter) }
        }
        deliver()
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        for peripheral in peripherals { _ = encounter(peripheral) }
        isLooking = dict[CBCentralManagerRestoredStateScanServicesKey] != nil
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let found = encounter(peripheral)
        found.heard(rssi: RSSI.intValue)
        callOrLeave(found)
        changed()
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        encounters.first { $0.peripheral === peripheral }?.connected()
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        callAgain(peripheral)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        let encounter = encounters.first { $0.peripheral === peripheral }
        encounter?.disconnected()
        if (error as? CBError)?.code == .peerRemovedPairingInformation { encounter?.pairingIsLost() }
        callAgain(peripheral)
    }

    /// Not at once, so that a phone that rejects us is not called without end.
    private func callAgain(_ peripheral: CBPeripheral) {
        _ = clock.once(after: 0.2) { [weak self] in
            guard let self, manager.state == .poweredOn else { return }
            encounters.first { $0.peripheral === peripheral }.map { self.callOrLeave($0) }
        }
    }
}
