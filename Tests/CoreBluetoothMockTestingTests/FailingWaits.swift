import BluethroatTesting
import CoreBluetoothMock
import CoreBluetoothMockTesting
import XCTest

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
