import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Discovering services and characteristics", .air)
struct DiscoveryTests {
    @Test("All services are found, or those that are asked for; who asks meanwhile has the same future")
    func services() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        let all = peripheral.discoverAllServices()
        #expect(peripheral.discoverServices([CBUUID(string: "FFE0")]) === all)
        try scene.finish(all)
        #expect(peripheral.services.map(\.uuid).contains(CBUUID(string: "FFE0")))
        #expect(peripheral.services(withUUID: CBUUID(string: "FFF0"))?.count == 1)
        #expect(peripheral.services(withUUID: CBUUID(string: "1234")) == nil)
        #expect(peripheral.services.first?.peripheral === peripheral)
    }

    @Test("Discovering again lists nothing until it is done")
    func again() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        try scene.finish(peripheral.discoverServices([CBUUID(string: "FFE0")]))
        let service = try #require(peripheral.services.first)
        let again = peripheral.discoverAllServices()
        #expect(peripheral.services.isEmpty)
        try scene.finish(again)
        #expect(peripheral.services.contains { $0 === service })
    }

    @Test("Without a connection nothing is discovered")
    func disconnected() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        #expect(peripheral.discoverAllServices().result?.error as? PeripheralError == .disconnected)
    }

    @Test("Discovering services that takes too long fails, and ends the connection")
    func serviceTimeout() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.count == 1)
        // Sooner than the connection is given up for it.
        scene.air.jam(for: .seconds(30))
        let discovery = peripheral.discoverAllServices(timeout: 0.3)
        scene.air.run(for: .milliseconds(290))
        #expect(!discovery.completed)
        scene.air.run(for: .milliseconds(20))
        #expect(discovery.result?.error as? PeripheralError == .serviceDiscoveryTimeout)
        try scene.air.run(until: connection.count == 2)
        #expect(connection.errors as? [PeripheralError] == [.disconnected] && peripheral.disconnectionCount == 1)
    }

    @Test("Discovering services fails when the connection ends")
    func serviceDisconnection() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        scene.air.jam(for: .seconds(30))
        let discovery = peripheral.discoverAllServices()
        try scene.air.run(until: discovery.completed)
        #expect(discovery.result?.error as? PeripheralError == .disconnected)
    }

    @Test("Characteristics are found, all or those that are asked for, and known by their service")
    func characteristics() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        try scene.finish(peripheral.discoverAllServices())
        let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
        #expect(service.characteristics.isEmpty && service.name == "Unknown")
        let some = service.discoverCharacteristics([CBUUID(string: "FFE2")])
        #expect(service.discoverAllCharacteristics() === some)
        try scene.finish(some)
        #expect(service.characteristics.map(\.uuid) == [CBUUID(string: "FFE2")])
        try scene.finish(service.discoverAllCharacteristics())
        #expect(service.characteristics.count == 3)
        #expect(service.characteristics(withUUID: CBUUID(string: "FFE1"))?.first?.service === service)
        #expect(service.characteristics(withUUID: CBUUID(string: "1234")) == nil)
    }

    @Test("Profiles give names")
    func profiles() throws {
        let profiles = ProfileManager()
        let profile = ServiceProfile(uuid: "FFE0", name: "Things")
        profile.addCharacteristic(CharacteristicProfile(uuid: "FFE1", name: "Thing"))
        profiles.addService(profile)
        let scene = CentralScene(profileManager: profiles)
        let peripheral = try scene.explore()
        let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
        #expect(service.name == "Things")
        #expect(service.characteristics.map(\.name) == ["Thing", "Unknown", "Unknown"])
    }

    /// A service whose characteristics nobody has asked for, of a sensor that says nothing any more.
    private func mute(_ scene: CentralScene) throws -> (Peripheral, Service) {
        let peripheral = try scene.connect()
        try scene.finish(peripheral.discoverAllServices())
        let first = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
        try scene.finish(first.discoverAllCharacteristics())
        scene.sensor.responseDelay = nil
        _ = first.characteristics.first?.read()
        return (peripheral, try #require(peripheral.services(withUUID: CBUUID(string: "FFF0"))?.first))
    }

    @Test("Discovering characteristics that takes too long fails, and the connection stays")
    func characteristicTimeout() throws {
        let scene = CentralScene()
        let (peripheral, service) = try mute(scene)
        let discovery = service.discoverAllCharacteristics(timeout: 3)
        scene.air.run(for: .milliseconds(2_900))
        #expect(!discovery.completed)
        scene.air.run(for: .milliseconds(200))
        #expect(discovery.result?.error as? ServiceError == .characteristicDiscoveryTimeout)
        #expect(peripheral.state == .connected)
    }

    @Test("Discovering characteristics fails when the connection ends, and without one")
    func characteristicDisconnection() throws {
        let scene = CentralScene()
        let (_, service) = try mute(scene)
        let discovery = service.discoverAllCharacteristics()
        scene.sensor.disconnect()
        try scene.air.run(until: discovery.completed)
        #expect(discovery.result?.error as? PeripheralError == .disconnected)
        #expect(service.discoverAllCharacteristics().result?.error as? PeripheralError == .disconnected)
    }

    @Test("A service whose peripheral is gone is unconfigured, and so is its characteristic")
    func unconfigured() throws {
        let scene = CentralScene()
        let (service, characteristic) = try {
            let peripheral = try scene.explore()
            let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
            return (service, try #require(service.characteristics(withUUID: CBUUID(string: "FFE2"))?.first))
        }()
        scene.manager.removeAllPeripherals()
        #expect(service.peripheral == nil)
        #expect(service.discoverAllCharacteristics().result?.error as? ServiceError == .unconfigured)
        #expect(characteristic.startNotifying().result?.error as? CharacteristicError == .unconfigured)
        #expect(characteristic.stopNotifying().result?.error as? CharacteristicError == .unconfigured)
        #expect(characteristic.read().result?.error as? CharacteristicError == .unconfigured)
    }

    @Test("What was found over an earlier connection is unconfigured, and asks nobody")
    func earlierConnection() throws {
        let scene = CentralScene()
        let (peripheral, characteristic) = try scene.characteristic("FFE2")
        let service = try #require(characteristic.service)
        try scene.finish(characteristic.startNotifying())
        scene.sensor.disconnect()
        try scene.air.run(until: peripheral.state == .disconnected)
        #expect(!characteristic.isNotifying)
        #expect(characteristic.read().result?.error as? PeripheralError == .disconnected)
        peripheral.reconnect()
        try scene.air.run(until: peripheral.state == .connected)
        #expect(characteristic.read().result?.error as? CharacteristicError == .unconfigured)
        #expect(characteristic.startNotifying().result?.error as? CharacteristicError == .unconfigured)
        #expect(service.discoverAllCharacteristics().result?.error as? ServiceError == .unconfigured)
        try scene.finish(peripheral.discoverAllServices())
        #expect(peripheral.services.allSatisfy { $0 !== service })
    }

    @Test("A service that the peripheral takes away is listed no longer, and what was asked of it fails")
    func modified() throws {
        let scene = CentralScene()
        let peripheral = try scene.explore()
        let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFF0"))?.first)
        let characteristic = try #require(service.characteristics.first)
        scene.sensor.responseDelay = .seconds(10)
        let reads = [characteristic.read(), characteristic.read()]
        let discovery = service.discoverAllCharacteristics()
        scene.sensor.removeService("FFF0")
        try scene.air.run(until: peripheral.services(withUUID: CBUUID(string: "FFF0")) == nil, within: .seconds(5))
        #expect(reads.map { $0.result?.error as? CharacteristicError } == [.unconfigured, .unconfigured])
        #expect(discovery.result?.error as? ServiceError == .unconfigured)
        #expect(characteristic.read().result?.error as? CharacteristicError == .unconfigured)
        #expect(service.discoverAllCharacteristics().result?.error as? ServiceError == .unconfigured)
        #expect(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.count == 1)
    }
}
