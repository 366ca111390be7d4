import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// What the orders of GATT do between two whole hosts; what they mean on the air is tested without hosts.
@Suite("Orders of GATT")
struct HostGATTOrdersTests {
    private var pair: HostPair
    private let connection: (central: ConnectionID, peripheral: ConnectionID)

    init() throws {
        pair = HostPair()
        _ = try pair.order(\.peripheral) { host, now, actions throws(DatabaseError) in
            try host.addServices(SampleDatabase.services, at: now, into: &actions)
        }
        connection = try pair.connect()
        pair.central.events = []
        pair.peripheral.events = []
    }

    private mutating func run(
        _ order: (Host, ConnectionID, Instant, inout HostActions) throws -> ProcedureID
    ) throws -> ProcedureResult? {
        let central = connection.central
        let id = try pair.order(\.central) { host, now, actions in try order(host, central, now, &actions) }
        for case .client(.procedureCompleted(id, central, let result)) in pair.takeEvents(\.central) { return result }
        return nil
    }

    private mutating func serverEvents() -> [GATTServerEvent] {
        pair.takeEvents(\.peripheral).compactMap { if case .server(let event) = $0 { event } else { nil } }
    }

    private mutating func heard() -> [HandleValue] {
        pair.takeEvents(\.central).compactMap {
            guard case .client(.notificationReceived(_, let handle, let value, _)) = $0 else { return nil }
            return HandleValue(handle: handle.rawValue, value: value)
        }
    }

    @Test("Each discovery finds its part")
    mutating func discovery() throws {
        let expected = SampleDatabase.make.discoverable
        #expect(try run { try $0.discoverAll($1, at: $2, into: &$3) } == .database(expected))
        let service = try #require(expected.service(0xA000))
        let found = RemoteService(uuid: 0xA000, handles: service.handles)
        #expect(try run { try $0.discoverServices($1, uuid: 0xA000, at: $2, into: &$3) } == .services([found]))
        let including = try #require(expected.service(SampleDatabase.longUUID))
        #expect(
            try run { try $0.discoverIncludes($1, in: including.handles, at: $2, into: &$3) }
                == .includes(including.includes)
        )
        var characteristic = try #require(service.characteristic(0xA007))
        #expect(
            try run { try $0.discoverDescriptors($1, of: characteristic, at: $2, into: &$3) }
                == .descriptors(characteristic.descriptors)
        )
        characteristic.descriptors = []
        #expect(
            try run { try $0.discoverCharacteristics($1, in: service.handles, uuid: 0xA007, at: $2, into: &$3) }
                == .characteristics([characteristic])
        )
    }

    @Test("Each read reads")
    mutating func reading() throws {
        #expect(try run { try $0.read($1, 0x0014, at: $2, into: &$3) } == .value(SampleDatabase.longValue))
        #expect(
            try run { try $0.readByUUID($1, 0xA004, at: $2, into: &$3) }
                == .values([HandleValue(handle: 0x0018, value: [0x44, 0x45])])
        )
        #expect(
            try run { try $0.readMultiple($1, [0x0012, 0x0018], withLengths: false, at: $2, into: &$3) }
                == .value([1, 0x44, 0x45])
        )
        #expect(
            try run { try $0.readMultiple($1, [0x0012, 0x0018], withLengths: true, at: $2, into: &$3) }
                == .values([HandleValue(handle: 0x0012, value: [1]), HandleValue(handle: 0x0018, value: [0x44, 0x45])])
        )
    }

    @Test("Each write writes, and the server tells of it")
    mutating func writing() throws {
        let peer = connection.peripheral
        #expect(try run { try $0.write([9], $1, 0x0012, at: $2, into: &$3) } == .written)
        #expect(serverEvents() == [.valueWritten(peer, 0x0012, [9])])
        let writes = [
            AttributeWrite(handle: 0x0012, value: [8]), AttributeWrite(handle: 0x0028, offset: 2, value: [7]),
        ]
        #expect(try run { try $0.reliableWrite(writes, $1, at: $2, into: &$3) } == .written)
        #expect(serverEvents() == [.valueWritten(peer, 0x0012, [8]), .valueWritten(peer, 0x0028, [1, 2, 7, 4])])
        let central = connection.central
        let wasSent = try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.writeCommand([1, 2], central, 0x0016, at: now, into: &actions)
        }
        #expect(wasSent)
        #expect(serverEvents() == [.valueWritten(peer, 0x0016, [1, 2])])
    }

    @Test("The application is asked, and its answer is the client's")
    mutating func application() throws {
        #expect(try run { try $0.read($1, 0x0021, at: $2, into: &$3) } == nil)
        guard case .readRequested(let request, _, 0x0021, offset: 0) = serverEvents().first else {
            Issue.record("no request")
            return
        }
        #expect(request.connection == connection.peripheral)
        try pair.order(\.peripheral) { host, now, actions in
            try host.respond(to: request, with: .value([1, 2, 3]), at: now, into: &actions)
        }
        #expect(HostPairTests.results(pair.takeEvents(\.central)) == [.value([1, 2, 3])])
    }

    @Test("An answer of the wrong kind is refused with an error, and the client gets the right one")
    mutating func wrongAnswer() throws {
        #expect(try run { try $0.read($1, 0x0021, at: $2, into: &$3) } == nil)
        guard case .readRequested(let request, _, _, _) = serverEvents().first else {
            Issue.record("no request")
            return
        }
        #expect(throws: OrderError.wrongAnswer) {
            try pair.order(\.peripheral) { host, now, actions throws(OrderError) in
                try host.respond(to: request, with: .written, at: now, into: &actions)
            }
        }
        pair.order(\.peripheral) { host, now, actions in
            host.refuse(request, .insufficientResources, at: now, into: &actions)
        }
        let refused = ProcedureError.refused(.insufficientResources, request: .readRequest, handle: 0x0021)
        #expect(HostPairTests.results(pair.takeEvents(\.central)) == [.failed(refused)])
    }

    @Test(
        "A reliable write at an offset that no value has is refused, however great",
        arguments: [-1, 513, Int.max, .min]
    )
    mutating func offsets(_ offset: Int) {
        let central = connection.central
        #expect(throws: OrderError.valueTooLong) {
            try pair.order(\.central) { host, now, actions throws(OrderError) in
                let write = AttributeWrite(handle: 0x0021, offset: offset, value: [1])
                _ = try host.reliableWrite([write], central, at: now, into: &actions)
            }
        }
    }

    @Test("Notifications and indications reach who subscribed, until they unsubscribe")
    mutating func subscribing() throws {
        let characteristic = try #require(SampleDatabase.make.discoverable.characteristic(0xA007))
        let peer = connection.peripheral
        #expect(
            try run { try $0.subscribe($1, to: characteristic, [.notifications, .indications], at: $2, into: &$3) }
                == .written
        )
        #expect(serverEvents() == [.subscriptionChanged(peer, 0x001E, [.notifications, .indications])])
        #expect(pair.peripheral.host.subscription(of: peer, to: 0x001E) == [.notifications, .indications])
        pair.order(\.peripheral) { host, now, actions in
            #expect(host.notify([1], handle: 0x001E, at: now, into: &actions))
            #expect(host.notify([2], handle: 0x001E, to: peer, at: now, into: &actions))
            #expect(host.notifyMultiple([HandleValue(handle: 0x001E, value: [3])], to: peer, at: now, into: &actions))
            #expect(host.indicate([4], handle: 0x001E, at: now, into: &actions))
            #expect(host.indicate([5], handle: 0x001E, to: peer, at: now, into: &actions))
            // Nobody wants this one, and that is no failure.
            #expect(host.notify([6], handle: 0x0025, at: now, into: &actions))
        }
        #expect(heard() == (1...5).map { HandleValue(handle: 0x001E, value: [UInt8($0)]) })
        #expect(serverEvents() == [.indicationConfirmed(peer, 0x001E), .indicationConfirmed(peer, 0x001E)])

        #expect(try run { try $0.unsubscribe($1, from: characteristic, at: $2, into: &$3) } == .written)
        pair.order(\.peripheral) { host, now, actions in
            host.notify([1], handle: 0x001E, at: now, into: &actions)
            host.indicate([1], handle: 0x001E, at: now, into: &actions)
        }
        #expect(heard() == [])
    }

    @Test("A host that has just asked for the longest PDU is told to wait with its notifications, and when to go on")
    mutating func notifyDuringExchange() throws {
        let characteristic = try #require(SampleDatabase.make.discoverable.characteristic(0xA007))
        _ = try run { try $0.subscribe($1, to: characteristic, .notifications, at: $2, into: &$3) }
        let peer = connection.peripheral
        pair.peripheral.events = []
        try pair.order(\.peripheral) { host, now, actions throws(OrderError) in
            _ = try host.exchangeMTU(peer, at: now, into: &actions)
            #expect(!host.notify([1], handle: 0x001E, at: now, into: &actions))
        }
        #expect(pair.takeEvents(\.peripheral).names.contains("readyToSend"))
        #expect(pair.peripheral.host.mtu(of: peer) == 517)
        pair.order(\.peripheral) { host, now, actions in
            #expect(host.notify([1], handle: 0x001E, at: now, into: &actions))
        }
        #expect(heard() == [HandleValue(handle: 0x001E, value: [1])])
    }

    @Test("A client is told when the database changes, and finds what is new")
    mutating func changingDatabase() throws {
        let changed = try #require(SampleDatabase.make.discoverable.characteristic(.serviceChanged))
        _ = try run { try $0.subscribe($1, to: changed, .indications, at: $2, into: &$3) }
        let added = try pair.order(\.peripheral) { host, now, actions throws(DatabaseError) in
            try host.addServices([ServiceDefinition(0x7777)], at: now, into: &actions)
        }
        #expect(heard() == [HandleValue(handle: 0x0003, value: [0x69, 0, 0x69, 0])])
        let database = pair.peripheral.host.database.discoverable
        #expect(database.service(0x7777)?.handles == added.first?.range)
        #expect(try run { try $0.discoverAll($1, at: $2, into: &$3) } == .database(database))
        try pair.order(\.peripheral) { host, now, actions throws(DatabaseError) in
            try host.removeService(at: 0x0069, at: now, into: &actions)
        }
        #expect(heard().count == 1)
        #expect(pair.peripheral.host.database.rows == SampleDatabase.make.rows)
    }

    @Test("What waits to be indicated of a service that is removed is not sent, whatever has its handles then")
    mutating func removedService() throws {
        let value = try #require(SampleDatabase.make.discoverable.characteristic(0xA007))
        _ = try run { try $0.subscribe($1, to: value, .indications, at: $2, into: &$3) }
        try pair.order(\.peripheral) { host, now, actions throws(DatabaseError) in
            for number: UInt8 in 1...3 { _ = host.indicate([number], handle: 0x001E, at: now, into: &actions) }
            try host.removeService(at: 0x0010, at: now, into: &actions)
            _ = try host.addServices([SampleDatabase.services[1]], at: now, into: &actions)
        }
        #expect(heard() == [HandleValue(handle: 0x001E, value: [1])])
        // And nobody has subscribed to what is there now.
        pair.order(\.peripheral) { host, now, actions in
            _ = host.indicate([4], handle: 0x001E, at: now, into: &actions)
        }
        #expect(heard().isEmpty)
    }

    @Test("Stored values are the application's to see and to set")
    mutating func values() throws {
        try pair.peripheral.host.setValue([7, 8], of: 0x0018)
        #expect(pair.peripheral.host.value(of: 0x0018) == [7, 8])
        #expect(try run { try $0.read($1, 0x0018, at: $2, into: &$3) } == .value([7, 8]))
        #expect(throws: DatabaseError.noSuchAttribute(0x1234)) {
            try pair.peripheral.host.setValue([], of: 0x1234)
        }
        #expect(throws: DatabaseError.valueTooLong(0x0018)) {
            try pair.peripheral.host.setValue([UInt8](repeating: 0, count: 513), of: 0x0018)
        }
    }

    @Test("A client that the application trusts gets what needs authorization")
    mutating func authorization() throws {
        let refusal = ProcedureError.refused(.insufficientAuthorization, request: .readRequest, handle: 0x001C)
        #expect(try run { try $0.read($1, 0x001C, at: $2, into: &$3) } == .failed(refusal))
        pair.peripheral.host.authorize(connection.peripheral)
        #expect(try run { try $0.read($1, 0x001C, at: $2, into: &$3) } == .value([0x66]))
    }

    @Test("What a client has set can be carried over to its next connection")
    mutating func bonds() throws {
        let characteristic = try #require(SampleDatabase.make.discoverable.characteristic(0xA007))
        _ = try run { try $0.subscribe($1, to: characteristic, .notifications, at: $2, into: &$3) }
        let record = try #require(pair.peripheral.host.clientRecord(of: connection.peripheral))
        pair.loseConnection()
        pair.order(\.central) { _, _, _ in }
        #expect(pair.peripheral.host.clientRecord(of: connection.peripheral) == nil)
        pair.central.events = []
        pair.peripheral.events = []
        let next = try pair.connect()
        #expect(pair.peripheral.host.subscription(of: next.peripheral, to: 0x001E) == [])
        pair.order(\.peripheral) { host, now, actions in
            host.restore(record, of: next.peripheral, at: now, into: &actions)
            host.notify([1], handle: 0x001E, at: now, into: &actions)
        }
        #expect(heard() == [HandleValue(handle: 0x001E, value: [1])])
    }

    @Test("Orders that cannot be are refused, and nothing happens")
    mutating func refusals() throws {
        let long = [UInt8](repeating: 0, count: 513)
        let quiet = try #require(SampleDatabase.make.discoverable.characteristic(0xA004))
        func refusal(_ order: (Host, ConnectionID, Instant, inout HostActions) throws(OrderError) -> ProcedureID)
            -> OrderError?
        {
            do throws(OrderError) {
                var actions = HostActions()
                _ = try order(pair.central.host, connection.central, pair.now, &actions)
                #expect(actions.packets.isEmpty && actions.events.isEmpty)
                return nil
            } catch {
                return error
            }
        }
        typealias Order = (Host, ConnectionID, Instant, inout HostActions) throws(OrderError) -> ProcedureID
        let tooLong: Order = { host, id, now, actions throws(OrderError) in
            try host.write(long, id, 0x0014, at: now, into: &actions)
        }
        let tooLongReliable: Order = { host, id, now, actions throws(OrderError) in
            let write = AttributeWrite(handle: 0x0014, offset: 500, value: [UInt8](repeating: 0, count: 13))
            return try host.reliableWrite([write], id, at: now, into: &actions)
        }
        let tooFew: Order = { host, id, now, actions throws(OrderError) in
            try host.readMultiple(id, [0x0012], withLengths: true, at: now, into: &actions)
        }
        let tooMany: Order = { host, id, now, actions throws(OrderError) in
            let handles = [AttributeHandle](repeating: 0x0012, count: 12)
            return try host.readMultiple(id, handles, withLengths: false, at: now, into: &actions)
        }
        let unconfigured: Order = { host, id, now, actions throws(OrderError) in
            try host.subscribe(id, to: quiet, .notifications, at: now, into: &actions)
        }
        let gone: Order = { host, _, now, actions throws(OrderError) in
            try host.read(ServerBench.connection(0, generation: 99), 0x0012, at: now, into: &actions)
        }
        #expect(refusal(tooLong) == .valueTooLong)
        #expect(refusal(tooLongReliable) == .valueTooLong)
        #expect(refusal(tooFew) == .wrongNumberOfHandles)
        #expect(refusal(tooMany) == .wrongNumberOfHandles)
        #expect(refusal(unconfigured) == .noClientConfiguration)
        #expect(refusal(gone) == .noSuchConnection)
        let central = connection.central
        #expect(throws: OrderError.valueTooLong) {
            try pair.order(\.central) { host, now, actions throws(OrderError) in
                try host.writeCommand([UInt8](repeating: 0, count: 21), central, 0x0016, at: now, into: &actions)
            }
        }
    }

    @Test("Write commands fill the queue and are told when it has room again")
    mutating func fullQueue() throws {
        let central = connection.central
        var sent = 0
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            while try host.writeCommand([1], central, 0x0016, at: now, into: &actions), sent < 1_000 { sent += 1 }
        }
        #expect(sent > 4 && sent < 1_000)
        #expect(pair.takeEvents(\.central).names == ["readyToSend"])
        #expect(serverEvents().count == sent)
    }
}
