import CoreBluetoothMock
import XCTest

@testable import Doorbell

class DoorbellTests: XCTestCase {
    private let bell = CBMCharacteristicMock(
        type: DoorbellMonitor.bell,
        properties: .notify,
        descriptors: CBMClientCharacteristicConfigurationDescriptorMock()
    )
    private var doorbell: CBMPeripheralSpec!

    private struct Delegate: CBMPeripheralSpecDelegate {}

    override func setUp() {
        super.setUp()
        let service = CBMServiceMock(type: DoorbellMonitor.service, primary: true, characteristics: bell)
        doorbell = CBMPeripheralSpec.simulatePeripheral(proximity: .near)
            .advertising(
                advertisementData: [
                    CBMAdvertisementDataServiceUUIDsKey: [DoorbellMonitor.service],
                    CBMAdvertisementDataIsConnectable: true as NSNumber,
                ]
            )
            .connectable(name: "Doorbell", services: [service], delegate: Delegate())
            .build()
        CBMCentralManagerMock.simulatePeripherals([doorbell])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    override func tearDown() {
        CBMCentralManagerMock.tearDownSimulation()
        super.tearDown()
    }

    private func readyMonitor() -> DoorbellMonitor {
        let monitor = DoorbellMonitor()
        let ready = XCTestExpectation(description: "Ready")
        monitor.onReady = { ready.fulfill() }
        wait(for: [ready], timeout: 5)
        return monitor
    }

    func testRing() {
        let monitor = readyMonitor()
        let rang = XCTestExpectation(description: "Rang")
        monitor.onRing = { rang.fulfill() }
        doorbell.simulateValueUpdate(Data([1]), for: bell)
        wait(for: [rang], timeout: 2)
    }

    func testComesBackAfterReset() {
        let monitor = readyMonitor()
        let lost = XCTestExpectation(description: "Lost")
        let ready = XCTestExpectation(description: "Ready again")
        monitor.onLost = { lost.fulfill() }
        monitor.onReady = { ready.fulfill() }
        doorbell.simulateReset()
        wait(for: [lost, ready], timeout: 10, enforceOrder: true)
    }

    func testStaysQuiet() {
        let monitor = readyMonitor()
        let rang = XCTestExpectation(description: "Rang")
        rang.isInverted = true
        monitor.onRing = { rang.fulfill() }
        doorbell.simulateValueUpdate(Data([0]), for: bell)
        wait(for: [rang], timeout: 3)
        withExtendedLifetime(monitor) {}
    }
}
