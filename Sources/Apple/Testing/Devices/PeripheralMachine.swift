import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import CoreBluetooth

/// What runs in a simulated peripheral.
final class PeripheralMachine: HostApplication {
    /// A characteristic and what has become of it.
    struct Slot {
        var definition: SimulatedCharacteristic
        let service: AttributeHandle
        let handle: AttributeHandle
        var subscribers: [ConnectionID] = []
        var writes: [Data] = []
        var readCount = 0
        var refusal: ATTError?

        var uuid: BluetoothUUID { definition.uuid.bluetoothUUID }
    }

    let name: String
    weak var peripheral: SimulatedPeripheral?
    var advertisement: SimulatedAdvertisement
    var responseDelay: Duration? = .zero
    var connectionParameters: SimulatedConnectionParameters?
    private(set) var connections: [ConnectionID] = []
    private(set) var connectionCount = 0
    private(set) var isAdvertising = false
    private(set) var slots: [Slot] = []
    private var places: [(uuid: BluetoothUUID, handle: AttributeHandle)] = []
    var channels = SimulatedChannels()
    var updates = OutgoingUpdates()
    private let firstServices: [SimulatedService]
    private var wantsToAdvertise = true
    private var isOn = true

    init(name: String, _ services: [SimulatedService], _ advertisement: SimulatedAdvertisement) {
        self.name = name
        firstServices = services
        self.advertisement = advertisement
    }

    // MARK: The table

    func slot(_ uuid: some UUIDConvertible) -> Slot { slots[index(of: uuid.bluetoothUUID)] }

    func change(_ uuid: some UUIDConvertible, _ body: (inout Slot) -> Void) {
        body(&slots[index(of: uuid.bluetoothUUID)])
    }

    func change(at index: Int, _ body: (inout Slot) -> Void) { body(&slots[index]) }

    func index(of uuid: BluetoothUUID) -> Int {
        guard let index = slots.firstIndex(where: { $0.uuid == uuid }) else {
            preconditionFailure("\(name) has no characteristic \(uuid)")
        }
        return index
    }

    func add(_ services: [SimulatedService], host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        do {
            let handles = try host.addServices(services.map(\.definition), at: now, into: &actions)
            for (service, place) in zip(services, handles) {
                places.append((service.uuid.bluetoothUUID, place.range.lowerBound))
                for (characteristic, handle) in zip(service.characteristics, place.characteristics) {
                    slots.append(
                        Slot(definition: characteristic, service: place.range.lowerBound, handle: handle.value)
                    )
                }
            }
        } catch {
            preconditionFailure("\(name) cannot have these services: \(error)")
        }
    }

    func removeService(_ uuid: BluetoothUUID, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard let index = places.firstIndex(where: { $0.uuid == uuid }) else {
            preconditionFailure("\(name) has no service \(uuid)")
        }
        let handle = places.remove(at: index).handle
        slots.removeAll { $0.service == handle }
        try? host.removeService(at: handle, at: now, into: &actions)
    }

    // MARK: Advertising

    func startAdvertising(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        wantsToAdvertise = true
        guard isOn, !isAdvertising else { return }
        let (data, scanResponse) = advertisement.blocks(ownName: name)
        let parameters = advertisement.parameters(hasScanResponse: !scanResponse.structures.isEmpty)
        try? host.startAdvertising(parameters, data: data, scanResponse: scanResponse, at: now, into: &actions)
    }

    func stopAdvertising(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        wantsToAdvertise = false
        try? host.stopAdvertising(at: now, into: &actions)
    }

    func restartAdvertising(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard isAdvertising else { return }
        // Starts anew with the event that says that the old one has ended.
        try? host.stopAdvertising(at: now, into: &actions)
    }

    // MARK: Power

    func switchOff(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        isOn = false
        host.powerOff(at: now, into: &actions)
    }

    func switchOn(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard !isOn else { return }
        isOn = true
        host.powerOn(at: now, into: &actions)
    }

    /// The device is gone, and its host with it: nobody says that the connections have ended.
    func leave() {
        wantsToAdvertise = false
        isAdvertising = false
        connections = []
        updates.dropAll()
        for index in slots.indices { slots[index].subscribers = [] }
        channels.closeAll()
    }

    // MARK: HostApplication

    func start(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        let own: [ServiceDefinition] = [.genericAccess(name: name), .genericAttribute]
        _ = try? host.addServices(own, at: now, into: &actions)
        add(firstServices, host: host, at: now, into: &actions)
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: advertiseIfWanted(host: host, at: now, into: &actions)
        case .advertisingStarted: isAdvertising = true
        case .advertisingEnded(let end):
            isAdvertising = false
            // A connection ends it, too; then it begins again when that is over.
            if end == .stopped { advertiseIfWanted(host: host, at: now, into: &actions) }
        case .connected(let description):
            connections.append(description.id)
            connectionCount += 1
            requestParameters(on: description.id)
        case .disconnected(let connection, _):
            connections.removeAll { $0 == connection }
            updates.drop(connection)
            for index in slots.indices where slots[index].subscribers.contains(connection) {
                slots[index].subscribers.removeAll { $0 == connection }
                peripheral?.subscriptionsChanged(of: slots[index].definition.uuid)
            }
            advertiseIfWanted(host: host, at: now, into: &actions)
        case .readyToSend: updates.sendOn(host: host, at: now, into: &actions)
        case .server(let event): handle(event, host: host, at: now, into: &actions)
        case .channel(let event): handle(event, host: host, at: now, into: &actions)
        default: break
        }
    }

    private func requestParameters(on connection: ConnectionID) {
        guard let connectionParameters else { return }
        peripheral?.after(connectionParameters.delay) { [weak peripheral] in
            // Without effect if the connection is over by then.
            peripheral?.perform { host, now, actions in
                try? host.updateParameters(connection, connectionParameters.range, at: now, into: &actions)
            }
        }
    }

    private func advertiseIfWanted(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        if wantsToAdvertise { startAdvertising(host: host, at: now, into: &actions) }
    }

    var nextDeadline: Instant? { nil }

    func expire(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {}
}
