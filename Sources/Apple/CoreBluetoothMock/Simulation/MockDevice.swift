import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// What runs in a simulated peripheral, on its host.
///
/// It belongs to the thread of the world. Apps' threads ask `table`, `status` and the constants only.
final class MockDevice: HostApplication, @unchecked Sendable {
    /// What a device says to a connection.
    enum Verdict {
        /// No central is connected, as far as the device knows.
        case none
        case accepted
        case refused(any Error)
    }

    /// What apps' threads may know.
    struct Status {
        var connectionCount = 0
        var verdict = Verdict.none
        /// How many connections the device has accepted so far.
        var acceptedCount = 0
        /// Why the last connection was refused, until an app has been told.
        var refusal: (any Error)?
        /// Called once with the next verdict.
        var waiting: [(Verdict) -> Void] = []
        /// How often other services were wanted.
        var changeCount = 0
        /// What apps are told of the next end of a connection that they did not want.
        var end: (any Error)?
    }

    let spec: CBMPeripheralSpec
    /// Under which identifier apps know the device. Its address does not change, and so this does not.
    let identifier: UUID
    let address: DeviceAddress
    let table = HandleTable()
    let status = Locked(Status())
    weak var simulation: MockSimulation?
    /// The device in its world, from when it has been put there.
    var id: DeviceID?
    /// Whether another app is still to connect.
    var awaitsOtherApp = false

    var connections: [ConnectionID] = []
    var subscribers: [AttributeHandle: [ConnectionID]] = [:]
    var updates = OutgoingUpdates()
    /// The L2CAP channels that are open, in the order in which they were opened.
    let channels = Locked<[CBML2CAPChannelMock]>([])
    /// What the delegate sends while it is asked to write. Nil if it is not.
    let held = Locked<[(value: Data, characteristic: CBMCharacteristicMock)]?>(nil)
    /// The values of which parts are being read.
    var longReads: [ConnectionID: (handle: AttributeHandle, value: Data)] = [:]
    /// Generic Access, with the Device Name, and where changes of the table are indicated.
    private var access: ServiceHandles?
    private var serviceChanged: AttributeHandle?
    /// How often the device has asked for its pace on the present connection.
    private var paceRequests = 0
    private(set) var plan = AdvertisingPlan()
    private var advertised: AdvertisingPlan.Turn?
    private var turnEnd: Instant?
    private var isEnding = false
    private var isUp = false
    /// A controller that is connected may take no more connections.
    private var mayInvite = true

    private static let mostPaceRequests = 5

    init(_ spec: CBMPeripheralSpec, identifier: UUID, address: DeviceAddress, of simulation: MockSimulation) {
        self.spec = spec
        self.identifier = identifier
        self.address = address
        self.simulation = simulation
    }

    /// Calls the delegate of the specification where it finds this simulation.
    @discardableResult
    func ask<Answer>(_ body: (any CBMPeripheralSpecDelegate) -> Answer) -> Answer? {
        guard let delegate = spec.connectionDelegate, let simulation else { return nil }
        return simulation.home.call { body(delegate) }
    }

    // MARK: The table

    func addOwnServices(name: String, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        let own: [ServiceDefinition] = [.genericAccess(name: name), .genericAttribute]
        let handles = try? host.addServices(own, at: now, into: &actions)
        access = handles?.first
        serviceChanged = handles?.last?.characteristics.first?.value
    }

    /// Has another Device Name, and indicates that something in its service has changed.
    func rename(_ name: String, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard let access, let place = access.characteristics.first?.value, let serviceChanged else { return }
        try? host.setValue(Array(name.utf8.prefix(248)), of: place)
        // The first and the last handle. Core 6.0, Vol 3, Part G, 7.1.
        var range: [UInt8] = []
        for handle in [access.range.lowerBound.rawValue, access.range.upperBound.rawValue] {
            range += [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)]
        }
        _ = host.indicate(range, handle: serviceChanged, at: now, into: &actions)
    }

    /// Has these services and no others; those that are there already stay where they are.
    func setServices(
        _ services: [CBMServiceMock],
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let wanted = services.withIncluded
        for old in table.services where !wanted.contains(where: { $0 === old }) {
            for characteristic in old.mockCharacteristics {
                if let handle = table.handle(of: characteristic) { subscribers[handle] = nil }
                characteristic.isNotifying = false
            }
            guard let handle = table.remove(old) else { continue }
            try? host.removeService(at: handle, at: now, into: &actions)
        }
        let there = table.services
        let new = wanted.filter { service in !there.contains { $0 === service } }
        guard !new.isEmpty else { return }
        let definitions = new.map { service in
            ServiceDefinition(service, isOnlyIncluded: !services.contains { $0 === service })
        }
        do {
            let handles = try host.addServices(definitions, at: now, into: &actions)
            for (service, place) in zip(new, handles) { table.add(service, at: place) }
        } catch {
            MockLog.warn("\(spec.name ?? "a peripheral") cannot have these services: \(error)")
        }
    }

    // MARK: Advertising

    /// Advertises what the simulation says, from the beginning.
    func advertiseAnew(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        let configs = simulation?.state(of: spec).advertisement ?? []
        plan = AdvertisingPlan(configs, at: now)
        let isInviting = configs.contains { AdvertisementContent($0.data).isConnectable && $0.delay <= 0 }
        if awaitsOtherApp, !isInviting { plan.addInvitation(at: now) }
        let leftOut = plan.leftOut
        if !leftOut.isEmpty {
            let keys = Set(leftOut).sorted().joined(separator: ", ")
            MockLog.warn(
                "\(spec.name ?? "a peripheral") advertises more than the 62 bytes of an advertisement and a scan response: "
                    + "\(keys) is not sent, or not all of it"
            )
        }
        endTurn(host: host, at: now, into: &actions)
        advertise(host: host, at: now, into: &actions)
    }

    private func endTurn(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard advertised != nil, !isEnding else { return }
        isEnding = true
        do { try host.stopAdvertising(at: now, into: &actions) } catch {
            // Nothing was on the air.
            advertised = nil
            isEnding = false
        }
    }

    /// Goes on with the plan.
    private func advertise(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard isUp else { return }
        if let advertised {
            // What is on the air ends with its turn, and with a connection for which it is not meant.
            let isOver = turnEnd.map { $0 <= now } ?? false
            if isOver || !connections.isEmpty && !advertised.isForConnected {
                endTurn(host: host, at: now, into: &actions)
            }
            return
        }
        guard let turn = plan.next(at: now, isConnected: !connections.isEmpty) else { return }
        let content = turn.content
        // Without a delegate nobody would answer.
        let isInviting = content.isConnectable && mayInvite && spec.connectionDelegate != nil
        let parameters = AdvertisingParameters(
            isInviting
                ? .connectable : content.scanResponse.structures.isEmpty ? .nonConnectable : .scannable,
            interval: turn.interval
        )
        advertised = turn
        turnEnd = turn.length.map { now.after($0) }
        do {
            try host.startAdvertising(
                parameters,
                data: content.advertisement,
                scanResponse: content.scanResponse,
                at: now,
                into: &actions
            )
        } catch {
            advertised = nil
            turnEnd = now.after(.seconds(1))
        }
    }

    // MARK: HostApplication

    func start(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        let state = simulation?.state(of: spec)
        addOwnServices(name: state?.name ?? "", host: host, at: now, into: &actions)
        setServices(state?.services ?? [], host: host, at: now, into: &actions)
        listen(host: host)
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn:
            isUp = true
            advertiseAnew(host: host, at: now, into: &actions)
        case .advertisingStarted:
            turnEnd = advertised?.length.map { now.after($0) }
        case .advertisingEnded(let end):
            advertised = nil
            turnEnd = nil
            isEnding = false
            switch end {
            case .refused:
                mayInvite = connections.isEmpty
                turnEnd = now.after(.milliseconds(100))
            case .controllerFailed: break
            // `connected` follows.
            case .connected: return
            default: break
            }
            if turnEnd == nil { advertise(host: host, at: now, into: &actions) }
        case .connected(let description):
            connected(description.id, host: host, at: now, into: &actions)
        case .disconnected(let connection, let reason):
            disconnected(connection, reason, host: host, at: now, into: &actions)
        case .parameterUpdateCompleted(let connection, let result):
            // Another procedure may have been under way.
            guard result != .accepted, paceRequests < Self.mostPaceRequests else { return }
            paceRequests += 1
            simulation?.requestParameters(of: self, on: connection, after: .milliseconds(500))
        case .readyToSend: updates.sendOn(host: host, at: now, into: &actions)
        case .server(let event): handle(event, host: host, at: now, into: &actions)
        case .channel(let event): handle(event, host: host, at: now, into: &actions)
        case .security(.pairing(.comparisonRequested(let connection, _))):
            // The digits on the device are those on the phone, of which the test decides.
            try? host.answer(.agree, on: connection, at: now, into: &actions)
        default: break
        }
    }

    var nextDeadline: Instant? {
        guard isUp else { return nil }
        if let turnEnd { return isEnding ? nil : turnEnd }
        return advertised == nil ? plan.nextDue(isConnected: !connections.isEmpty) : nil
    }

    func expire(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        if advertised == nil { turnEnd = nil }
        advertise(host: host, at: now, into: &actions)
    }

    /// The radio is switched off: whoever is connected hears nothing any more.
    func goSilent(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        isUp = false
        host.powerOff(at: now, into: &actions)
        advertised = nil
        turnEnd = nil
        isEnding = false
    }

    // MARK: Connections

    private func connected(
        _ connection: ConnectionID,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        connections.append(connection)
        table.forgetFaults()
        let answer = ask { $0.peripheralDidReceiveConnectionRequest(spec) } ?? .success(())
        var verdict = Verdict.accepted
        if case .failure(let error) = answer {
            verdict = .refused(error)
            try? host.disconnect(connection, at: now, into: &actions)
        } else {
            paceRequests = 1
            simulation?.requestParameters(of: self, on: connection, after: .milliseconds(50))
        }
        let waiting = status.withLock { status in
            status.connectionCount = connections.count
            status.verdict = verdict
            status.end = nil
            status.refusal = nil
            switch verdict {
            case .refused(let error): status.refusal = error
            case .accepted: status.acceptedCount += 1
            case .none: break
            }
            defer { status.waiting = [] }
            return status.waiting
        }
        if case .accepted = verdict { simulation?.connectionBegan(of: self) }
        for action in waiting { action(verdict) }
        if awaitsOtherApp {
            awaitsOtherApp = false
            advertiseAnew(host: host, at: now, into: &actions)
        } else {
            advertise(host: host, at: now, into: &actions)
        }
    }

    private func disconnected(
        _ connection: ConnectionID,
        _ reason: ControllerError,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        connections.removeAll { $0 == connection }
        updates.drop(connection)
        longReads[connection] = nil
        for handle in subscribers.keys.sorted() { subscribe(connection, to: handle, false) }
        let old = status.withLock { status in
            let old = status
            status.connectionCount = connections.count
            if connections.isEmpty { status.verdict = .none }
            return old
        }
        mayInvite = true
        if case .accepted = old.verdict {
            let isWanted = reason == .remoteUserTerminatedConnection && old.end == nil
            let error = old.end ?? CBMError(reason == .connectionTimeout ? .connectionTimeout : .peripheralDisconnected)
            ask { $0.peripheral(spec, didDisconnect: isWanted ? nil : error) }
        }
        if connections.isEmpty { simulation?.connectionsEnded(of: self) }
        advertise(host: host, at: now, into: &actions)
    }

    /// A connection has subscribed to a value, or no longer wants it.
    func subscribe(_ connection: ConnectionID, to handle: AttributeHandle, _ isOn: Bool) {
        var list = subscribers[handle] ?? []
        list.removeAll { $0 == connection }
        if isOn { list.append(connection) }
        subscribers[handle] = list.isEmpty ? nil : list
        (table.attribute(handle.rawValue) as? CBMCharacteristicMock)?.isNotifying = !list.isEmpty
    }
}

extension [CBMServiceMock] {
    /// These, and those that they include, each once.
    fileprivate var withIncluded: [CBMServiceMock] {
        var all: [CBMServiceMock] = []
        var open = self
        while !open.isEmpty {
            let service = open.removeFirst()
            guard !all.contains(where: { $0 === service }) else { continue }
            all.append(service)
            open += service.mockIncludedServices
        }
        return all
    }
}
