import CoreBluetooth

/// An app that publishes a service: it sends bytes to whoever subscribes, and collects what is written.
///
/// Its manager's queue is the only one that it runs on.
final class PublishingPeer: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    private let plan: Plan
    private let tell: Story
    private var manager: CBPeripheralManager!
    private var outgoing = CBMutableCharacteristic(
        type: Names.outgoing,
        properties: [.notify],
        value: nil,
        permissions: [.readable]
    )
    private let incoming = CBMutableCharacteristic(
        type: Names.incoming,
        properties: [.write, .writeWithoutResponse],
        value: nil,
        permissions: [.writeable]
    )
    private let secret = CBMutableCharacteristic(
        type: Names.secret,
        properties: [.read],
        value: Names.secretValue,
        permissions: [.readEncryptionRequired]
    )
    /// What has to be sent yet, and to whom.
    private var rest = Data()
    private var central: CBCentral?
    private var received = Data()
    private var end: ChannelEnd?
    private var isRestored = false

    init(_ plan: Plan, queue: DispatchQueue?, tell: @escaping Story) {
        self.plan = plan
        self.tell = tell
        super.init()
        let options = plan.restoreIdentifier.map { [CBPeripheralManagerOptionRestoreIdentifierKey: $0] }
        manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let advertised = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any] ?? [:]
        let all = services.flatMap { $0.characteristics ?? [] }.compactMap { $0 as? CBMutableCharacteristic }
        if let kept = all.first(where: { $0.uuid == Names.outgoing }) { outgoing = kept }
        isRestored = !services.isEmpty
        tell(
            "restored",
            [
                "services": services.map(\.uuid.uuidString), "characteristics": all.map(\.uuid.uuidString),
                "name": advertised[CBAdvertisementDataLocalNameKey] as? String ?? "",
            ]
        )
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        tell("state", ["state": peripheral.state.rawValue])
        guard peripheral.state == .poweredOn, !isRestored else { return }
        if plan.usesChannel { peripheral.publishL2CAPChannel(withEncryption: false) } else { publish(by: peripheral) }
    }

    /// By the manager that has called: on a queue of its own it may do so before the property has it.
    private func publish(by manager: CBPeripheralManager, _ more: CBMutableCharacteristic...) {
        let service = CBMutableService(type: Names.service, primary: true)
        service.characteristics = [outgoing, incoming, secret] + more
        manager.add(service)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didPublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) {
        if let error { return tell("failed", ["error": "\(error)"]) }
        let value = Data([UInt8(truncatingIfNeeded: PSM), UInt8(PSM >> 8)])
        let psm = CBMutableCharacteristic(type: Names.psm, properties: .read, value: value, permissions: .readable)
        publish(by: peripheral, psm)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return tell("failed", ["error": "\(error.map { "\($0)" } ?? "no channel")"]) }
        end = ChannelEnd(channel, plan, closesFirst: true, tell: tell)
        end?.begin()
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        if let error { return tell("failed", ["error": "\(error)"]) }
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: plan.name, CBAdvertisementDataServiceUUIDsKey: [Names.service],
        ])
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if let error { return tell("failed", ["error": "\(error)"]) }
        tell("advertising", [:])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        tell("subscribed", ["chunk": central.maximumUpdateValueLength])
        self.central = central
        rest = Payload.bytes(plan.bytes)
        send()
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        tell("unsubscribed", [:])
        rest = Data()
        received = Data()
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { send() }

    private func send() {
        guard let central else { return }
        while !rest.isEmpty {
            let chunk = rest.prefix(central.maximumUpdateValueLength)
            guard manager.updateValue(Data(chunk), for: outgoing, onSubscribedCentrals: [central]) else { return }
            rest = Data(rest.dropFirst(chunk.count))
            if rest.isEmpty { tell("sent", ["bytes": plan.bytes]) }
        }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { received += request.value ?? Data() }
        peripheral.respond(to: requests[0], withResult: .success)
        guard received.count >= plan.bytes else { return }
        tell("received", ["bytes": received.count, "intact": received == Payload.bytes(plan.bytes)])
        received = Data()
    }
}
