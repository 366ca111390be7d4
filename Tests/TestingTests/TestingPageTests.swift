import BluethroatTesting
import CoreBluetooth
import Testing

/// The examples of docs/testing-apps.md, letter by letter; `Tests/Repository/test_testing_page.py` compares them.
@Suite("The examples of the page about testing apps")
struct TestingPageTests {
    @Test(.air) func survivesABadDay() throws {
        let air = Air.current
        let sensor = air.add(HeartRateSensor(named: "Strap"))
        let faults = air.inject(into: sensor) {
            Fault.connection(.every(3), .fails)
            Fault.read(of: "2A38", .next, .error(.unlikelyError))
            Fault.after(.seconds(20), .silence(.seconds(10)))
        }
        let app = StrapApp()
        try air.run(until: app.location == 1 && air.now > .seconds(60), within: .seconds(90))
        #expect(faults.count == 2 && app.errors == 1 && app.losses == 1)
        #expect(faults.awaited == [.connection(.every(3), .fails)])
    }

    @Test(.air) func asksForNothingTooEarly() throws {
        let air = Air.current
        air.add(HeartRateSensor(named: "Strap"))
        let app = StrapApp()
        try air.run(until: app.location == 1)
        air.switchPower(false)
        air.run(for: .seconds(2))
        air.expectNoMisuse(except: [.restorationNotAllowed])
    }

    @Test(.air) func keepsATimeline() throws {
        let air = Air.current
        air.add(HeartRateSensor(named: "Strap"))
        let app = StrapApp()
        try air.run(until: app.location == 1)
        air.log.note("the location is known")
        let lines = air.log.text.split(separator: "\n")
        #expect(lines.contains { $0.contains("iPhone") && $0.contains("app orders: scan for 180D") })
        #expect(lines.contains { $0.contains("Strap") && $0.contains("ADV_IND") })
        #expect(lines.last?.hasSuffix("the location is known") == true)
        Attachment.record(air.log.pcapng, named: "air.pcapng")
    }
}

/// Reads where a sensor is worn, again if that fails, and comes back after a loss.
private final class StrapApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var location: Int?
    private(set) var errors = 0
    private(set) var losses = 0
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?

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
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: "180D")])
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        central.connect(peripheral)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        losses += 1
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        for value in service.characteristics ?? [] where value.uuid == CBUUID(string: "2A38") {
            peripheral.readValue(for: value)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard error == nil else {
            errors += 1
            return peripheral.readValue(for: characteristic)
        }
        location = characteristic.value?.first.map { Int($0) }
    }
}
