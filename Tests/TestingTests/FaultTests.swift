import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothStrangers

@Suite("Faults that a test injects")
struct FaultTests {
    private static let long = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 3) }

    /// An app that knows a characteristic of a sensor or of another device.
    private func connected(
        _ air: Air,
        to service: String = "180D",
        knowing uuid: String = "2A38"
    ) throws -> (monitor: Monitor, peripheral: CBPeripheral, characteristic: CBCharacteristic) {
        let monitor = Monitor(service)
        try air.run(until: monitor.characteristic(uuid) != nil)
        air.run(for: .seconds(1))
        return (monitor, try #require(monitor.peripheral), try #require(monitor.characteristic(uuid)))
    }

    private func thing(mtu: Int = 517) -> SimulatedPeripheral {
        SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [SimulatedCharacteristic("FFE1", [.read, .write, .writeWithoutResponse])]
                )
            ],
            maximumMTU: mtu
        )
    }

    // MARK: Reads and writes

    @Test("The next read fails with 0x0E, and the one after that does not", .air)
    func nextRead() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor(named: "Strap"))
        let (monitor, peripheral, location) = try connected(air)
        let faults = air.inject(into: sensor) { Fault.read(of: "2A38", .next, .error(.unlikelyError)) }
        #expect(faults.awaited.count == 1 && faults.count == 0)
        let known = monitor.values.count
        peripheral.readValue(for: location)
        peripheral.readValue(for: location)
        try air.run(until: monitor.readErrors.count == 1 && monitor.values.contains(Data([1])))
        #expect((monitor.readErrors[0] as? CBATTError)?.code.rawValue == 0x0E)
        #expect(sensor.readCount(of: "2A38") == 1, "the device heard of the second one only")
        #expect(monitor.values.dropFirst(known).count { $0 == Data([1]) } == 1)
        #expect(faults.awaited.isEmpty && faults.count == 1)
        #expect(air.log.text.contains("fault of Strap: next read of 2A38: error 0x0e"))
    }

    @Test("Reads return another value, every second one; a long one counts once", .air)
    func otherValue() throws {
        let air = Air.current
        let thing = air.add(thing(mtu: 23))
        thing.setValue(Self.long, of: "FFE1")
        let (monitor, peripheral, value) = try connected(air, to: "FFE0", knowing: "FFE1")
        air.inject(into: thing) { Fault.read(of: "FFE1", .every(2), returns: [7]) }
        for _ in 0..<4 { peripheral.readValue(for: value) }
        try air.run(until: monitor.values.count == 4)
        #expect(monitor.values == [Data(Self.long), Data([7]), Data(Self.long), Data([7])])
    }

    @Test("A request without an answer ends the connection after 30 s, as the Core Specification has it", .air)
    func noAnswer() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor())
        let (monitor, peripheral, location) = try connected(air)
        sensor.inject { Fault.read(.next, .noAnswer) }
        let begin = air.now
        peripheral.readValue(for: location)
        try air.run(until: monitor.disconnections.count == 1, within: .seconds(40))
        #expect(air.now - begin > .seconds(29) && air.now - begin < .seconds(32))
    }

    @Test("A write is late, refused, or ends the connection; nothing of the last two is written", .air)
    func writes() throws {
        let air = Air.current
        let thing = air.add(thing())
        let (monitor, peripheral, value) = try connected(air, to: "FFE0", knowing: "FFE1")
        air.inject(into: thing) {
            Fault.write(to: "FFE1", .number(1), .late(.seconds(3)))
            Fault.write(to: "FFE1", .number(2), .error(CBATTError.Code(rawValue: 0x80)!))
            Fault.write(to: "FFE1", .number(4), .disconnect)
        }
        let begin = air.now
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        try air.run(until: monitor.writeErrors.count == 1)
        #expect(air.now - begin >= .seconds(3) && monitor.writeErrors[0] == nil)
        peripheral.writeValue(Data([2]), for: value, type: .withResponse)
        peripheral.writeValue(Data([3]), for: value, type: .withResponse)
        try air.run(until: monitor.writeErrors.count == 3)
        #expect((monitor.writeErrors[1] as? CBATTError)?.code.rawValue == 0x80 && monitor.writeErrors[2] == nil)
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        try air.run(until: monitor.disconnections.count == 1)
        #expect(thing.writes(to: "FFE1") == [Data([1]), Data([3])])
    }

    @Test("Of writes without response that fail the device hears nothing, and the app no error", .air)
    func commands() throws {
        let air = Air.current
        let thing = air.add(thing())
        let (monitor, peripheral, value) = try connected(air, to: "FFE0", knowing: "FFE1")
        air.inject(into: thing) { Fault.write(to: "FFE1", .every(3), .error(.insufficientResources)) }
        for number in 1...6 { peripheral.writeValue(Data([UInt8(number)]), for: value, type: .withoutResponse) }
        air.run(for: .seconds(2))
        #expect(thing.writes(to: "FFE1") == [1, 2, 4, 5].map { Data([$0]) } && monitor.isConnected)
    }

    @Test("In the middle of a long write the connection ends: nothing of it is written, and the next one is", .air)
    func longWrite() throws {
        let air = Air.current
        let thing = air.add(thing(mtu: 23))
        let (monitor, peripheral, value) = try connected(air, to: "FFE0", knowing: "FFE1")
        let faults = air.inject(into: thing) { Fault.longWrite(to: "FFE1", .next, afterPart: 2, .disconnect) }
        peripheral.writeValue(Data(Self.long), for: value, type: .withResponse)
        try air.run(until: monitor.disconnections.count == 1)
        #expect(thing.writes(to: "FFE1").isEmpty && faults.count == 1)
        // Prepare Write Requests on the ATT channel: of 200 bytes at an MTU of 23 there would be twelve.
        let parts = air.log.packets(from: air.phone).count { packet in
            packet.channel < 37 && packet.bytes.count > 13 && Array(packet.bytes[8...10]) == [0x04, 0x00, 0x16]
        }
        #expect((2...3).contains(parts))
        let old = value
        try air.run(until: monitor.characteristic("FFE1").map { $0 !== old } ?? false)
        peripheral.writeValue(Data(Self.long), for: try #require(monitor.characteristic("FFE1")), type: .withResponse)
        try air.run(until: thing.writes(to: "FFE1") == [Data(Self.long)])
    }

    // MARK: Connections

    @Test("Every third connection attempt fails, and the app is told so", .air)
    func everyThirdAttempt() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor())
        let faults = air.inject(into: sensor) { Fault.connection(.every(3), .fails) }
        let caller = Caller()
        try air.run(until: caller.heard.count { $0 != "disconnected" } == 6, within: .seconds(60))
        let round = ["connected", "disconnected", "connected", "disconnected", "failed 10"]
        #expect(Array(caller.heard.prefix(10)) == round + round && faults.count == 2)
    }

    @Test("The same for all that a phone connects to", .air)
    func attemptsOfPhone() throws {
        let air = Air.current
        air.add(HeartRateSensor())
        air.inject(into: air.phone) { Fault.connection(.first(2), .fails) }
        let caller = Caller()
        try air.run(until: caller.heard.count == 4, within: .seconds(60))
        #expect(caller.heard == ["failed 10", "failed 10", "connected", "disconnected"])
    }

    @Test("A key fob ends its next connection after a second; an app of another phone does not answer a read", .air)
    func otherDevices() throws {
        let air = Air.current
        let fob = air.addKeyFob()
        fob.click(.right)
        air.inject(into: fob) { Fault.connection(.next, .ends(after: .seconds(1))) }
        let monitor = Monitor("1803")
        try air.run(until: monitor.isConnected)
        let begin = air.now
        try air.run(until: monitor.disconnections.count == 1)
        #expect(air.now - begin < .seconds(2))
        #expect((monitor.disconnections[0] as? CBError)?.code == .peripheralDisconnected)

        try withAir(seed: 2) { air in
            let two = air.addPhone(named: "two", at: .metres(1))
            let publisher = HeartRatePublisher(environment: two.addApp().environment)
            let (monitor, peripheral, measurement) = try connected(air, knowing: "2A37")
            air.inject(into: two) { Fault.read(of: "2A37", .next, .error(.readNotPermitted)) }
            peripheral.readValue(for: measurement)
            try air.run(until: monitor.readErrors.count == 1)
            #expect((monitor.readErrors[0] as? CBATTError)?.code == .readNotPermitted)
            withExtendedLifetime(publisher) {}
        }
    }

    @Test("Silence that is shorter than the supervision timeout is not noticed, a longer one ends the connection", .air)
    func silence() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor())
        let (monitor, _, _) = try connected(air)
        air.inject(into: sensor) {
            Fault.after(.seconds(1), .silence(.milliseconds(500)))
            Fault.after(.seconds(10), .silence(.seconds(20)))
        }
        air.run(for: .seconds(9))
        #expect(monitor.disconnections.isEmpty)
        try air.run(until: monitor.disconnections.count == 1)
        #expect((monitor.disconnections[0] as? CBError)?.code == .connectionTimeout)
        // Heard again, and what the test had said about losses holds as before.
        try air.run(until: monitor.isConnected, within: .seconds(60))
        air.cut(sensor, from: air.phone)
        air.inject(into: sensor) { Fault.after(.zero, .silence(.milliseconds(10))) }
        air.run(for: .seconds(60))
        #expect(!monitor.isConnected)
    }

    // MARK: Scripts

    @Test("A share of all reads fails, which the seed decides: the same in each run, another with another seed")
    func share() throws {
        func outcomes(seed: UInt64) throws -> ([Bool], String) {
            try withAir(seed: seed) { air in
                let sensor = air.add(HeartRateSensor())
                let (monitor, peripheral, location) = try connected(air)
                air.inject(into: sensor) { Fault.read(of: "2A38", .share(0.5), .error(.unlikelyError)) }
                var outcomes: [Bool] = []
                for _ in 0..<40 {
                    let failed = monitor.readErrors.count
                    let read = sensor.readCount(of: "2A38")
                    peripheral.readValue(for: location)
                    try air.run(until: monitor.readErrors.count > failed || sensor.readCount(of: "2A38") > read)
                    outcomes.append(monitor.readErrors.count > failed)
                }
                return (outcomes, air.digest)
            }
        }
        let one = try outcomes(seed: 1)
        #expect(try one == outcomes(seed: 1))
        #expect(try one.0 != outcomes(seed: 2).0)
        #expect((10...30).contains(one.0.count { $0 }))
    }

    @Test("What has been ended does not happen any more, and what was not asked for is awaited", .air)
    func ended() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor())
        let (monitor, peripheral, location) = try connected(air)
        let script: FaultScript = [
            .read(of: "2A38", .always, .error(.unlikelyError)), .write(to: "2A39", .next, .noAnswer),
        ]
        let faults = air.inject(script, into: sensor)
        peripheral.readValue(for: location)
        try air.run(until: monitor.readErrors.count == 1)
        #expect(faults.awaited == [.write(to: "2A39", .next, .noAnswer)])
        faults.end()
        peripheral.readValue(for: location)
        try air.run(until: monitor.values.contains(Data([1])))
        #expect(monitor.readErrors.count == 1)
    }

    @Test("A script is a value: built with conditions and loops, equal to one that says the same, printed in words")
    func values() {
        func script(_ isRough: Bool) -> FaultScript {
            FaultScript {
                Fault.read(of: "2A38", .next, .error(.unlikelyError))
                if isRough { Fault.connection(.every(3), .fails) }
                for part in 1...2 { Fault.longWrite(to: CBUUID(string: "FFE1"), .next, afterPart: part, .disconnect) }
            }
        }
        #expect(script(false).faults.count == 3 && script(true) == script(true) && script(true) != script(false))
        #expect(
            script(true).faults.map(\.description) == [
                "next read of 2A38: error 0x0e", "every 3. connection: fails",
                "next long write to FFE1, after part 1: the connection ends",
                "next long write to FFE1, after part 2: the connection ends",
            ]
        )
    }

    @Test("Numbers that make no sense stop the process, and so does a device that takes no faults")
    func wrong() async {
        func expect(_ words: String, in result: ExitTest.Result?) {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(words), "\(text.suffix(300))")
        }
        let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Fault.read(.every(0), .noAnswer)
        }
        expect("occasions count from 1, not from 0", in: number)
        let share = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Fault.read(.share(1.5), .noAnswer)
        }
        expect("a share is a number from 0 to 1, not 1.5", in: share)
        let part = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Fault.longWrite(.next, afterPart: 0, .disconnect)
        }
        expect("the parts of a long write count from 1, not from 0", in: part)
        let device = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            withAir { air in
                let sensor = air.add(HeartRateSensor())
                air.remove(sensor)
                air.inject(into: sensor) { Fault.connection(.next, .fails) }
            }
        }
        expect("takes no faults", in: device)
    }
}

/// Connects, leaves, and connects again, for ever.
private final class Caller: NSObject, CBCentralManagerDelegate {
    private(set) var heard: [String] = []
    private var peripheral: CBPeripheral?
    private var manager: CBCentralManager!

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        heard.append("connected")
        central.cancelPeripheralConnection(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        heard.append("failed \((error as? CBError)?.code.rawValue ?? -1)")
        central.connect(peripheral)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        heard.append("disconnected")
        central.connect(peripheral)
    }
}
