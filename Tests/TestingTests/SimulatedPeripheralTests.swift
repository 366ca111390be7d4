import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Simulated peripherals", .air)
struct SimulatedPeripheralTests {
    let air = Air.current

    /// An app connected to a peripheral with this service, all characteristics known.
    private func connect(_ peripheral: SimulatedPeripheral, to service: String = "FFE0") throws -> (
        Monitor, CBPeripheral
    ) {
        air.add(peripheral)
        let monitor = Monitor(service)
        try air.run(until: monitor.characteristics.contains { $0.service?.uuid == CBUUID(string: service) })
        return (monitor, try #require(monitor.peripheral))
    }

    @Test("Values are read, made anew for each read, and refused")
    func reading() throws {
        var count: UInt8 = 0
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [
                        SimulatedCharacteristic("FFE1", .read, value: Array(0..<100)),
                        SimulatedCharacteristic(
                            "FFE2",
                            .read,
                            onRead: {
                                count += 1
                                return Data([count])
                            }
                        ),
                        SimulatedCharacteristic("FFE3", .read, onRead: { throw CBATTError(.insufficientResources) }),
                    ]
                )
            ]
        )
        let (monitor, peripheral) = try connect(thing)
        for uuid in ["FFE1", "FFE2", "FFE2", "FFE3"] {
            peripheral.readValue(for: try #require(monitor.characteristic(uuid)))
        }
        try air.run(until: monitor.values.count == 3 && monitor.readErrors.count == 1)
        #expect(monitor.values == [Data(0..<100), Data([1]), Data([2])])
        #expect((monitor.readErrors[0] as? CBATTError)?.code == .insufficientResources)
        #expect(thing.readCount(of: "FFE2") == 2)

        thing.refuse("FFE1", with: .readNotPermitted)
        peripheral.readValue(for: try #require(monitor.characteristic("FFE1")))
        try air.run(until: monitor.readErrors.count == 2)
        #expect((monitor.readErrors[1] as? CBATTError)?.code == .readNotPermitted)
    }

    @Test("Writes are kept, heard and refused; long ones come whole")
    func writing() throws {
        var heard: [Data] = []
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [
                        SimulatedCharacteristic("FFE1", [.write, .writeWithoutResponse]),
                        SimulatedCharacteristic(
                            "FFE2",
                            .write,
                            onWrite: { value in
                                guard value.count < 3 else { throw CBATTError(CBATTError.Code(rawValue: 0x80)!) }
                                heard.append(value)
                            }
                        ),
                    ]
                )
            ]
        )
        let (monitor, peripheral) = try connect(thing)
        let plain = try #require(monitor.characteristic("FFE1"))
        let careful = try #require(monitor.characteristic("FFE2"))
        let long = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
        peripheral.writeValue(long, for: plain, type: .withResponse)
        peripheral.writeValue(Data([9]), for: plain, type: .withoutResponse)
        peripheral.writeValue(Data([1, 2]), for: careful, type: .withResponse)
        peripheral.writeValue(Data([1, 2, 3]), for: careful, type: .withResponse)
        try air.run(until: monitor.writeErrors.count == 3)
        #expect(thing.writes(to: "FFE1") == [long, Data([9])] && heard == [Data([1, 2])])
        #expect((monitor.writeErrors.last as? CBATTError)?.code.rawValue == 0x80)
        #expect(thing.writes(to: "FFE2").count == 2 && thing.value(of: "FFE2") == Data([1, 2]))
    }

    @Test(
        "What a read or a write calls may remove the service, or all of the peripheral",
        arguments: [true, false],
        [true, false]
    )
    func removedMeanwhile(isRead: Bool, removesAll: Bool) throws {
        var remove = {}
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [
                        SimulatedCharacteristic(
                            "FFE1",
                            [.read, .write],
                            onRead: {
                                remove()
                                return Data([1])
                            },
                            onWrite: { _ in remove() }
                        )
                    ]
                )
            ]
        )
        let (monitor, peripheral) = try connect(thing)
        let value = try #require(monitor.characteristic("FFE1"))
        remove = { [air] in if removesAll { air.remove(thing) } else { thing.removeService("FFE0") } }
        if isRead {
            peripheral.readValue(for: value)
        } else {
            peripheral.writeValue(Data([2]), for: value, type: .withResponse)
        }
        try air.run(
            until: removesAll ? monitor.disconnections.count == 1 : monitor.invalidated == [CBUUID(string: "FFE0")]
        )
    }

    @Test("What a read makes may be a part of longer data: a long write replaces it as a whole")
    func partOfData() throws {
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [
                        SimulatedCharacteristic("FFE1", [.read, .write], onRead: { Data(0..<150)[100...] })
                    ]
                )
            ],
            maximumMTU: 23
        )
        let (monitor, peripheral) = try connect(thing)
        let value = try #require(monitor.characteristic("FFE1"))
        let long = Data((0..<60).map { UInt8($0) })
        peripheral.readValue(for: value)
        peripheral.writeValue(long, for: value, type: .withResponse)
        try air.run(until: monitor.writeErrors.count == 1)
        #expect(monitor.values == [Data(100..<150)] && thing.writes(to: "FFE1") == [long])
    }

    @Test("Intervals between beats that do not fit are told as the nearest that do")
    func beats() throws {
        let sensor = HeartRateSensor()
        sensor.rrIntervals = [.nan, -1, 0.5, 1e300, .infinity]
        let (monitor, _) = try connect(sensor, to: "180D")
        try air.run(until: !monitor.values.isEmpty)
        #expect(monitor.values[0].dropFirst(2) == Data([0, 0, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF]))
    }

    @Test("Durations beyond all bounds stop the process with the same words as others out of range")
    func longDurations() async {
        func words(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        let advertising = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let forever = SimulatedAdvertisement(interval: .seconds(Int64.max))
            withAir { air in _ = air.add(SimulatedPeripheral(named: "Thing", advertising: forever)) }
        }
        #expect(words(advertising).contains("an advertising interval is 20 ms to 10.24 s, not"))
        let connection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            withAir { air in
                let sensor = HeartRateSensor()
                sensor.connectionParameters = SimulatedConnectionParameters(
                    interval: .milliseconds(30)...(.milliseconds(50)),
                    timeout: .seconds(Int64.max)
                )
                air.add(sensor)
                let monitor = Monitor()
                air.run(for: .seconds(20))
                withExtendedLifetime(monitor) {}
            }
        }
        #expect(words(connection).contains("a timeout of 100 ms to 32 s"))
    }

    @Test(
        "Updates go to subscribers, and a hundred at once all arrive in their order; indications, too",
        arguments: [CBCharacteristicProperties.notify, .indicate]
    )
    func updates(property: CBCharacteristicProperties) throws {
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [SimulatedService("FFE0", characteristics: [SimulatedCharacteristic("FFE1", property)])]
        )
        let (monitor, peripheral) = try connect(thing)
        peripheral.setNotifyValue(true, for: try #require(monitor.characteristic("FFE1")))
        try air.run(until: thing.subscriberCount(of: "FFE1") == 1)
        for number in 0..<100 { thing.send([UInt8(number)], of: "FFE1") }
        try air.run(until: monitor.values.count == 100)
        #expect(monitor.values == (0..<100).map { Data([$0]) })
    }

    @Test("A peripheral that wants encryption is paired with, by digits if it has them; one that refuses says so")
    func security() throws {
        for (pairing, succeeds) in [
            (SimulatedPairing.justWorks, true), (.showsDigits("004711"), true), (.refused, false),
        ] {
            var settings = PhoneSettings()
            settings.passkey = .init(digits: "004711")
            try withAir(seed: 3) { _ in
                let air = Air.current
                let other = air.addPhone(named: "other", settings: settings)
                let lock = air.add(
                    SimulatedPeripheral(
                        named: "Lock",
                        services: [
                            SimulatedService(
                                "FFE0",
                                characteristics: [SimulatedCharacteristic("FFE1", .write, security: .encrypted)]
                            )
                        ],
                        pairing: pairing
                    )
                )
                let monitor = other.addApp().run { Monitor("FFE0") }
                try air.run(until: monitor.characteristic("FFE1") != nil)
                try #require(monitor.peripheral)
                    .writeValue(Data([1]), for: try #require(monitor.characteristic("FFE1")), type: .withResponse)
                try air.run(until: monitor.writeErrors.count == 1)
                #expect((monitor.writeErrors[0] == nil) == succeeds)
                #expect(lock.writes(to: "FFE1").count == (succeeds ? 1 : 0))
            }
        }
    }

    @Test("It disconnects, is switched off and on, gets and loses services")
    func happenings() throws {
        let sensor = HeartRateSensor()
        let (monitor, _) = try connect(sensor, to: "180D")
        sensor.disconnect()
        try air.run(until: monitor.disconnections.count == 1)
        #expect((monitor.disconnections[0] as? CBError)?.code == .peripheralDisconnected)
        try air.run(until: monitor.values.count == 1)

        sensor.switchOff()
        try air.run(until: monitor.disconnections.count == 2)
        #expect((monitor.disconnections[1] as? CBError)?.code == .connectionTimeout)
        air.run(for: .seconds(5))
        #expect(!sensor.isConnected && !sensor.isAdvertising)
        sensor.switchOn()
        try air.run(until: monitor.isConnected && !monitor.characteristics.isEmpty)

        air.run(for: .seconds(2))
        sensor.removeService("180F")
        try air.run(until: !monitor.invalidated.isEmpty)
        #expect(monitor.invalidated == [CBUUID(string: "180F")])
    }

    @Test("What is slow is late, and what never answers is given up after 30 s")
    func delays() throws {
        let cell = SimulatedPeripheral.battery(level: 42)
        let (monitor, peripheral) = try connect(cell, to: "180F")
        let level = try #require(monitor.characteristic("2A19"))
        cell.responseDelay = .seconds(3)
        let start = air.now
        peripheral.readValue(for: level)
        try air.run(until: monitor.values == [Data([42])])
        #expect((.seconds(3)...(.seconds(4))).contains(air.now - start))
        cell.responseDelay = nil
        peripheral.readValue(for: level)
        try air.run(until: monitor.disconnections.count == 1, within: .seconds(40))
    }

    @Test(
        "Advertisements hold what they are given, what does not fit goes to the scan response; beacons refuse connections"
    )
    func advertising() throws {
        let scanner = AdvertisementScanner()
        air.add(
            SimulatedPeripheral(
                named: "A long name, isn't it?",
                advertising: SimulatedAdvertisement(
                    services: ["180D", "F0F0A0A0-0000-4000-8000-000000000001"],
                    serviceData: [("180F", Data([7]))],
                    txPower: -4
                )
            )
        )
        air.add(SimulatedPeripheral.beacon(manufacturerData: Data([0x4C, 0, 1, 2])))
        try air.run(until: scanner.heard.count == 2)
        let named = try #require(scanner.heard.first { $0[CBAdvertisementDataLocalNameKey] != nil })
        #expect(named[CBAdvertisementDataLocalNameKey] as? String == "A long name, isn't it?")
        #expect((named[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID])?.count == 2)
        #expect((named[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]) == [CBUUID(string: "180F"): Data([7])])
        #expect((named[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue == -4)
        let beacon = try #require(scanner.heard.first { $0[CBAdvertisementDataManufacturerDataKey] != nil })
        #expect(beacon[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0, 1, 2]))
        #expect((beacon[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == false)
    }

    @Test("A heart rate of one byte, of two, with contact, energy and intervals")
    func measurements() throws {
        let sensor = HeartRateSensor(beatsPerMinute: 61)
        let (monitor, _) = try connect(sensor, to: "180D")
        try air.run(until: monitor.values.count == 1)
        sensor.beatsPerMinute = 300
        sensor.hasContact = true
        sensor.energyExpended = 0x0102
        sensor.rrIntervals = [1, 0.5]
        try air.run(until: monitor.values.count == 2)
        #expect(monitor.values == [Data([0, 61]), Data([0x1F, 0x2C, 1, 2, 1, 0, 4, 0, 2])])
        sensor.send([0x10], of: "2A37")
        try air.run(until: monitor.values.last == Data([0x10]))
    }

    @Test("A sensor that was removed measures no more, has no connection, subscriber or channel, and is let go of")
    func removed() throws {
        var sensor: HeartRateSensor? = HeartRateSensor()
        weak var kept: HeartRateSensor?
        kept = sensor
        let client = ChannelClient()
        let (monitor, peripheral) = try connect(try #require(sensor), to: "180D")
        let psm = try #require(sensor).listen()
        try air.run(until: monitor.values.count == 2)
        peripheral.delegate = client
        peripheral.openL2CAPChannel(psm)
        try air.run(until: client.channel != nil)
        do {
            let sensor = try #require(sensor)
            let channel = try #require(sensor.channels.first)
            #expect(sensor.isConnected && sensor.subscriberCount(of: "2A37") == 1 && channel.isOpen)
            air.remove(sensor)
            let count = sensor.measurementCount
            air.run(for: .seconds(10))
            #expect(sensor.measurementCount == count)
            #expect(!sensor.isConnected && !sensor.isAdvertising && sensor.subscriberCount(of: "2A37") == 0)
            #expect(!channel.isOpen && sensor.channels.isEmpty)
        }
        sensor = nil
        #expect(kept == nil)
    }

    @Test("The key fob lies there ready, and is found once its key is clicked")
    func keyFob() throws {
        let fob = air.addKeyFob()
        let monitor = Monitor("1803")
        air.run(for: .seconds(2))
        #expect(monitor.peripheral == nil)
        fob.click(.right)
        try air.run(until: monitor.isConnected, "the app finds the fob")
    }
}

/// An app that keeps all it hears.
private final class AdvertisementScanner: NSObject, CBCentralManagerDelegate {
    private(set) var heard: [[String: Any]] = []
    private var manager: CBCentralManager!

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) { heard.append(advertisementData) }
}
