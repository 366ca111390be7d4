import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Privacy on the air")
struct PrivacyTests {
    @Test(
        "Bonded under private addresses, two find each other again after several have passed, and the link is encrypted",
        arguments: PrivatePair.Resolving.all
    )
    func reconnection(resolving: PrivatePair.Resolving) throws {
        let pair = PrivatePair(resolving)
        try #require(try pair.bond())
        for _ in 0..<3 {
            pair.stopAdvertising()
            pair.world.run(for: .seconds(47))
            try pair.advertise()
            try #require(try pair.connect(pair.phoneID, to: pair.sensorIdentity))
            pair.world.run(for: .seconds(2))
            let phones = try #require(pair.phone.connection), sensors = try #require(pair.sensor.connection)
            #expect(phones.peerIdentity == pair.sensorIdentity && phones.isBonded)
            #expect(sensors.peerIdentity == pair.phoneIdentity && sensors.isBonded)
            #expect(phones.peer.randomSubtype == .resolvablePrivate)
            #expect(sensors.peer.randomSubtype == .resolvablePrivate)
            #expect(pair.phone.isEncrypted && pair.sensor.isEncrypted)
            try pair.disconnect()
        }
    }

    @Test(
        "While the address changes, the bonded phone hears one sensor, the stranger hears many that nothing joins",
        arguments: PrivatePair.Resolving.all
    )
    func rotationWhileScanning(resolving: PrivatePair.Resolving) throws {
        let pair = PrivatePair(resolving)
        try #require(try pair.bond())
        try pair.advertise()
        try pair.scan(pair.phoneID)
        try pair.scan(pair.strangerID)
        pair.world.run(for: .seconds(100))
        #expect(pair.phone.reports.count > 500)
        #expect(pair.phone.reports.allSatisfy { $0.identity == pair.sensorIdentity })
        #expect(pair.phone.count { if case .scanningEnded = $0 { true } else { false } } == 0)
        let heard = pair.stranger.addresses
        #expect((5...7).contains(heard.count))
        #expect(heard.allSatisfy { $0.randomSubtype == .resolvablePrivate })
        #expect(pair.stranger.reports.allSatisfy { $0.identity == nil })
        // Neither half of an address comes again.
        #expect(Set(heard.map { $0.value >> 24 }).count == heard.count)
        #expect(Set(heard.map { $0.value & 0xFF_FFFF }).count == heard.count)
    }

    @Test("Changing addresses does not disturb a link", arguments: PrivatePair.Resolving.all)
    func linkDuringRotation(resolving: PrivatePair.Resolving) throws {
        let pair = PrivatePair(resolving)
        try #require(try pair.bond())
        try pair.advertise()
        try #require(try pair.connect(pair.phoneID, to: pair.sensorIdentity))
        try pair.scan(pair.phoneID)
        try pair.advertise(.every(milliseconds: 200, .nonConnectable))
        pair.world.run(for: .seconds(120))
        #expect(pair.phone.disconnection == nil && pair.sensor.disconnection == nil)
        #expect(pair.phone.reports.count > 100)
    }

    @Test("Directed advertising reaches a phone that hides its own address", arguments: [true, false])
    func directed(isHighDuty: Bool) throws {
        let pair = PrivatePair(.init(phone: true, sensor: true))
        try #require(try pair.bond())
        let phone = pair.phoneIdentity
        try pair.world.perform(on: pair.phoneID) { host, now, actions throws(OrderError) in
            try host.connect(to: pair.sensorIdentity, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(45))
        try pair.advertise(
            .every(milliseconds: 100, isHighDuty ? .directedHighDuty(to: phone) : .directedLowDuty(to: phone))
        )
        pair.world.run(for: .seconds(5)) { pair.phone.connection != nil && pair.sensor.connection != nil }
        #expect(pair.phone.connection?.peerIdentity == pair.sensorIdentity)
        #expect(pair.sensor.connection?.peerIdentity == phone)
    }

    @Test("A stranger is not let in by directed advertising to somebody else")
    func directedToAnother() throws {
        let pair = PrivatePair(.init(phone: true, sensor: true))
        try #require(try pair.bond())
        try pair.scan(pair.strangerID)
        try pair.advertise(.every(milliseconds: 100, .directedLowDuty(to: pair.phoneIdentity)))
        pair.world.run(for: .seconds(5))
        #expect(pair.stranger.reports.allSatisfy { $0.kind != .directed })
        let heard = pair.stranger.addresses.last ?? pair.sensorIdentity
        pair.stopScanning(pair.strangerID)
        #expect(try !pair.connect(pair.strangerID, to: heard, within: .seconds(3)))
    }

    @Test(
        "Who promised to hide is not known by its identity address, until the bond allows it",
        arguments: [true, false]
    )
    func modes(usesList: Bool) throws {
        let pair = PrivatePair(.init(phone: usesList, sensor: usesList))
        try #require(try pair.bond())
        try pair.advertise(.every(milliseconds: 100, as: .identity))
        try pair.scan(pair.phoneID)
        pair.world.run(for: .seconds(5))
        #expect(pair.phone.reports.isEmpty)
        pair.stopScanning(pair.phoneID)
        #expect(try !pair.connect(pair.phoneID, to: pair.sensorIdentity, within: .seconds(5)))
        try pair.world.perform(on: pair.phoneID) { host, now, actions throws(BondStoreError) in
            try host.setPrivacyMode(.device, ofBondWith: pair.sensorIdentity, at: now, into: &actions)
        }
        try #require(try pair.connect(pair.phoneID, to: pair.sensorIdentity, within: .seconds(5)))
        #expect(pair.phone.connection?.isBonded == true)
    }

    @Test("A sensor that bonded under its identity address is found by it", arguments: PrivatePair.Resolving.all)
    func shownIdentity(resolving: PrivatePair.Resolving) throws {
        let pair = PrivatePair(resolving, sensorShows: .identity)
        try #require(try pair.bond())
        try pair.advertise()
        try #require(try pair.connect(pair.phoneID, to: pair.sensorIdentity))
        pair.world.run(for: .seconds(2))
        #expect(pair.phone.isEncrypted)
    }

    @Test(
        "The filter accept list lets the bonded phone in, whatever it shows, and nobody else",
        arguments: [true, false]
    )
    func filterList(usesList: Bool) throws {
        let pair = PrivatePair(.init(phone: usesList, sensor: usesList))
        try #require(try pair.bond())
        pair.world.run(for: .seconds(30))
        try pair.world.perform(on: pair.sensorID) { host, now, actions throws(OrderError) in
            try host.setFilterAcceptList([pair.phoneIdentity], at: now, into: &actions)
        }
        var parameters = AdvertisingParameters.every(milliseconds: 100)
        parameters.filter = .listedOnly
        try pair.advertise(parameters)
        try pair.scan(pair.strangerID)
        pair.world.run(for: .seconds(2))
        let shown = try #require(pair.stranger.addresses.last)
        pair.stopScanning(pair.strangerID)
        _ = try pair.connect(pair.strangerID, to: shown, within: .seconds(4))
        #expect(pair.sensor.connection == nil)
        try #require(try pair.connect(pair.phoneID, to: pair.sensorIdentity))
        #expect(pair.sensor.connection?.peerIdentity == pair.phoneIdentity)
    }

    @Test(
        "A scan by the filter accept list hears the bonded sensor through its changes, and nobody else",
        arguments: [true, false]
    )
    func filteredScan(usesList: Bool) throws {
        let pair = PrivatePair(.init(phone: usesList, sensor: usesList))
        try #require(try pair.bond())
        try pair.world.perform(on: pair.phoneID) { host, now, actions throws(OrderError) in
            try host.setFilterAcceptList([pair.sensorIdentity], at: now, into: &actions)
        }
        try pair.advertise()
        try pair.world.perform(on: pair.strangerID) { host, now, actions throws(OrderError) in
            try host.startAdvertising(.every(milliseconds: 100), at: now, into: &actions)
        }
        var parameters = ScanParameters(active: false)
        parameters.filter = .listedOnly
        try pair.scan(pair.phoneID, parameters)
        pair.world.run(for: .seconds(45))
        #expect(pair.phone.reports.count > 200)
        #expect(pair.phone.reports.allSatisfy { $0.identity == pair.sensorIdentity })
    }

    @Test("A bond that is removed leaves a stranger: the sensor is not known any more", arguments: [true, false])
    func forgotten(usesList: Bool) throws {
        let pair = PrivatePair(.init(phone: usesList, sensor: usesList))
        try #require(try pair.bond())
        try pair.world.perform(on: pair.phoneID) { host, now, actions throws(BondStoreError) in
            try host.removeBond(pair.sensorIdentity, at: now, into: &actions)
        }
        try pair.advertise()
        try pair.scan(pair.phoneID)
        pair.world.run(for: .seconds(3))
        #expect(!pair.phone.reports.isEmpty)
        #expect(pair.phone.reports.allSatisfy { $0.identity == nil && $0.address != pair.sensorIdentity })
    }
}
