import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A central and a peripheral, a metre apart, each a host on a controller on the air of a world.
struct Pair {
    let world: World
    let central = Central()
    let peripheral: Peripheral
    private let centralID: DeviceID
    private let peripheralID: DeviceID

    /// - Parameters:
    ///   - longPackets: Whether the hosts ask for Link Layer payloads of 251 bytes, as they do unless told otherwise.
    ///   - le2M: Whether the central asks for LE 2M.
    ///   - mtu: The longest ATT PDU of both.
    ///   - resolvingList: Whether the hosts tell their controllers about bonded peers, as they do unless told otherwise.
    ///   - metres: How far away from everything else.
    init(
        in world: World = World(seed: 1),
        services: [ServiceDefinition] = ValueTable.services(size: 20),
        longPackets: Bool = true,
        le2M: Bool = false,
        mtu: Int = 517,
        resolvingList: Bool = true,
        metres: Double = 0
    ) {
        self.world = world
        // The shortest advertising interval, 20 ms, as in bumble_pair.py.
        let advertising = AdvertisingParameters(interval: AdvertisingInterval(steps: 32)!)
        peripheral = Peripheral(services: services, advertising: advertising)
        func configuration(_ number: Int) -> HostConfiguration {
            var configuration = HostConfiguration(seed: world.seed, device: UInt64(number))
            configuration.asksForLongPackets = longPackets
            configuration.maximumATTMTU = mtu
            configuration.privacy.usesResolvingList = resolvingList
            return configuration
        }
        let count = world.deviceIDs.count
        var fast = configuration(count)
        fast.asksForLE2M = le2M
        centralID = world.addDevice(
            named: "central",
            host: fast,
            at: .metres(x: metres),
            application: central
        )
        peripheralID = world.addDevice(
            named: "peripheral",
            host: configuration(count + 1),
            at: .metres(x: metres, y: 1),
            application: peripheral
        )
    }

    var peripheralAddress: DeviceAddress { world.publicAddress(of: peripheralID)! }

    /// Gives the central an order.
    func tellCentral<Result>(
        _ order: (Host, Instant, inout HostActions) throws(OrderError) -> Result
    ) throws(OrderError) {
        try world.perform(on: centralID, order)
    }

    func begin(_ work: Central.Work) {
        world.perform(on: centralID) { host, now, actions in
            central.begin(work, host: host, at: now, into: &actions)
        }
    }

    func beginNotifying(_ handle: AttributeHandle, _ value: [UInt8]) {
        world.perform(on: peripheralID) { host, now, actions in
            peripheral.notify(handle, value, host: host, at: now, into: &actions)
        }
    }

    /// Orders a connection, with the parameters hosts agree on unless told otherwise.
    func beginConnecting() throws(OrderError) {
        try tellCentral { host, now, actions throws(OrderError) in
            try host.connect(to: peripheralAddress, at: now, into: &actions)
        }
    }

    /// Connects, and lets the two Link Layers come to terms.
    func connect() throws {
        try beginConnecting()
        guard world.run(for: .seconds(10), until: { central.connection != nil && peripheral.connection != nil }) else {
            throw BenchError("no connection")
        }
        world.run(for: .seconds(2))
    }

    /// Opens a channel to the peripheral, on which the central sends without end.
    func beginSending() throws {
        guard let connection = central.connection?.id else { throw BenchError("not connected") }
        world.perform(on: peripheralID) { host, _, _ in peripheral.listen(host: host) }
        guard let service = peripheral.channelService else { throw BenchError("no number for a service") }
        try tellCentral { host, now, actions throws(OrderError) in
            _ = try host.openChannel(connection, to: service, at: now, into: &actions)
        }
    }

    /// Pairs with LE Secure Connections, which encrypts the link.
    func encrypt() throws {
        guard let connection = central.connection?.id else { throw BenchError("not connected") }
        try world.perform(on: centralID) { host, now, actions throws(PairingOrderError) in
            try host.pair(connection, at: now, into: &actions)
        }
        guard world.run(for: .seconds(30), until: { central.pairing != nil }) else {
            throw BenchError("not encrypted: \(central.failure ?? "no answer")")
        }
    }

    /// Gives the central an order that begins a procedure, and waits for what comes of it.
    func result(of order: (Host, ConnectionID, Instant, inout HostActions) throws(OrderError) -> ProcedureID) throws
        -> ProcedureResult
    {
        guard let connection = central.connection?.id else { throw BenchError("not connected") }
        let before = central.results
        try tellCentral { host, now, actions throws(OrderError) in
            _ = try order(host, connection, now, &actions)
        }
        guard world.run(for: .seconds(60), until: { central.results > before }), let result = central.result else {
            throw BenchError("no answer")
        }
        return result
    }

    /// Exchanges MTUs, and finds all there is.
    func discover() throws -> RemoteDatabase {
        _ = try result { host, connection, now, actions throws(OrderError) in
            try host.exchangeMTU(connection, at: now, into: &actions)
        }
        let found = try result { host, connection, now, actions throws(OrderError) in
            try host.discoverAll(connection, at: now, into: &actions)
        }
        guard case .database(let database) = found else { throw BenchError("nothing discovered: \(found)") }
        return database
    }

    /// How often a second `count` goes up while the world runs.
    func rate(_ effort: Effort, of count: () -> Int) throws -> Double {
        let rate = effort.bestRate {
            world.run(for: .seconds(1))
        } count: {
            Double(count())
        }
        if let failure = central.failure { throw BenchError(failure) }
        return rate
    }
}
