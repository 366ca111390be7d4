import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("The key fob on the air")
struct FobOnAirTests {
    @Test("A scanner hears the fob every 100 ms, asks for its name, and hears nothing after 30.72 s")
    func scanning() throws {
        let it = FobWorld()
        it.world.run(for: .seconds(2))
        try it.order { try $0.startScanning(ScanParameters(active: true), at: $1, into: &$2) }
        let start = it.world.now
        it.touch { it.fob.click(.right, host: $0, at: $1, into: &$2) }
        it.world.run(for: .seconds(40))

        let advertisements = it.phone.reports.filter { $0.report.kind == .connectable }
        #expect(advertisements.allSatisfy { $0.report.data == KeyFobAdvertisement.data.bytes })
        #expect(advertisements.allSatisfy { $0.report.address == KeyFobDevice.address() })
        // 100 ms and a random delay of up to 10 ms, three channels of which one is listened to.
        #expect((280...310).contains(advertisements.count))
        let last = try #require(advertisements.last)
        #expect(last.at - start <= .milliseconds(30_721) && last.at - start > .milliseconds(30_500))
        let name = it.phone.reports.first { $0.report.kind == .scanResponse }
        #expect(name?.report.data == KeyFobAdvertisement.scanResponse.bytes)
        #expect(it.changes().suffix(2) == [.advertising(false), .led(.led2, on: false)])
    }

    @Test("A central discovers nine services and reads every readable value")
    func discovery() throws {
        let it = try FobWorld.connected()
        guard case .database(let found) = try it.run({ try $0.discoverAll($1, at: $2, into: &$3) }) else {
            Issue.record("nothing was discovered")
            return
        }
        let expected: [(BluetoothUUID, UInt16, UInt16)] = [
            (0x1800, 0x01, 0x0B), (0x1801, 0x0C, 0x0F), (0x180A, 0x10, 0x22), (0x1803, 0x23, 0x25),
            (0x1802, 0x26, 0x28), (0x1804, 0x29, 0x2C), (0x180F, 0x2D, 0x31), (0xFFA0, 0x32, 0x44),
            (0xFFE0, 0x45, 0x49),
        ]
        #expect(found.services.map(\.uuid) == expected.map(\.0))
        for (service, (_, first, end)) in zip(found.services, expected) {
            #expect(service.handles.lowerBound.rawValue == first)
            // The last service may lay claim to all the rest.
            #expect(service.handles.upperBound.rawValue == end || service.handles.upperBound == .last)
        }
        let rows = try GATTDatabase(KeyFobTable().services).rows
        var readable = 0
        for characteristic in found.services.flatMap(\.characteristics) {
            let row = try #require(rows.first { $0.handle == characteristic.valueHandle })
            #expect(row.type == characteristic.uuid)
            for descriptor in characteristic.descriptors {
                #expect(rows.first { $0.handle == descriptor.handle }?.type == descriptor.uuid)
            }
            let result = try it.read(characteristic.valueHandle)
            if row.permissions.read.isAllowed {
                readable += 1
                guard case .value = result else {
                    Issue.record("\(characteristic.valueHandle): \(result)")
                    continue
                }
            } else {
                let handle = characteristic.valueHandle.rawValue
                #expect(result == .failed(.refused(.readNotPermitted, request: .readRequest, handle: handle)))
            }
        }
        #expect(readable == 18)
        #expect(found.services.flatMap(\.characteristics).count == 25)
        let name = try it.read(0x0003)
        #expect(name == .value(Array("TI BLE Keyfob".utf8)))
        #expect(try it.read(0x0012) == .value([0x0D, 0x76, 0x9B, 0, 0, 0xE5, 0xC5, 0x78]))
        #expect(try it.read(0x002F) == .value([100]))
    }

    @Test("Whatever MTU a central offers, the fob's is 23, as TI's stack has it; an option makes it longer")
    func mtu() throws {
        for (option, expected) in [(nil, 23), (23, 23), (185, 185), (517, 517)] as [(Int?, Int)] {
            var options = KeyFobOptions()
            if let option { options.attMTU = option }
            let it = try FobWorld.connected(options: options)
            #expect(try it.run { try $0.exchangeMTU($1, at: $2, into: &$3) } == .mtu(expected))
            let connection = try #require(it.fob.connection).id
            #expect(it.world.perform(on: it.fobID) { host, _, _ in host.mtu(of: connection) } == expected)
        }
    }

    @Test("Keys, battery and acceleration reach a central that has subscribed")
    func notifications() throws {
        let it = try FobWorld.connected()
        for configuration: AttributeHandle in [0x002C, 0x0030, 0x003B, 0x003F, 0x0043, 0x0048] {
            #expect(try it.write([1, 0], configuration) == .written)
        }
        #expect(try it.write([1], 0x0034) == .written)
        it.touch { it.fob.click(.right, host: $0, at: $1, into: &$2) }
        it.world.run(for: .seconds(1))
        it.touch { it.fob.click(.left, host: $0, at: $1, into: &$2) }
        it.world.run(for: .seconds(1))
        it.touch { it.fob.tilt(Acceleration(x: 12, y: -34, z: 56), host: $0, at: $1, into: &$2) }
        it.world.run(for: .seconds(1))
        it.touch { it.fob.setBattery(percent: 42, host: $0, at: $1, into: &$2) }
        it.world.run(for: .seconds(11))
        let heard = it.phone.notifications.map { [UInt8($0.handle)] + $0.value }
        #expect(
            heard == [
                [0x47, 2], [0x47, 0], [0x2B, 0xFA], [0x47, 1], [0x47, 0], [0x3A, 12], [0x3E, 0xDE], [0x42, 56],
                [0x2F, 42],
            ]
        )
    }

    @Test("An immediate alert sounds and is silenced over the air", arguments: [AlertLevel.mild, .high])
    func immediateAlert(level: AlertLevel) throws {
        let it = try FobWorld.connected()
        _ = it.changes()
        try it.writeCommand([level.rawValue], 0x0028)
        #expect(it.fob.model.alertLevel == level && it.fob.model.alertSource == .immediate)
        it.world.run(for: .seconds(20))
        let onsets = it.changes().count { if case .tone(.some) = $0 { true } else { false } }
        #expect(onsets == 10)
        try it.writeCommand([0], 0x0028)
        #expect(it.changes().first == .alert(.none, nil))
    }

    @Test("Out of range: after the supervision timeout both ends know, and the fob sounds until the central is back")
    func linkLoss() throws {
        let it = try FobWorld.connected()
        #expect(try it.write([2], 0x0025) == .written)
        _ = it.changes()
        let supervision = try #require(it.phone.connection).parameters.supervisionTimeout.span
        let start = it.world.now
        it.world.move(it.fobID, to: .metres(x: 100_000))
        it.world.run(for: supervision + .seconds(1)) { it.fob.connection == nil && it.phone.connection == nil }
        #expect(it.world.now - start >= supervision - .milliseconds(100))
        #expect(it.phone.disconnections == [.connectionTimeout])
        it.world.run(for: .seconds(1))
        let changes = it.changes()
        #expect(changes.contains { if case .disconnected(_, .connectionTimeout) = $0 { true } else { false } })
        #expect(changes.contains(.alert(.high, .linkLoss)) && changes.contains(.tone(hertz: 4_096)))
        #expect(it.fob.model.isAdvertising)

        it.world.move(it.fobID, to: .origin)
        try it.connect()
        #expect(it.changes().contains(.alert(.none, nil)))
        #expect(try it.read(0x0025) == .value([2]), "the level outlives the connection")
    }

    @Test("An ordinary disconnection does not sound, and the fob can be found again")
    func disconnection() throws {
        let it = try FobWorld.connected()
        #expect(try it.write([2], 0x0025) == .written)
        let connection = try #require(it.phone.connection).id
        try it.order { try $0.disconnect(connection, at: $1, into: &$2) }
        it.world.run(for: .seconds(2))
        let changes = it.changes()
        let reason = ControllerError.remoteUserTerminatedConnection
        #expect(changes.contains { if case .disconnected(_, reason) = $0 { true } else { false } })
        #expect(!changes.contains { if case .alert = $0 { true } else { false } })
        #expect(it.fob.model.isAdvertising)
        try it.connect()
    }

    @Test("The left key makes the fob six decibels quieter, and loud again")
    func transmitPower() throws {
        let it = try FobWorld.connected()
        func strength() throws -> Int {
            let connection = try #require(it.phone.connection).id
            it.phone.strength = nil
            it.world.run(for: .seconds(1))
            try it.order { try $0.readRSSI(connection, at: $1, into: &$2) }
            it.world.run(for: .seconds(1)) { it.phone.strength != nil }
            return Int(try #require(it.phone.strength).dBm)
        }
        let before = try strength()
        it.touch { it.fob.click(.left, host: $0, at: $1, into: &$2) }
        #expect(try strength() == before - 6)
        it.touch { it.fob.click(.left, host: $0, at: $1, into: &$2) }
        #expect(try strength() == before)
    }

    @Test("Five seconds into a fast connection the fob asks for a slower one, and gets it")
    func parameters() throws {
        let it = try FobWorld.connected()
        it.world.run(for: .seconds(4))
        #expect(it.phone.paces.isEmpty)
        it.world.run(for: .seconds(5))
        let pace = try #require(it.phone.paces.last)
        #expect(pace.interval.span >= .milliseconds(100) && pace.interval.span <= .seconds(1))
        #expect(pace.latency.events == 0 && pace.supervisionTimeout.span == .seconds(10))
        #expect(it.fob.connection?.parameters == pace)
        it.world.run(for: .seconds(60))
        #expect(it.phone.connection != nil && it.phone.paces.count == 1)
    }

    @Test("Several fobs are told apart by their addresses")
    func severalFobs() throws {
        let it = FobWorld.advertising()
        for number in 1..<5 {
            var options = KeyFobOptions()
            options.advertisesAtStart = true
            it.world.addDevice(
                named: "fob \(number)",
                controller: .init(publicAddress: KeyFobDevice.address(number: number)),
                host: KeyFobDevice.hostConfiguration(seed: 1, device: UInt64(number)),
                at: .metres(x: 0, y: Double(number)),
                application: KeyFobDevice(options: options)
            )
        }
        try it.order { try $0.startScanning(at: $1, into: &$2) }
        it.world.run(for: .seconds(5))
        let heard = Set(it.phone.reports.map(\.report.address))
        #expect(heard == Set((0..<5).map { KeyFobDevice.address(number: $0) }))
    }
}
