import CoreBluetooth

/// An app that publishes L2CAP channels.
final class ChannelServer: NSObject, CBPeripheralManagerDelegate {
    private(set) var manager: CBPeripheralManager!
    private(set) var heard: [String] = [] { didSet { heard.last.map { onHeard?($0) } } }
    private let onHeard: ((String) -> Void)?
    private(set) var published: [CBL2CAPPSM] = []
    private(set) var errors: [any Error] = []
    private(set) var peers: [Correspondent] = []
    /// What is done with a channel; by default its streams are opened.
    var open: (CBL2CAPChannel) -> Correspondent? = { Correspondent($0) }
    private let encryption: [Bool]

    /// Publishes one service for each of these, with or without encryption, as soon as Bluetooth is on.
    init(
        _ environment: BluetoothEnvironment,
        encryption: [Bool] = [false],
        queue: DispatchQueue? = nil,
        onHeard: ((String) -> Void)? = nil
    ) {
        self.encryption = encryption
        self.onHeard = onHeard
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: queue, environment: environment)
    }

    var psm: CBL2CAPPSM { published.first ?? 0 }
    var peer: Correspondent? { peers.first }

    /// The app is gone as far as Bluetooth is concerned.
    func quit() { manager = nil }

    func forget() { peers = [] }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        heard.append("state \(peripheral.state.rawValue)")
        guard peripheral.state == .poweredOn, published.isEmpty else { return }
        for needed in encryption { peripheral.publishL2CAPChannel(withEncryption: needed) }
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFE0")]])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didPublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { published.append(PSM) }
        heard.append("published")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didUnpublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) {
        heard.append("unpublished \(PSM)")
        if let error { errors.append(error) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didOpen channel: CBL2CAPChannel?,
        error: (any Error)?
    ) {
        heard.append("opened")
        if let channel, let peer = open(channel) { peers.append(peer) }
    }
}

/// An app that finds a peripheral, connects, and opens channels to it.
final class ChannelClient: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var manager: CBCentralManager!
    private(set) var heard: [String] = [] { didSet { heard.last.map { onHeard?($0) } } }
    private let onHeard: ((String) -> Void)?
    private(set) var errors: [any Error] = []
    private(set) var peripheral: CBPeripheral?
    private(set) var peers: [Correspondent] = []
    var open: (CBL2CAPChannel) -> Correspondent? = { Correspondent($0) }

    init(_ environment: BluetoothEnvironment, queue: DispatchQueue? = nil, onHeard: ((String) -> Void)? = nil) {
        self.onHeard = onHeard
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue, environment: environment)
    }

    var peer: Correspondent? { peers.first }

    func quit() { manager = nil }

    func forget() { peers = [] }

    func count(_ what: String) -> Int { heard.count { $0 == what } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        heard.append("state \(central.state.rawValue)")
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "FFE0")]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        heard.append("connected")
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { heard.append("disconnected") }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        heard.append(channel == nil ? "refused" : "opened")
        if let error { errors.append(error) }
        if let channel, let peer = open(channel) { peers.append(peer) }
    }
}
