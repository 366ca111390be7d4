import BluethroatTesting
import CoreBluetoothMock
import CoreBluetoothMockTesting
import XCTest

/// Every way in which XCTest waits, in virtual time.
final class WaitTests: XCTestCase {
    private var doorbell: Doorbell!
    private var remote: DoorbellRemote!

    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUp() {
        super.setUp()
        doorbell = Doorbell()
        CBMCentralManagerMock.simulatePeripherals([doorbell.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    /// An expectation that an app is ready, and one that it loses its connection.
    private func expectations() -> (ready: XCTestExpectation, gone: XCTestExpectation) {
        remote = DoorbellRemote()
        let ready = XCTestExpectation(description: "ready"), gone = XCTestExpectation(description: "gone")
        remote.onReady = { ready.fulfill() }
        remote.onGone = { _ in gone.fulfill() }
        return (ready, gone)
    }

    func testFulfillmentWaitsInVirtualTime() async {
        let (ready, gone) = expectations()
        await fulfillment(of: [ready], timeout: 5)
        XCTAssertEqual(remote.peripheral?.state, .connected)
        let start = Air.current.now
        doorbell.spec.simulateReset()
        await fulfillment(of: [gone], timeout: 600)
        XCTAssertGreaterThan(Air.current.now - start, .milliseconds(3_900))
        XCTAssertLessThan(Air.current.now - start, .seconds(5))
    }

    func testFulfillmentInOrderWaitsInVirtualTime() async {
        let (ready, gone) = expectations()
        remote.onRing = { _ in self.doorbell.spec.simulateReset() }
        await fulfillment(of: [ready], timeout: 5, enforceOrder: true)
        doorbell.spec.simulateValueUpdate(Data([1]), for: doorbell.bell)
        await fulfillment(of: [gone], timeout: 600, enforceOrder: true)
        XCTAssertLessThan(Air.current.now, .seconds(30))
    }

    func testAnAsynchronousTestSleepsInVirtualTime() async throws {
        _ = expectations()
        let start = Air.current.now
        try await Task.sleep(for: .seconds(3_600))
        XCTAssertEqual(Air.current.now - start, .seconds(3_600))
        XCTAssertEqual(remote.peripheral?.state, .connected)
    }

    func testAnInvertedExpectationIsAwaitedToItsEnd() async {
        let (ready, gone) = expectations()
        await fulfillment(of: [ready], timeout: 5)
        gone.isInverted = true
        let start = Air.current.now
        await fulfillment(of: [gone], timeout: 1_000)
        XCTAssertEqual(Air.current.now - start, .seconds(1_000))
    }

    func testTheHandlerOfWaitForExpectationsHearsHowItWent() {
        remote = DoorbellRemote()
        let ready = expectation(description: "ready")
        remote.onReady = { ready.fulfill() }
        var errors: [Error?] = []
        waitForExpectations(timeout: 600) { errors.append($0) }
        XCTAssertEqual(errors.count, 1)
        XCTAssertNil(errors.first ?? nil)
        XCTAssertLessThan(Air.current.now, .seconds(30))
    }

    func testAWaiterSaysWhatHasFailed() {
        let (ready, gone) = expectations()
        let never = XCTestExpectation(description: "never"), unwanted = XCTestExpectation(description: "unwanted")
        XCTAssertEqual(XCTWaiter.wait(for: [ready], timeout: 5), .completed)
        let start = Air.current.now
        XCTAssertEqual(XCTWaiter.wait(for: [never], timeout: 100), .timedOut)
        XCTAssertEqual(Air.current.now - start, .seconds(100))
        unwanted.isInverted = true
        unwanted.fulfill()
        XCTAssertEqual(XCTWaiter().wait(for: [unwanted, never], timeout: 100), .invertedFulfillment)
        gone.fulfill()
        ready.fulfill()
        XCTAssertEqual(XCTWaiter.wait(for: [never, gone], timeout: 100, enforceOrder: true), .incorrectOrder)
        XCTAssertEqual(XCTWaiter().wait(for: [gone], timeout: 100, enforceOrder: true), .completed)
        // Only the first wait has lasted to its end.
        XCTAssertEqual(Air.current.now - start, .seconds(100))
    }
}

/// Each of these fails, if it is asked to: `Tests/Repository/test_failure_logs.py` does, and looks at what is said.
final class FailingWaits: XCTestCase {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUpWithError() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["BLUETHROAT_FAIL_ON_PURPOSE"] != nil)
    }

    func testTimeout() { wait(for: [XCTestExpectation(description: "the bell")], timeout: 7) }

    func testTimeoutOfATask() async {
        await fulfillment(of: [XCTestExpectation(description: "the bell")], timeout: 7)
    }

    func testTimeoutOfKeptExpectations() {
        _ = expectation(description: "the bell")
        waitForExpectations(timeout: 7) { XCTAssertEqual(($0 as? XCTestError)?.code, .timeoutWhileWaiting) }
    }

    func testInverted() {
        let alarm = XCTestExpectation(description: "the alarm")
        alarm.isInverted = true
        alarm.fulfill()
        wait(for: [alarm], timeout: 7)
    }

    func testInvertedOfATask() async {
        let alarm = XCTestExpectation(description: "the alarm")
        alarm.isInverted = true
        alarm.fulfill()
        await fulfillment(of: [alarm], timeout: 7)
    }

    func testOrder() {
        let first = XCTestExpectation(description: "first"), second = XCTestExpectation(description: "second")
        second.fulfill()
        first.fulfill()
        wait(for: [first, second], timeout: 7, enforceOrder: true)
    }

    func testOrderOfATask() async {
        let first = XCTestExpectation(description: "first"), second = XCTestExpectation(description: "second")
        second.fulfill()
        first.fulfill()
        await fulfillment(of: [first, second], timeout: 7, enforceOrder: true)
    }
}
