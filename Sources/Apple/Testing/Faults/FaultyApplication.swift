import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// Stands before the application of a device and lets go wrong what a test wants to: a machine like the application itself,
/// so that faults come at the same instants in each run, on a test's air as in real time.
final class FaultyApplication: HostApplication {
    let inner: any HostApplication
    private let device: DeviceID
    private let name: String
    private let seed: UInt64
    private let desk: FaultDesk
    private var counters: [FaultCounter] = []
    private var injections = 0
    private var identity: HostIdentity?
    private var connections: [ConnectionID] = []
    /// Connections that apps are to take for failed attempts.
    private var failing: [(id: ConnectionID, peer: DeviceAddress)] = []
    private var longWrites: [LongWrite] = []
    private var dues: [(instant: Instant, due: Due)] = []
    private var silences = 0

    /// What is to be done at an instant.
    private enum Due {
        case fault(LinkFault, ConnectionID)
        /// A fault that comes by the time alone, by its place.
        case time(Int)
        case endOfSilence
        case late(HostEvent, ConnectionID)
        /// A client has prepared a part of a value.
        case part(ConnectionHandle, AttributeHandle, offset: Int)
    }

    /// A long write that is under way, and the faults that wait for one of its parts.
    private struct LongWrite {
        let connection: ConnectionID
        let handle: AttributeHandle
        let faults: [(part: Int, index: Int)]
        var parts = 0
    }

    init(_ inner: any HostApplication, _ name: String, _ device: DeviceID, seed: UInt64, desk: FaultDesk) {
        self.inner = inner
        self.name = name
        self.device = device
        self.seed = seed
        self.desk = desk
    }

    // MARK: Faults

    /// Awaits faults from now on; the number of the injection.
    func inject(_ script: FaultScript, at now: Instant) -> Int {
        injections += 1
        for fault in script.faults {
            let place = counters.count
            let stream = UInt64(device.rawValue) << 32 | UInt64(place)
            let random = SeededRandom(seed: seed, device: stream, purpose: "fault")
            counters.append(FaultCounter(fault, injection: injections, random: random))
            if case .time(let span, _) = fault.kind { dues.append((now.advanced(by: span), .time(place))) }
        }
        return injections
    }

    /// Awaits those of an injection no longer. They keep their places, since what is under way refers to them.
    func end(_ injection: Int) {
        for index in counters.indices where counters[index].injection == injection { counters[index].hasEnded = true }
    }

    func counters(of injection: Int) -> [FaultCounter] { counters.filter { $0.injection == injection } }

    /// The faults that happen on an occasion, by their places.
    private func due(_ isMeant: (Fault.Kind) -> Bool) -> [Int] {
        counters.indices.filter { isMeant(counters[$0].fault.kind) && comes($0) }
    }

    private func comes(_ index: Int) -> Bool {
        guard counters[index].comes() else { return false }
        desk.note("fault of \(name): \(counters[index].fault)")
        return true
    }

    // MARK: HostApplication

    func start(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        inner.start(host: host, at: now, into: &actions)
    }

    var transmitPower: SignalStrength? { inner.transmitPower }

    func handle(_ event: HostEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn(let identity): self.identity = identity
        case .connected(let description):
            guard connected(description, host: host, at: now, into: &actions) else { return }
        case .disconnected(let id, let reason):
            connections.removeAll { $0 == id }
            longWrites.removeAll { $0.connection == id }
            if let index = failing.firstIndex(where: { $0.id == id }) {
                let attempt = HostEvent.connectFailed(failing.remove(at: index).peer, .refused(reason))
                return inner.handle(attempt, host: host, at: now, into: &actions)
            }
        case .server(.readRequested(let id, let connection, let handle, offset: 0)) where !counters.isEmpty:
            guard readRequested(event, id, connection, handle, host: host, at: now, into: &actions) else { return }
        case .server(.writeRequested(let id, let connection, let writes, _)) where !counters.isEmpty:
            longWrites.removeAll { $0.connection == connection }
            guard writeRequested(event, id, connection, writes, host: host, at: now, into: &actions) else { return }
        default: break
        }
        inner.handle(event, host: host, at: now, into: &actions)
    }

    var nextDeadline: Instant? {
        let own = dues.lazy.map(\.instant).min()
        guard let inners = inner.nextDeadline else { return own }
        return own.map { min($0, inners) } ?? inners
    }

    func expire(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        if let deadline = inner.nextDeadline, deadline <= now { inner.expire(host: host, at: now, into: &actions) }
        while let index = dues.firstIndex(where: { $0.instant <= now }) {
            switch dues.remove(at: index).due {
            case .time(let place):
                guard case .time(_, let fault) = counters[place].fault.kind, comes(place) else { continue }
                carryOut(fault, nil, host: host, at: now, into: &actions)
            case .fault(let fault, let connection):
                carryOut(fault, connection, host: host, at: now, into: &actions)
            case .endOfSilence:
                silences -= 1
                if silences == 0 { desk.setSilence(device, false) }
            case .late(let event, let connection):
                guard connections.contains(connection) else { continue }
                inner.handle(event, host: host, at: now, into: &actions)
            case .part(let connection, let handle, let offset):
                partPrepared(connection, handle, offset, host: host, at: now, into: &actions)
            }
        }
    }

    // MARK: Occasions

    /// False if the application is not to hear of it.
    private func connected(
        _ description: ConnectionDescription,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        connections.append(description.id)
        let isCaller = description.role == .central
        if isCaller {
            if desk.takeRefusal(description) {
                failing.append((description.id, description.peer))
                return false
            }
        } else {
            desk.connected(description, of: device)
        }
        var fails = false
        for index in due({ if case .connection = $0 { true } else { false } }) {
            guard case .connection(let fault) = counters[index].fault.kind else { continue }
            switch fault {
            case .fails: fails = true
            case .ends(let span): dues.append((now.advanced(by: span), .fault(.disconnect, description.id)))
            case .silence(let span): beSilent(for: span, at: now)
            }
        }
        guard fails else { return true }
        try? host.disconnect(description.id, at: now, into: &actions)
        if isCaller { failing.append((description.id, description.peer)) }
        if !isCaller { desk.refuse(description, of: device, identity) }
        return !isCaller
    }

    private func readRequested(
        _ event: HostEvent,
        _ id: RequestID,
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        let type = host.database.rows.first { $0.handle == handle }?.type
        let found = due { kind in
            switch kind {
            case .read(let uuid, _), .readReturns(let uuid, _): uuid == nil || uuid == type
            default: false
            }
        }
        // Of several the one that was injected first; all have had their turn.
        guard let first = found.first else { return true }
        switch counters[first].fault.kind {
        case .readReturns(_, let value):
            // A value answers a read: the host throws on nothing else.
            try? host.respond(to: id, with: .value(Array(value)), at: now, into: &actions)
            return false
        case .read(_, let fault):
            return goesOn(fault, event, id, connection, nil, host: host, at: now, into: &actions)
        default: return true
        }
    }

    private func writeRequested(
        _ event: HostEvent,
        _ id: RequestID,
        _ connection: ConnectionID,
        _ writes: [AttributeWrite],
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        let rows = host.database.rows
        let types = writes.map { write in rows.first { $0.handle == write.handle }?.type }
        let found = due { kind in
            if case .write(let uuid, _) = kind { uuid == nil || types.contains(uuid) } else { false }
        }
        guard let first = found.first, case .write(let uuid, let fault) = counters[first].fault.kind else {
            return true
        }
        let culprit = uuid.flatMap { uuid in zip(types, writes).first { $0.0 == uuid }?.1.handle }
        return goesOn(fault, event, id, connection, culprit, host: host, at: now, into: &actions)
    }

    /// Whether the application is to hear of a request all the same, now.
    private func goesOn(
        _ fault: RequestFault,
        _ event: HostEvent,
        _ id: RequestID,
        _ connection: ConnectionID,
        _ culprit: AttributeHandle?,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        switch fault {
        case .error(let code):
            let error = ATTError(rawValue: UInt8(truncatingIfNeeded: code.rawValue))
            host.refuse(id, error, culprit, at: now, into: &actions)
            return false
        case .noAnswer: return false
        case .late(let span):
            dues.append((now.advanced(by: span), .late(event, connection)))
            return false
        case .disconnect:
            carryOut(.disconnect, connection, host: host, at: now, into: &actions)
            return false
        case .silence(let span):
            beSilent(for: span, at: now)
            return true
        }
    }

    private func partPrepared(
        _ connectionHandle: ConnectionHandle,
        _ handle: AttributeHandle,
        _ offset: Int,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let connection = connections.first(where: { $0.handle == connectionHandle }) else { return }
        let known = longWrites.firstIndex { $0.connection == connection && $0.handle == handle }
        if known == nil || offset == 0 {
            if let known { longWrites.remove(at: known) }
            let type = host.database.rows.first { $0.handle == handle }?.type
            // Whether it is their turn is decided when the write begins; it happens, or does not, with one of its parts.
            var faults: [(part: Int, index: Int)] = []
            for index in counters.indices {
                guard case .longWrite(let uuid, let part, _) = counters[index].fault.kind, uuid == nil || uuid == type,
                    comes(index)
                else { continue }
                faults.append((part, index))
            }
            longWrites.append(LongWrite(connection: connection, handle: handle, faults: faults))
        }
        guard let place = longWrites.firstIndex(where: { $0.connection == connection && $0.handle == handle }) else {
            return
        }
        longWrites[place].parts += 1
        for (part, index) in longWrites[place].faults where part == longWrites[place].parts {
            guard case .longWrite(_, _, let fault) = counters[index].fault.kind else {
                continue
            }
            carryOut(fault, connection, host: host, at: now, into: &actions)
        }
    }

    /// A packet from the controller to the host, H4 byte first: a part of a long write is answered by the host alone.
    /// Core 6.0, Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1; Part F, 3.4.6.1.
    func observe(hci packet: [UInt8], at now: Instant) {
        let waits = counters.contains { if case .longWrite = $0.fault.kind { true } else { false } }
        guard waits, packet.count >= 14, packet[0] == 0x02, packet[2] >> 4 & 0b11 != 0b01 else { return }
        func word(_ place: Int) -> UInt16 { UInt16(packet[place]) | UInt16(packet[place + 1]) << 8 }
        // The ATT channel, and a Prepare Write Request on it.
        guard word(7) == 0x0004, packet[9] == 0x16, let connection = ConnectionHandle(rawValue: word(1) & 0x0FFF),
            let attribute = AttributeHandle(rawValue: word(10))
        else { return }
        dues.append((now, .part(connection, attribute, offset: Int(word(12)))))
    }

    // MARK: Effects

    private func carryOut(
        _ fault: LinkFault,
        _ connection: ConnectionID?,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch fault {
        case .disconnect:
            // One that has ended meanwhile is as it should be.
            for id in connection.map({ [$0] }) ?? connections { try? host.disconnect(id, at: now, into: &actions) }
        case .silence(let span): beSilent(for: span, at: now)
        }
    }

    private func beSilent(for span: Duration, at now: Instant) {
        silences += 1
        if silences == 1 { desk.setSilence(device, true) }
        dues.append((now.advanced(by: span), .endOfSilence))
    }
}
