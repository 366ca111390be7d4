import CoreBluetoothMock
import CoreBluetoothMockTesting
import Foundation
import Testing

/// Takes every connection, and answers nothing.
private final class Silent: CBMPeripheralSpecDelegate {}

/// An app that hears everything.
private final class Listener: CBMCentralManagerDelegate, CBMPeripheralDelegate {
    private let connects: Bool
    private(set) var heard: [(name: String?, data: [String: Any])] = []
    private(set) var services: [CBMUUID]?
    private var manager: CBMCentralManager?

    init(connects: Bool = false) {
        self.connects = connects
        manager = CBMCentralManagerFactory.instance(delegate: self, queue: nil, forceMock: true)
    }

    var names: [String?] { heard.map { $0.data[CBMAdvertisementDataLocalNameKey] as? String } }

    func centralManagerDidUpdateState(_ central: CBMCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: nil, options: [CBMCentralManagerScanOptionAllowDuplicatesKey: true])
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append((peripheral.name, advertisementData))
        guard connects, peripheral.state == .disconnected else { return }
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
        services = peripheral.services?.map(\.uuid)
    }
}

@Suite("What is found in a simulation is what the specification has", .simulation)
struct AdvertisementTests {
    private static let service = CBMUUID(string: "00001523-1212-EFDE-1523-785FEABCD123")
    /// With the flags it needs more than 31 bytes: the name is in the scan response.
    private static let whole: [String: Any] = [
        CBMAdvertisementDataLocalNameKey: "nRF Blinky", CBMAdvertisementDataServiceUUIDsKey: [service],
        CBMAdvertisementDataIsConnectable: true as NSNumber,
    ]

    private func simulate(_ services: [CBMServiceMock], beside other: [String: Any]? = nil) -> CBMPeripheralSpec {
        var builder = CBMPeripheralSpec.simulatePeripheral(proximity: .immediate)
        for data in [other, Self.whole].compactMap(\.self) {
            builder = builder.advertising(advertisementData: data, withInterval: 0.250)
        }
        let spec =
            builder
            .connectable(name: "nRF Blinky", services: services, delegate: Silent())
            .build()
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        CBMCentralManagerMock.simulatePeripherals([spec])
        return spec
    }

    @Test(
        "With duplicates each advertisement is reported once and whole, also from the first one on and when it changes"
    )
    func wholeAdvertisements() async throws {
        let spec = simulate([])
        let listener = Listener()
        try await Task.sleep(for: .seconds(10))
        // 250 ms and up to 10 ms, for ten seconds; some are not heard. Twice as many would be the parts.
        #expect((30...45).contains(listener.heard.count), "\(listener.heard.count)")
        #expect(listener.heard.allSatisfy { $0.name == "nRF Blinky" })
        #expect(listener.names.allSatisfy { $0 == "nRF Blinky" })
        var other = Self.whole
        other[CBMAdvertisementDataLocalNameKey] = "nRF Porch"
        other[CBMAdvertisementDataServiceUUIDsKey] = [CBMUUID(string: "180D"), Self.service]
        spec.simulateAdvertisementChange([CBMAdvertisementConfig(data: other, interval: 0.250)])
        let count = listener.heard.count
        try await Task.sleep(for: .seconds(5))
        for report in listener.heard[count...] {
            let hasBoth = (report.data[CBMAdvertisementDataServiceUUIDsKey] as? [CBMUUID])?.count == 2
            #expect(hasBoth == ((report.data[CBMAdvertisementDataLocalNameKey] as? String) == "nRF Porch"))
        }
        #expect(listener.names.last == "nRF Porch")
    }

    @Test("Of two advertisements in turn each is reported as it is, the one with a scan response whole")
    func twoAdvertisements() async throws {
        let other: [String: Any] = [
            CBMAdvertisementDataManufacturerDataKey: Data([0xFF, 0xFF, 1]),
            CBMAdvertisementDataIsConnectable: false as NSNumber,
        ]
        _ = simulate([], beside: other)
        let listener = Listener()
        try await Task.sleep(for: .seconds(20))
        let named = listener.names.count { $0 == "nRF Blinky" }
        let others = listener.heard.count { $0.data[CBMAdvertisementDataManufacturerDataKey] != nil }
        #expect(named + others == listener.heard.count)
        let withServices = listener.heard.count { $0.data[CBMAdvertisementDataServiceUUIDsKey] != nil }
        #expect(named == withServices && named > 20 && others > 20)
    }

    @Test("All services are found, those that the phone's system uses itself, too")
    func systemServices() async throws {
        let numbers = ["1810", "1811", "1812", "1813"]
        _ = simulate(numbers.map { CBMServiceMock(type: CBMUUID(string: $0), primary: true) })
        let listener = Listener(connects: true)
        try await Task.sleep(for: .seconds(5))
        #expect(listener.services?.map(\.uuidString) == numbers)
    }
}
