import BluethroatTesting
import CoreBluetoothMock
import CoreBluetoothMockTesting
import XCTest

/// Each of these fails, if it is asked to: `Tests/Repository/test_waits.py` does, and looks at what is said.
final class FailingWaits: XCTestCase {
    private let bell = XCTestExpectation(description: "the bell")

    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUpWithError() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["BLUETHROAT_FAIL_ON_PURPOSE"] != nil)
    }

    private func alarm() -> XCTestExpectation {
        let alarm = XCTestExpectation(description: "the alarm")
        alarm.isInverted = true
        Air.current.after(.seconds(2)) { _ in alarm.fulfill() }
        return alarm
    }

    private func outOfOrder() -> [XCTestExpectation] {
        let first = XCTestExpectation(description: "first"), second = XCTestExpectation(description: "second")
        Air.current.after(.seconds(2)) { _ in second.fulfill() }
        Air.current.after(.seconds(3)) { _ in first.fulfill() }
        return [first, second]
    }

    func testTimeout() { wait(for: [bell], timeout: 7) }

    func testTimeoutInOrder() { wait(for: [bell], timeout: 7, enforceOrder: true) }

    func testTimeoutOfATask() async { await fulfillment(of: [bell], timeout: 7) }

    func testTimeoutOfKeptExpectations() {
        expectation(description: "the bell")
        var error: Error?
        waitForExpectations(timeout: 7) { error = $0 }
        print("told: \((error as? XCTestError)?.code == .timeoutWhileWaiting)")
    }

    func testTimeoutWithAHandler() {
        expectation(description: "the bell")
        waitForExpectations(timeout: 7, handler: nil)
    }

    func testTimeoutOfAWaiterInOrder() {
        XCTWaiter(delegate: self).wait(for: [bell], timeout: 7, enforceOrder: true)
    }

    func testTimeoutOfAWaiter() { XCTWaiter(delegate: self).wait(for: [bell], timeout: 7) }

    func testInverted() { wait(for: [alarm()], timeout: 7) }

    func testInvertedOfATask() async { await fulfillment(of: [alarm()], timeout: 7) }

    func testInvertedOfKeptExpectations() {
        let alarm = expectation(description: "the alarm")
        alarm.isInverted = true
        Air.current.after(.seconds(2)) { _ in alarm.fulfill() }
        waitForExpectations(timeout: 7)
    }

    func testOrder() { wait(for: outOfOrder(), timeout: 7, enforceOrder: true) }

    func testOrderOfATask() async { await fulfillment(of: outOfOrder(), timeout: 7, enforceOrder: true) }

    func testNothingIsExpected() { waitForExpectations(timeout: 7) }

    func testWhatIsKeptIsNotWaitedFor() { expectation(description: "the bell") }
}

/// The same without a simulation.
final class FailingRealWaits: XCTestCase {
    override func setUpWithError() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["BLUETHROAT_FAIL_ON_PURPOSE"] != nil)
    }

    func testInOrder() {
        wait(for: [XCTestExpectation(description: "the bell")], timeout: 0.01, enforceOrder: true)
    }

    func testWithAHandler() {
        expectation(description: "the bell")
        waitForExpectations(timeout: 0.01, handler: nil)
    }
}
