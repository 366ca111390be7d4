import BluethroatTesting
import CoreBluetooth
import CoreBluetoothMock
import Foundation
import Testing

/// The examples of docs/coming-from-a-mock.md, letter by letter; `Tests/Repository/test_mock_page.py` compares them. One test in both
/// forms, and what both need that is not on the page.
struct MovingOnTests {
    @Suite("A test for the original")
    struct MockTests {
        @Test(.air) func losesTheCell() throws {
            let level = CBMCharacteristicMock(type: CBMUUID(string: "2A19"), properties: .read)
            let battery = CBMServiceMock(type: CBMUUID(string: "180F"), primary: true, characteristics: level)
            let cell = CBMPeripheralSpec.simulatePeripheral(proximity: .near)
                .advertising(advertisementData: [
                    CBMAdvertisementDataServiceUUIDsKey: [CBMUUID(string: "180F")],
                    CBMAdvertisementDataIsConnectable: true,
                ])
                .connectable(name: "Cell", services: [battery], delegate: CellDelegate())
                .build()
            CBMCentralManagerMock.simulatePeripherals([cell])
            CBMCentralManagerMock.simulateInitialState(.poweredOn)
            let app = BatteryApp()
            try Air.current.run(until: app.level == 80)
            cell.simulateProximityChange(.outOfRange)
            try Air.current.run(until: app.losses == 1)
        }
    }

    @Suite("The same test without the mock")
    struct CoreBluetoothTests {
        @Test(.air) func losesTheCell() throws {
            let air = Air.current
            let level = SimulatedCharacteristic("2A19", .read, onRead: { Data([80]) })
            let battery = SimulatedService("180F", characteristics: [level])
            let cell = air.add(SimulatedPeripheral(named: "Cell", services: [battery]), at: .near)
            let app = BatteryApp()
            try air.run(until: app.level == 80)
            air.move(cell, to: .outOfRange)
            try air.run(until: app.losses == 1)
        }
    }
}

extension MovingOnTests.MockTests {
    fileprivate final class CellDelegate: CBMPeripheralSpecDelegate {
        func peripheral(
            _ peripheral: CBMPeripheralSpec,
            didReceiveReadRequestFor characteristic: CBMCharacteristicMock
        ) -> Result<Data, any Error> { .success(Data([80])) }
    }

    /// Reads the level of a battery once it has found one.
    fileprivate final class BatteryApp: CBMCentralManagerDelegate, CBMPeripheralDelegate {
        private let manager = CBMCentralManagerFactory.instance(forceMock: true)
        private var peripheral: (any CBMPeripheral)?
        private(set) var level: UInt8?
        private(set) var losses = 0

        init() { manager.delegate = self }

        func centralManagerDidUpdateState(_ central: CBMCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBMUUID(string: "180F")]) }
        }

        func centralManager(
            _ central: CBMCentralManager,
            didDiscover peripheral: any CBMPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            self.peripheral = peripheral
            peripheral.delegate = self
            central.stopScan()
            central.connect(peripheral)
        }

        func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
            peripheral.discoverServices([CBMUUID(string: "180F")])
        }

        func centralManager(
            _ central: CBMCentralManager,
            didDisconnectPeripheral peripheral: any CBMPeripheral,
            error: (any Error)?
        ) {
            losses += 1
        }

        func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
            for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        }

        func peripheral(
            _ peripheral: any CBMPeripheral,
            didDiscoverCharacteristicsFor service: CBMService,
            error: (any Error)?
        ) {
            for value in service.characteristics ?? [] { peripheral.readValue(for: value) }
        }

        func peripheral(
            _ peripheral: any CBMPeripheral,
            didUpdateValueFor characteristic: CBMCharacteristic,
            error: (any Error)?
        ) {
            level = characteristic.value?.first
        }
    }
}

extension MovingOnTests.CoreBluetoothTests {
    /// The same app, as `Scripts/leave-the-mock` leaves it.
    fileprivate final class BatteryApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
        private let manager = CBCentralManager(delegate: nil, queue: nil)
        private var peripheral: CBPeripheral?
        private(set) var level: UInt8?
        private(set) var losses = 0

        override init() {
            super.init()
            manager.delegate = self
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180F")]) }
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
            peripheral.discoverServices([CBUUID(string: "180F")])
        }

        func centralManager(
            _ central: CBCentralManager,
            didDisconnectPeripheral peripheral: CBPeripheral,
            error: (any Error)?
        ) {
            losses += 1
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didDiscoverCharacteristicsFor service: CBService,
            error: (any Error)?
        ) {
            for value in service.characteristics ?? [] { peripheral.readValue(for: value) }
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didUpdateValueFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            level = characteristic.value?.first
        }
    }
}
