import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("An air for a test", .air)
struct AirTests {
    let air = Air.current

    @Test("A few lines make a phone, a sensor and an app that hears it")
    func fewLines() throws {
        let sensor = air.add(HeartRateSensor(named: "Strap", beatsPerMinute: 72), at: .near)
        let monitor = Monitor()
        try air.run(until: monitor.values.count == 3)
        #expect(monitor.values.last == Data([0, 72]))
        #expect(monitor.names == ["Strap"] && sensor.connectionCount == 1)
        #expect(air.misuse.isEmpty)
    }

    @Test("Time passes only when it is run, and to the nanosecond")
    func time() {
        #expect(air.now == .zero)
        air.run(for: .milliseconds(1_500))
        #expect(air.now == .milliseconds(1_500))
        var heard: [Duration] = []
        air.after(.seconds(2)) { heard.append($0.now) }
        air.after(.nanoseconds(1)) { heard.append($0.now) }
        air.run(for: .seconds(3))
        #expect(heard == [.nanoseconds(1_500_000_001), .milliseconds(3_500)])
    }

    @Test("Where code keeps the air busy at one instant, the run ends, and says at which line")
    func standstill() throws {
        try withAir { air in
            func again(_ air: Air) { air.after(.zero) { again($0) } }
            air.after(.milliseconds(5)) { again($0) }
            let error = try #require(throws: AirTimeout.self) { try air.run(until: false, within: .seconds(1)) }
            let stall = try #require(error.stall)
            #expect(stall.hasPrefix("the world stands still at @0.005 s: 100000 steps and no time has passed; "))
            #expect(stall.contains("TestingTests/AirTests.swift:"))
            #expect("\(error)".hasPrefix(stall) && air.stall == stall && air.now == .milliseconds(5))
            air.run(for: .seconds(1))
            #expect(air.now == .milliseconds(5))
        }
    }

    @Test("Near is louder than far; out of range nobody is heard, and the connection ends by its timeout")
    func places() throws {
        var heard: [Int] = []
        for place in [Place.immediate, .near, .far] {
            try withAir { air in
                air.add(HeartRateSensor(), at: place)
                let monitor = Monitor()
                try air.run(until: monitor.isConnected)
                heard += monitor.rssi
            }
        }
        #expect(heard.count == 3 && heard[0] > heard[1] + 20 && heard[1] > heard[2] + 20 && heard[2] > -90)

        let sensor = air.add(HeartRateSensor())
        let monitor = Monitor()
        try air.run(until: !monitor.values.isEmpty)
        air.move(sensor, to: .outOfRange)
        try air.run(until: !monitor.disconnections.isEmpty)
        #expect((monitor.disconnections[0] as? CBError)?.code == .connectionTimeout)
        air.run(for: .seconds(60))
        #expect(!monitor.isConnected)
        air.move(sensor, to: .near)
        try air.run(until: monitor.isConnected)
        #expect(sensor.connectionCount == 2)
    }

    @Test("Links are cut and mended, lose some packets, and a jam ends by itself")
    func losses() throws {
        let sensor = air.add(HeartRateSensor())
        let monitor = Monitor()
        try air.run(until: !monitor.values.isEmpty)
        air.cut(sensor, from: air.phone)
        try air.run(until: monitor.disconnections.count == 1)
        air.mend(air.phone, with: sensor)
        try air.run(until: monitor.isConnected)

        air.setLoss(0.3, between: sensor, and: air.phone)
        // From the first value on, since the services have to be found before.
        let known = monitor.values.count
        try air.run(until: monitor.values.count > known)
        let before = (sensor.measurementCount, monitor.values.count)
        air.run(for: .seconds(20))
        // What the Link Layer loses it sends again.
        #expect(monitor.values.count - before.1 >= sensor.measurementCount - before.0 - 3)
        #expect(sensor.measurementCount - before.0 >= 17 && monitor.disconnections.count == 1)

        air.setLoss(0, between: sensor, and: air.phone)
        air.jam(for: .seconds(30))
        air.run(for: .seconds(29))
        #expect(!monitor.isConnected && monitor.disconnections.count == 2)
        try air.run(until: monitor.isConnected, within: .seconds(5))
    }

    @Test("Bluetooth is switched off and on, and the controller fails; the app is told each time")
    func power() throws {
        air.add(HeartRateSensor())
        let monitor = Monitor()
        try air.run(until: monitor.isConnected)
        air.switchPower(false)
        air.run(for: .seconds(1))
        #expect(monitor.states == [.poweredOn, .poweredOff] && !monitor.isConnected)
        air.switchPower(true)
        try air.run(until: monitor.isConnected)
        air.resetController()
        air.run(for: .seconds(1))
        #expect(monitor.states == [.poweredOn, .poweredOff, .poweredOn, .resetting, .poweredOn])
    }

    @Test("What is waited for in vain is named, with the seed, and with what was heard instead", .seed(77))
    func timeout() throws {
        air.add(SimulatedPeripheral.battery(named: "Cell"))
        let monitor = Monitor()
        do {
            try air.run(until: monitor.isConnected, within: .seconds(2))
            Issue.record("it connected")
        } catch let error as AirTimeout {
            #expect(error.limit == .seconds(2) && error.seed == 77 && air.now == .seconds(2))
            #expect(error.awaited.contains("until: monitor.isConnected") && error.awaited.contains("AirTests.swift:"))
            #expect(error.heard.contains("iPhone: app orders: scan for 180D"))
            #expect(error.heard.contains("Cell sent ") && error.heard.contains("ADV_IND"))
        }
        let named = try #require(throws: AirTimeout.self) {
            try air.run(until: monitor.isConnected, within: .zero, "a connection")
        }
        #expect(named.awaited == "a connection")
    }

    @Test("Orders that come too early are misuse, which a test can ask for")
    func misuse() {
        air.switchPower(false)
        let manager = CBCentralManager(delegate: nil, queue: nil)
        manager.scanForPeripherals(withServices: nil)
        air.run(for: .seconds(1))
        #expect(air.misuse.count == 1 && air.phone.misuse.count == 1)
        #expect(air.misuse[0].contains("powered on state"))
        #expect(air.log.text.contains("its developer is told: \(air.misuse[0])"))
    }

    @Test("The packet log has what was on the air, as values, as a capture and as text")
    func log() throws {
        let sensor = air.add(HeartRateSensor(named: "Strap"))
        let monitor = Monitor()
        try air.run(until: monitor.isConnected)
        #expect(air.log.packets(from: sensor).first?.summary.hasPrefix("ADV_IND") == true)
        let calls = air.log.packets(from: air.phone).filter { $0.summary.hasPrefix("CONNECT_IND") }
        #expect(calls.count == 1 && calls[0].sender == "iPhone" && (37...39).contains(calls[0].channel))
        #expect(air.log.pcapng.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
        air.log.note("here")
        #expect(air.log.text.contains("CONNECT_IND") && air.log.text.contains("---           here\n"))
    }
}
