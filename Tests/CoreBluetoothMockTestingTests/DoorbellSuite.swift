import CoreBluetoothMock
import XCTest

/// Tests as they are written for the original, which wait by the wall clock: here in real time.
class DoorbellSuite: XCTestCase {
    var doorbell: Doorbell!

    override func setUp() {
        super.setUp()
        doorbell = Doorbell()
        CBMCentralManagerMock.simulatePeripherals([doorbell.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    override func tearDown() {
        CBMCentralManagerMock.tearDownSimulation()
        super.tearDown()
    }

    private func readyRemote(queue: DispatchQueue? = nil) -> DoorbellRemote {
        let remote = DoorbellRemote(queue: queue)
        let ready = expectation(description: "ready")
        remote.onReady = { ready.fulfill() }
        wait(for: [ready], timeout: 5)
        return remote
    }

    func testStateIsWhatWasSimulatedAtOnce() {
        let remote = DoorbellRemote()
        XCTAssertEqual(remote.manager.state, .unknown)
        remote.connects = false
        let found = expectation(description: "found")
        remote.onFound = { found.fulfill() }
        wait(for: [found], timeout: 5)
        CBMCentralManagerMock.simulatePowerOff()
        XCTAssertEqual(remote.manager.state, .poweredOff)
        XCTAssertFalse(remote.manager.isScanning)
        let isOn = expectation(description: "on again"), again = expectation(description: "found again")
        remote.onOn = { isOn.fulfill() }
        again.assertForOverFulfill = false
        remote.onFound = { again.fulfill() }
        CBMCentralManagerMock.simulatePowerOn()
        XCTAssertEqual(remote.manager.state, .poweredOn)
        // At once, since it says that it is on.
        remote.manager.scanForPeripherals(withServices: nil)
        XCTAssertTrue(remote.manager.isScanning)
        wait(for: [isOn, again], timeout: 5)
    }

    func testAnotherAppsConnectionIsThereAtOnce() {
        let remote = DoorbellRemote()
        let isOn = expectation(description: "on")
        remote.connects = false
        remote.onOn = { isOn.fulfill() }
        wait(for: [isOn], timeout: 1)
        XCTAssertFalse(doorbell.spec.isConnected)
        doorbell.spec.simulateConnection()
        XCTAssertTrue(doorbell.spec.isConnected)
        XCTAssertEqual(remote.manager.retrieveConnectedPeripherals(withServices: [.doorbell]).count, 1)
        doorbell.spec.simulateDisconnection()
        XCTAssertFalse(doorbell.spec.isConnected)
        XCTAssertTrue(remote.manager.retrieveConnectedPeripherals(withServices: [.doorbell]).isEmpty)
    }

    func testADeviceThatIsConnectedFromTheBeginningIsNotFound() {
        let other = Doorbell(isConnected: true)
        XCTAssertTrue(other.spec.isConnected)
        CBMCentralManagerMock.simulatePeripherals([other.spec])
        let remote = DoorbellRemote()
        let found = expectation(description: "found")
        found.isInverted = true
        remote.onFound = { found.fulfill() }
        wait(for: [found], timeout: 2)
        XCTAssertEqual(
            remote.manager.retrieveConnectedPeripherals(withServices: [.doorbell]).map { $0.identifier },
            [other.spec.identifier]
        )
    }

    func testResetIsATimeoutAndNothingIsHeardAfterIt() {
        let remote = readyRemote()
        let gone = expectation(description: "gone"), ring = expectation(description: "ring")
        ring.isInverted = true
        remote.onRing = { _ in ring.fulfill() }
        remote.onGone = { error in
            XCTAssertEqual((error as? CBMError)?.code, .connectionTimeout)
            gone.fulfill()
        }
        doorbell.spec.simulateReset()
        XCTAssertFalse(doorbell.spec.isConnected)
        doorbell.spec.simulateValueUpdate(Data([1]), for: doorbell.bell)
        wait(for: [gone, ring], timeout: 7)
    }

    func testOutOfRangeIsATimeout() {
        let remote = readyRemote()
        let gone = expectation(description: "gone")
        remote.onGone = { error in
            XCTAssertEqual((error as? CBMError)?.code, .connectionTimeout)
            gone.fulfill()
        }
        doorbell.spec.simulateProximityChange(.outOfRange)
        XCTAssertFalse(doorbell.spec.isConnected)
        waitForExpectations(timeout: 7)
        XCTAssertEqual(remote.peripheral?.state, .disconnected)
    }

    func testDisconnection() {
        let remote = readyRemote()
        let gone = expectation(description: "gone")
        remote.onGone = { error in
            XCTAssertEqual((error as? CBMError)?.code, .peripheralDisconnected)
            gone.fulfill()
        }
        doorbell.spec.simulateDisconnection()
        XCTAssertFalse(doorbell.spec.isConnected)
        waitForExpectations(timeout: 3, handler: nil)
    }

    func testRingsInOrder() {
        let remote = readyRemote()
        let rings = expectation(description: "rings")
        rings.expectedFulfillmentCount = 3
        var heard: [UInt8?] = []
        remote.onRing = { value in
            heard.append(value?.first)
            rings.fulfill()
        }
        for number in 1...3 { doorbell.spec.simulateValueUpdate(Data([UInt8(number)]), for: doorbell.bell) }
        wait(for: [rings], timeout: 3)
        XCTAssertEqual(heard, [1, 2, 3])
    }

    func testVolumeIsWrittenAndRead() throws {
        let remote = readyRemote()
        let peripheral = try XCTUnwrap(remote.peripheral), volume = try XCTUnwrap(remote.volume)
        let written = expectation(description: "written"), read = expectation(description: "read")
        remote.onWritten = { error in
            XCTAssertNil(error)
            written.fulfill()
        }
        remote.onVolume = { value, _ in
            XCTAssertEqual(value, Data([7]))
            read.fulfill()
        }
        peripheral.writeValue(Data([7]), for: volume, type: .withResponse)
        peripheral.readValue(for: volume)
        wait(for: [written, read], timeout: 3, enforceOrder: true)
        XCTAssertEqual(doorbell.delegate.volume, 7)
    }

    func testRefusedWriteSaysWhy() throws {
        let remote = readyRemote()
        let refused = expectation(description: "refused")
        remote.onWritten = { error in
            XCTAssertEqual((error as? CBMATTError)?.code, .invalidAttributeValueLength)
            refused.fulfill()
        }
        let volume = try XCTUnwrap(remote.volume)
        remote.peripheral?.writeValue(Data([99]), for: volume, type: .withResponse)
        wait(for: [refused], timeout: 3)
    }

    func testAppWithAQueueOfItsOwn() {
        let remote = readyRemote(queue: DispatchQueue(label: "app"))
        let rang = expectation(description: "rang on the main queue")
        remote.onRing = { _ in DispatchQueue.main.async { rang.fulfill() } }
        doorbell.spec.simulateValueUpdate(Data([1]), for: doorbell.bell)
        wait(for: [rang], timeout: 3)
    }

    func testServicesChange() {
        let remote = readyRemote()
        let changed = expectation(description: "changed")
        remote.onChange = { gone in
            XCTAssertEqual(gone.map { $0.uuid }, [.doorbell])
            changed.fulfill()
        }
        let new = CBMServiceMock(type: CBMUUID(string: "180F"), primary: true, characteristics: [])
        doorbell.spec.simulateServiceChange(newName: "Doorbell", newServices: [new])
        wait(for: [changed], timeout: 3)
    }

    func testAnotherAddressIsAnotherDevice() {
        let old = doorbell.spec.identifier
        doorbell.spec.simulateMacChange()
        XCTAssertNotEqual(doorbell.spec.identifier, old)
        let remote = DoorbellRemote()
        remote.connects = false
        let found = expectation(description: "found")
        remote.onFound = { found.fulfill() }
        wait(for: [found], timeout: 3)
        XCTAssertEqual(remote.peripheral?.identifier, doorbell.spec.identifier)
        XCTAssertTrue(remote.manager.retrievePeripherals(withIdentifiers: [old]).isEmpty)
    }
}
