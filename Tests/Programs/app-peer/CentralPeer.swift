import CoreBluetooth

/// An app that looks for the publisher's service, and passes bytes both ways.
///
/// Its manager's queue is the only one that it runs on.
final class CentralPeer: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private let plan: Plan
    private let tell: Story
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?
    private var rest = Data()
    private var received = Data()
    private var incoming: CBCharacteristic?
    private var secret: CBCharacteristic?
    private var psm: CBCharacteristic?
    private var end: ChannelEnd?
    private let queue: DispatchQueue
    /// What has to happen before it is done.
    private var open: Set<String>

    init(_ plan: Plan, queue: DispatchQueue?, tell: @escaping Story) {
        self.plan = plan
        self.tell = tell
        self.queue = queue ?? .main
        open = ["sent", "received"]
        if plan.usesChannel { open.insert("channel") }
        if plan.readsSecret { open.insert("secret") }
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        tell("state", ["state": central.state.rawValue])
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [Names.service]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? ""
        tell("discovered", ["name": name, "identifier": peripheral.identifier.uuidString])
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        tell("connected", [:])
        peripheral.delegate = self
        peripheral.discoverServices([Names.service])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        let details: [String: Any]? = error.map { ["error": "\($0)", "code": ($0 as NSError).code] }
        tell("disconnected", details ?? [:])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first else { return tell("failed", ["error": "no service"]) }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        let found = service.characteristics ?? []
        incoming = found.first { $0.uuid == Names.incoming }
        secret = found.first { $0.uuid == Names.secret }
        psm = found.first { $0.uuid == Names.psm }
        guard let outgoing = found.first(where: { $0.uuid == Names.outgoing }), incoming != nil else {
            return tell("failed", ["error": "no characteristics"])
        }
        tell("discoveredCharacteristics", ["count": found.count])
        peripheral.setNotifyValue(true, for: outgoing)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return tell("failed", ["error": "\(error)"]) }
        tell("subscribed", ["chunk": peripheral.maximumWriteValueLength(for: .withoutResponse)])
        rest = Payload.bytes(plan.bytes)
        send()
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { send() }

    /// The last chunk asks for a response, so that all have arrived when it comes.
    private func send() {
        guard let peripheral, let incoming else { return }
        while !rest.isEmpty, peripheral.canSendWriteWithoutResponse {
            let chunk = rest.prefix(peripheral.maximumWriteValueLength(for: .withoutResponse))
            rest = Data(rest.dropFirst(chunk.count))
            peripheral.writeValue(Data(chunk), for: incoming, type: rest.isEmpty ? .withResponse : .withoutResponse)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let error { return tell("failed", ["error": "\(error)"]) }
        did("sent", ["bytes": plan.bytes])
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let error { return tell("failed", ["error": "\(error)"]) }
        let value = characteristic.value ?? Data()
        if characteristic.uuid == Names.secret {
            return did("secret", ["value": String(decoding: value, as: UTF8.self)])
        }
        if characteristic.uuid == Names.psm, value.count == 2 {
            return peripheral.openL2CAPChannel(CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8)
        }
        received += value
        guard received.count >= plan.bytes else { return }
        did("received", ["bytes": received.count, "intact": received == Payload.bytes(plan.bytes)])
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return tell("failed", ["error": "\(error.map { "\($0)" } ?? "no channel")"]) }
        end = ChannelEnd(channel, plan, closesFirst: false) { event, details in
            let details = Unshared(details)
            self.queue.async { self.did(event, details.value) }
        }
        end?.begin()
    }

    /// One thing less to do: first the values, then the channel, the secret last.
    private func did(_ what: String, _ details: [String: Any]) {
        tell(what, details)
        guard open.remove(what) != nil else { return }
        if open.contains("channel"), open.isSubset(of: ["channel", "secret"]), let psm {
            peripheral?.readValue(for: psm)
        }
        if open == ["secret"], let secret { peripheral?.readValue(for: secret) }
        if open.isEmpty { tell("done", [:]) }
    }
}

/// Carries a value to the only other queue that uses it.
private struct Unshared<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
