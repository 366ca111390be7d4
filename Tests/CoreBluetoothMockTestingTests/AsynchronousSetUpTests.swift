import BluethroatTesting
import CoreBluetoothMock
import XCTest

@testable import CoreBluetoothMockTesting

/// Tests that wait by calls after XCTest has awaited what sets them up: time passes in one of these ways at once.
final class AsynchronousSetUpTests: XCTestCase {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUp() async throws {
        // The main thread serves its queue, as on a busy machine it does for an empty set-up, too.
        for _ in 0..<100 { await MainActor.run {} }
    }

    func testNoTimePassesUntilACallWaits() {
        XCTAssertEqual(Air.current.now, .zero)
        for seconds in 1...50 {
            XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: 1), .timedOut)
            XCTAssertEqual(Air.current.now, .seconds(seconds))
        }
    }

    func testTimePassesInATestThatIsATask() async throws {
        let start = Air.current.now
        try await Task.sleep(for: .seconds(50))
        XCTAssertEqual(Air.current.now - start, .seconds(50))
    }
}

/// The same where time has passed in what sets them up.
final class SleepingSetUpTests: XCTestCase {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUp() async throws { try await Task.sleep(for: .seconds(5)) }

    func testNoMoreTimePassesUntilACallWaits() {
        for seconds in 1...50 {
            XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: 1), .timedOut)
            XCTAssertEqual(Air.current.now, .seconds(5 + seconds))
        }
    }
}
