import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Pairing, encryption and bonds on the air")
struct SecureWorldTests {
    static func settings(
        _ inputOutput: IOCapability = .noInputNoOutput,
        _ secureConnections: PairingSettings.SecureConnections = .preferred
    ) -> PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = inputOutput
        settings.secureConnections = secureConnections
        return settings
    }

    /// One way to pair.
    struct Way: Sendable, CustomTestStringConvertible {
        var capabilities: [IOCapability]
        var kind: PairingSettings.SecureConnections
        var method: PairingMethod
        var testDescription: String { "\(method) \(kind)" }
    }

    static let ways: [Way] =
        [.never, .only].flatMap { kind in
            [
                Way(capabilities: [.noInputNoOutput, .noInputNoOutput], kind: kind, method: .justWorks),
                Way(
                    capabilities: [.keyboardOnly, .displayOnly],
                    kind: kind,
                    method: .passkeyEntry(shownBy: .peripheral)
                ),
                Way(capabilities: [.displayOnly, .keyboardOnly], kind: kind, method: .passkeyEntry(shownBy: .central)),
                Way(capabilities: [.keyboardOnly, .keyboardOnly], kind: kind, method: .passkeyEntry(shownBy: nil)),
            ]
        } + [Way(capabilities: [.displayYesNo, .displayYesNo], kind: .only, method: .numericComparison)]

    static func world(_ way: Way, configure: (Int, inout HostConfiguration) -> Void = { _, _ in }) -> SecureWorld {
        SecureWorld(way.capabilities.map { settings($0, way.kind) }, configure: configure)
    }

    @Test("Each method pairs, bonds, and encrypts the next connection by itself", arguments: ways)
    func methods(_ way: Way) throws {
        let world = Self.world(way)
        #expect(try world.connect())
        #expect(
            try world.read()
                == .failed(
                    .refused(.insufficientAuthentication, request: .readRequest, handle: SecureWorld.value.rawValue)
                )
        )
        #expect(try world.pair())
        for end in 0..<2 {
            #expect(world.devices[end].results.first?.method == way.method, "\(world.devices[end].failures)")
            #expect(world.devices[end].results.first?.isBonded == true)
            #expect(world.security(end)?.isAuthenticated == way.method.isAuthenticated)
            #expect(world.security(end)?.isSecureConnections == (way.kind == .only))
        }
        #expect(try world.read() == .value([2]))
        #expect(world.stores[0].all.first?.keyAsCentral == world.stores[1].all.first?.keyAsPeripheral)
        #expect(try world.disconnect())
        for device in world.devices { device.forget() }
        #expect(try world.connect())
        #expect(world.run { world.security(0)?.isEncrypted == true && world.security(1)?.isEncrypted == true })
        #expect(world.devices[0].results.isEmpty && world.security(1)?.isAuthenticated == way.method.isAuthenticated)
        #expect(try world.read() == .value([2]))
    }

    @Test("Data from another way authenticate a pairing", arguments: [false, true])
    func outOfBand(_ secure: Bool) throws {
        let world = SecureWorld([
            Self.settings(.noInputNoOutput, secure ? .only : .never),
            Self.settings(.noInputNoOutput, secure ? .only : .never),
        ])
        let data = (0..<2).map { end in world.order(end) { host, _, _ in host.makeOutOfBandData() } }
        for end in 0..<2 {
            world.order(end) { host, _, _ in
                host.pairingSettings.outOfBand.secureConnections = secure ? data[1 - end] : nil
                host.pairingSettings.outOfBand.temporaryKey = secure ? nil : Block128(high: 3, low: 4)
            }
        }
        #expect(try world.connect())
        #expect(try world.pair())
        #expect(world.devices.allSatisfy { $0.results.first?.method == .outOfBand })
        #expect(world.security(1)?.level == (secure ? .secureConnections : .authenticated))
    }

    @Test(
        "Devices under private addresses pair by those, and find each other again by their identities",
        arguments: [PairingSettings.SecureConnections.never, .only],
        [false, true]
    )
    func privateAddresses(_ kind: PairingSettings.SecureConnections, _ inController: Bool) throws {
        let world = SecureWorld([Self.settings(.keyboardOnly, kind), Self.settings(.displayOnly, kind)]) {
            $1.privacy.ownAddress = .resolvablePrivate
            $1.privacy.usesResolvingList = inController
        }
        func shown() throws -> DeviceAddress {
            try world.order(1) { host, now, actions throws(OrderError) in
                try host.startAdvertising(
                    AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!),
                    at: now,
                    into: &actions
                )
            }
            world.devices[0].forget()
            try world.order(0) { host, now, actions throws(OrderError) in
                try host.startScanning(at: now, into: &actions)
            }
            var heard: DeviceAddress?
            _ = world.run {
                for case .advertisingReport(let report) in world.devices[0].events { heard = report.address }
                return heard != nil
            }
            try world.order(0) { host, now, actions throws(OrderError) in
                try host.stopScanning(at: now, into: &actions)
            }
            world.world.run(for: .milliseconds(100))
            return try #require(heard)
        }
        let first = try shown()
        #expect(first.randomSubtype == .resolvablePrivate)
        try world.order(0) { host, now, actions throws(OrderError) in
            try host.connect(to: first, at: now, into: &actions)
        }
        try #require(world.run { world.links.count == 2 })
        #expect(try world.pair())
        try #require(
            world.devices.allSatisfy { $0.results.first?.isBonded == true },
            "\(world.devices.map(\.failures))"
        )
        #expect(world.bonds(0).first?.peer == world.world.publicAddress(of: world.ids[1]))
        #expect(world.bonds(1).first?.peer == world.world.publicAddress(of: world.ids[0]))
        #expect(try world.disconnect())
        world.world.run(for: .seconds(2_000))
        try world.order(1) { host, now, actions throws(OrderError) in
            try? host.stopAdvertising(at: now, into: &actions)
        }
        world.world.run(for: .seconds(1))
        let second = try shown()
        #expect(second != first)
        for device in world.devices { device.forget() }
        try world.order(0) { host, now, actions throws(OrderError) in
            try host.connect(to: second, at: now, into: &actions)
        }
        try #require(world.run { world.links.count == 2 })
        #expect(world.run { world.security(0)?.isEncrypted == true && world.security(1)?.isEncrypted == true })
        #expect(world.security(1)?.isAuthenticated == true && world.devices[0].results.isEmpty)
    }

    @Test(
        "A bond lost by one of the two is told of by both, and nobody goes on as if nothing had happened",
        arguments: [0, 1]
    )
    func lostBond(_ end: Int) throws {
        let world = Self.world(Self.ways[1])
        #expect(try world.connect())
        #expect(try world.pair())
        #expect(try world.disconnect())
        let peer = world.bonds(end)[0].peer
        try world.order(end) { host, now, actions throws(BondStoreError) in
            try host.removeBond(peer, at: now, into: &actions)
        }
        for device in world.devices { device.forget() }
        #expect(try world.connect())
        world.world.run(for: .seconds(2))
        #expect(world.links.count == 2)
        #expect(world.security(0)?.isEncrypted == false && world.security(1)?.isEncrypted == false)
        if end == 1 {
            #expect(world.devices[0].encryptionFailures == [.pinOrKeyMissing])
            #expect(world.devices[1].encryptionFailures == [.pinOrKeyMissing])
        }
        let error: ATTError = end == 1 ? .insufficientAuthentication : .insufficientEncryption
        #expect(
            try world.read()
                == .failed(
                    .refused(error, request: .readRequest, handle: SecureWorld.value.rawValue)
                )
        )
        #expect(world.devices.allSatisfy { $0.results.isEmpty })
        // A worse bond is not to be had while one of them remembers the better one.
        let bonds = world.bonds(1 - end)
        #expect(try world.pair(Self.settings(.noInputNoOutput)))
        #expect(world.devices.allSatisfy { $0.results.isEmpty })
        #expect(world.bonds(1 - end) == bonds && world.bonds(end).isEmpty)
        world.world.run(for: .seconds(1))
        #expect(try world.pair(Self.settings(.keyboardOnly)))
        #expect(world.devices.allSatisfy { $0.results.first?.isBonded == true })
        #expect(try world.read() == .value([2]))
    }

    @Test("A link that breaks at any moment of a pairing leaves nothing behind", arguments: ways)
    func broken(_ way: Way) throws {
        for step in 0..<12 {
            let world = Self.world(way)
            #expect(try world.connect())
            let link = world.links[0]
            try world.order(0) { host, now, actions throws(PairingOrderError) in
                try host.pair(link, at: now, into: &actions)
            }
            world.world.run(for: .milliseconds(100 * Int64(step)))
            let wasDone = world.devices.map { !$0.results.isEmpty }
            world.world.move(world.ids[1], to: .metres(x: 10_000))
            try #require(world.run(for: .seconds(60)) { world.links.isEmpty })
            world.world.run(for: .seconds(40))
            for end in 0..<2 where !wasDone[end] {
                let isBonded = !world.devices[end].results.isEmpty
                #expect(world.bonds(end).count == (isBonded ? 1 : 0) && world.stores[end].all == world.bonds(end))
                #expect(world.devices[end].failures.count <= 1)
                #expect(world.order(end) { host, _, _ in host.nextDeadline } == nil)
            }
        }
    }

    @Test("What a bonded client has subscribed to is sent again on the next connection, encrypted")
    func subscriptions() throws {
        let world = Self.world(Self.ways[4])
        #expect(try world.connect())
        #expect(try world.pair())
        #expect(try world.subscribe(0))
        #expect(try world.disconnect())
        for device in world.devices { device.forget() }
        #expect(try world.connect())
        let notify = {
            world.order(1) { host, now, actions in
                _ = host.notify([42], handle: SecureWorld.value, at: now, into: &actions)
            }
        }
        notify()
        #expect(world.run { world.security(1)?.isEncrypted == true })
        #expect(world.devices[0].notifications.isEmpty)
        notify()
        #expect(world.run { !world.devices[0].notifications.isEmpty })
        #expect(world.devices[0].notifications == [[42]])
    }
}
