public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// The screen `GATT Client` of the text sample: it looks for a server, connects, shows what it sends, and writes to it.
///
/// It lives on one queue or thread: that on which its manager and its clock call it and fingers reach it.
public final class TextClient: NSObject, TextScreen {
    /// The navigation bar's title.
    public static let title = "GATT Client"

    /// How text goes over the air.
    public enum Mode: Hashable, Sendable {
        /// In packets without header, as in the original.
        case raw
        /// In the framed mode.
        case framed
    }

    public internal(set) var pad = TextPad() {
        didSet { changed?() }
    }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?
    public private(set) var state = CBManagerState.unknown
    public var isScanning: Bool { manager.isScanning }
    /// The server that was found last.
    public private(set) var found: CBPeripheral?
    public var isConnected: Bool { found?.state == .connected }
    /// How text goes now; nil until that is settled after connecting.
    public internal(set) var mode: Mode? {
        didSet { if mode != oldValue { changed?() } }
    }

    /// How long a server without a name is not accepted, in seconds: the name may still be received.
    private static let patienceForName: TimeInterval = 3

    let usesFramedMode: Bool
    let clock: AppClock
    let random: RandomBytes
    private let manager: CBCentralManager
    private var nameless: CBPeripheral?
    var transfer: CBCharacteristic?
    var framed: CBCharacteristic?
    var outbox = RawOutbox()
    var pipe: FramedPipe?
    var pieces = TextPieces()
    /// Texts that were sent before it was settled how.
    var early: [String] = []

    /// - Parameters:
    ///   - usesFramedMode: whether a server that has the framed mode is spoken to in it.
    ///   - callbacks: where the manager calls; nil is the main queue.
    public init(
        usesFramedMode: Bool = true,
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock,
        random: RandomBytes = .system
    ) {
        self.usesFramedMode = usesFramedMode
        self.clock = clock
        self.random = random
        manager = CBCentralManager(delegate: nil, queue: callbacks)
        super.init()
        manager.delegate = self
    }
}

// What people do with it.
extension TextClient {
    /// `Search`: until a server is found, however long that takes.
    public func search() {
        guard state == .poweredOn, !manager.isScanning else { return }
        nameless = nil
        manager.scanForPeripherals(
            withServices: [TextProfile.service],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: false]
        )
        changed?()
    }

    /// `Connect`: to the server that was found last.
    public func connect() {
        guard state == .poweredOn, let found, found.state != .connected, found.state != .connecting else { return }
        manager.connect(found)
    }

    /// `Disconnect`, and what happens when the screen is left.
    public func disconnect() {
        guard let found, found.state == .connected || found.state == .connecting else { return }
        manager.cancelPeripheralConnection(found)
        pad.log("Disconnected: \(found.state == .disconnected ? "YES" : "NO")")
    }

    public func change(_ change: (inout TextPad) -> Void) { change(&pad) }

    /// Sends a text to the server, after those that are under way. Nothing is sent without a connection.
    public func send(_ text: String) {
        guard isConnected, !text.isEmpty else { return }
        switch mode {
        case nil:
            let bytes = early.reduce(0) { $0 + $1.utf8.count }
            if FramedPipe.hasRoom(for: text.utf8.count, behind: early.count, of: bytes) {
                early.append(text)
            } else {
                pad.log(FramedPipe.Failure.full.line)
            }
        case .raw: if !outbox.add(Data(text.utf8)) { pad.log(FramedPipe.Failure.full.line) }
        case .framed:
            pipe?.send(Data(text.utf8)) { [weak self] failure in
                if let failure { self?.pad.log(failure.line) }
                self?.showProgress()
            }
        }
        drain()
    }
}

extension TextClient: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        state = central.state
        pad.log(Self.sentence(of: central))
        guard state != .poweredOn else { return }
        settle(nil)
        if state.rawValue < CBManagerState.poweredOff.rawValue { found = nil }
    }

    private static func sentence(of manager: CBCentralManager) -> String {
        switch manager.state {
        case .poweredOn: "GATT client started ..."
        case .poweredOff: "CBManager is powered off"
        case .resetting: "CBManager is resetting"
        case .unsupported: "Bluetooth is not supported on this device"
        case .unauthorized:
            switch CBManager.authorization {
            case .denied: "You are not authorized to use Bluetooth"
            case .restricted: "Bluetooth is restricted"
            default: "Unexpected authorization"
            }
        case .unknown: "CBManager state is unknown"
        @unknown default: "CBManager state is unknown"
        }
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
        guard let name else {
            // The original waits for a name for ever.
            nameless = nameless ?? peripheral
            _ = clock.once(after: Self.patienceForName) { [weak self] in
                guard let self, manager.isScanning, let nameless else { return }
                take(nameless, name: "(none)", rssi: rssi, advertisementData)
            }
            return
        }
        take(peripheral, name: name, rssi: rssi, advertisementData)
    }

    private func take(_ peripheral: CBPeripheral, name: String, rssi: NSNumber, _ data: [String: Any]) {
        pad.log("Name:\(name) RSSI:\(rssi) UUID:\(peripheral.identifier.uuidString)")
        let pairs = data.map { "\($0) = \($1)" }.sorted().joined(separator: ", ")
        pad.log("Advertisment data: \(pairs.replacingOccurrences(of: "\n", with: " "))")
        // One that is still connected and no longer meant.
        if let found, found.identifier != peripheral.identifier { manager.cancelPeripheralConnection(found) }
        found = peripheral
        manager.stopScan()
        pad.log("Scan stopped")
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        pad.log("Connected: \(peripheral.name ?? "(none)")")
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    public func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        pad.log("Disconnected: \(error.map { "YES, \($0.localizedDescription)" } ?? "YES")")
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        guard peripheral == found else { return }
        settle(nil)
        pad.log("Disconnected: \(peripheral.state == .disconnected ? "YES" : "NO")")
    }
}
