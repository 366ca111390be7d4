import BluethroatTesting
import CoreBluetoothMock
import XCTest

@testable import CoreBluetoothMockTesting

/// Every way in which XCTest waits, in virtual time. `Tests/Repository/test_waits.py` runs each also as the first test of a
/// process.
final class WaitTests: XCTestCase {
    private var doorbell: Doorbell!
    private var remote: DoorbellRemote!
    private var start: Duration!

    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func setUp() {
        super.setUp()
        doorbell = Doorbell()
        CBMCentralManagerMock.simulatePeripherals([doorbell.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        remote = DoorbellRemote()
        start = Air.current.now
    }

    private var elapsed: Duration { Air.current.now - start }

    /// What is fulfilled when the app is ready, and what is when its connection has ended.
    private func expectations() -> (ready: XCTestExpectation, gone: XCTestExpectation) {
        let ready = XCTestExpectation(description: "ready"), gone = XCTestExpectation(description: "gone")
        remote.onReady = { ready.fulfill() }
        remote.onGone = { _ in gone.fulfill() }
        return (ready, gone)
    }

    /// A reset is a connection's end after the supervision timeout, four seconds.
    private func assertThatAResetHasEndedIt() {
        XCTAssertEqual(remote.peripheral?.state, .disconnected)
        XCTAssertGreaterThan(elapsed, .milliseconds(3_900))
        XCTAssertLessThan(elapsed, .seconds(8))
    }

    // MARK: Calls

    func testWaitEndsWhenAllAreFulfilled() {
        let (ready, gone) = expectations()
        wait(for: [ready], timeout: 600)
        XCTAssertEqual(remote.peripheral?.state, .connected)
        XCTAssertLessThan(elapsed, .seconds(3))
        doorbell.spec.simulateReset()
        wait(for: [gone], timeout: 600)
        assertThatAResetHasEndedIt()
    }

    func testWaitInOrderEndsWhenAllAreFulfilled() {
        let (ready, gone) = expectations()
        remote.onReady = {
            ready.fulfill()
            self.doorbell.spec.simulateReset()
        }
        wait(for: [ready, gone], timeout: 600, enforceOrder: true)
        assertThatAResetHasEndedIt()
    }

    func testWhatWasFulfilledBeforeIsNotWaitedFor() {
        let (ready, gone) = expectations()
        ready.fulfill()
        gone.fulfill()
        wait(for: [ready, gone], timeout: 600, enforceOrder: true)
        wait(for: [], timeout: 600)
        XCTAssertEqual(elapsed, .zero)
    }

    func testAnExpectationIsFulfilledAsOftenAsItSays() {
        let rings = XCTestExpectation(description: "rings")
        rings.expectedFulfillmentCount = 3
        remote.onReady = { self.doorbell.spec.simulateValueUpdate(Data([1]), for: self.doorbell.bell) }
        remote.onRing = { value in
            rings.fulfill()
            self.doorbell.spec.simulateValueUpdate(Data([1 + (value?.first ?? 0)]), for: self.doorbell.bell)
        }
        var last: UInt8?
        let heard = remote.onRing
        remote.onRing = { value in
            last = value?.first
            heard?(value)
        }
        wait(for: [rings], timeout: 600)
        XCTAssertEqual(last, 3)
        XCTAssertLessThan(elapsed, .seconds(5))
    }

    func testAnInvertedExpectationIsWaitedForToTheEnd() {
        let (ready, gone) = expectations()
        gone.isInverted = true
        wait(for: [ready, gone], timeout: 100)
        XCTAssertEqual(elapsed, .seconds(100))
        XCTAssertEqual(remote.peripheral?.state, .connected)
    }

    func testAWaitWithoutATimeoutLastsAsLongAsItTakes() {
        let (ready, gone) = expectations()
        wait(for: [ready])
        doorbell.spec.simulateReset()
        wait(for: [gone], enforceOrder: true)
        assertThatAResetHasEndedIt()
        // Nothing happens in this hour.
        CBMCentralManagerMock.simulatePeripherals([])
        let before = elapsed
        XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: .infinity), .timedOut)
        XCTAssertEqual(elapsed - before, .seconds(3_600))
        XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: -.infinity), .timedOut)
        XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: .nan), .timedOut)
        XCTAssertEqual(elapsed - before, .seconds(3_600))
    }

    func testWhatAnotherThreadFulfilsEndsTheWait() {
        let (ready, _) = expectations()
        let queue = DispatchQueue(label: "the manager's"), own = DoorbellRemote(queue: queue)
        own.onReady = { ready.fulfill() }
        remote = own
        wait(for: [ready], timeout: 600)
        XCTAssertLessThan(elapsed, .seconds(3))
    }

    // MARK: Expectations that the test case keeps

    func testKeptExpectationsAreWaitedForAndTheHandlerHearsThatAllWentWell() {
        let ready = expectation(description: "ready"), gone = expectation(description: "gone")
        remote.onReady = {
            ready.fulfill()
            self.doorbell.spec.simulateReset()
        }
        remote.onGone = { _ in gone.fulfill() }
        var errors: [Error?] = []
        waitForExpectations(timeout: 600) { errors.append($0) }
        XCTAssertEqual(errors.count, 1)
        XCTAssertNil(errors.first ?? nil)
        assertThatAResetHasEndedIt()
    }

    func testKeptExpectationsAreWaitedForOnce() {
        let ready = expectation(description: "ready")
        remote.onReady = { ready.fulfill() }
        wait(for: [ready], timeout: 600)
        let gone = expectation(description: "gone")
        remote.onGone = { _ in gone.fulfill() }
        doorbell.spec.simulateReset()
        waitForExpectations(timeout: 600)
        assertThatAResetHasEndedIt()
    }

    func testAPredicateIsAskedAsTimeGoesOn() {
        let remote = remote!
        expectation(for: NSPredicate { _, _ in remote.peripheral?.state == .connected }, evaluatedWith: nil)
        waitForExpectations(timeout: 600)
        XCTAssertEqual(remote.peripheral?.state, .connected)
        XCTAssertLessThan(elapsed, .seconds(3))
        let isGone = NSPredicate { _, _ in remote.peripheral?.state == .disconnected }
        nonisolated(unsafe) var asked = 0
        expectation(for: isGone, evaluatedWith: nil) {
            asked += 1
            return asked >= 2
        }
        doorbell.spec.simulateReset()
        waitForExpectations(timeout: 600)
        assertThatAResetHasEndedIt()
        XCTAssertGreaterThanOrEqual(asked, 2)
    }

    func testANotificationEndsTheWait() {
        let name = Notification.Name("ready")
        remote.onReady = { NotificationCenter.default.post(name: name, object: self) }
        expectation(forNotification: name, object: self)
        waitForExpectations(timeout: 600)
        XCTAssertLessThan(elapsed, .seconds(3))
        let other = XCTNSNotificationExpectation(name: name, object: self)
        NotificationCenter.default.post(name: name, object: nil)
        XCTAssertEqual(XCTWaiter.wait(for: [other], timeout: 100), .timedOut)
    }

    // MARK: Waiters

    func testAWaiterSaysHowItWent() {
        let (ready, gone) = expectations()
        XCTAssertEqual(XCTWaiter.wait(for: [ready], timeout: 600), .completed)
        let connected = elapsed
        XCTAssertLessThan(connected, .seconds(3))
        XCTAssertEqual(XCTWaiter.wait(for: [XCTestExpectation(description: "never")], timeout: 100), .timedOut)
        XCTAssertEqual(elapsed - connected, .seconds(100))
        let alarm = XCTestExpectation(description: "alarm")
        alarm.isInverted = true
        remote.onRing = { _ in alarm.fulfill() }
        doorbell.spec.simulateValueUpdate(Data([1]), for: doorbell.bell)
        XCTAssertEqual(XCTWaiter().wait(for: [alarm, gone], timeout: 100), .invertedFulfillment)
        let first = XCTestExpectation(description: "first"), second = XCTestExpectation(description: "second")
        remote.onRing = { _ in second.fulfill() }
        doorbell.spec.simulateValueUpdate(Data([2]), for: doorbell.bell)
        XCTAssertEqual(XCTWaiter.wait(for: [first, second], timeout: 100, enforceOrder: true), .incorrectOrder)
        XCTAssertLessThan(elapsed - connected, .seconds(110), "only one of them has waited to its end")
    }

    func testAWaitersDelegateHearsWhatFailed() {
        let listener = WaiterListener()
        let waiter = XCTWaiter(delegate: listener)
        let never = XCTestExpectation(description: "never"), done = XCTestExpectation(description: "done")
        done.fulfill()
        XCTAssertEqual(waiter.wait(for: [done, never], timeout: 50), .timedOut)
        XCTAssertEqual(listener.open, ["never"])
        XCTAssertEqual(waiter.fulfilledExpectations, [done])
        XCTAssertEqual(elapsed, .seconds(50))
        XCTAssertTrue(waiter.delegate === listener)
    }

    // MARK: Tasks

    func testFulfillmentEndsWhenAllAreFulfilled() async {
        let (ready, gone) = expectations()
        await fulfillment(of: [ready], timeout: 600)
        XCTAssertEqual(remote.peripheral?.state, .connected)
        XCTAssertLessThan(elapsed, .seconds(3))
        doorbell.spec.simulateReset()
        await fulfillment(of: [gone], timeout: 600)
        assertThatAResetHasEndedIt()
    }

    func testFulfillmentWithoutATimeoutLastsAsLongAsItTakes() async {
        let (ready, gone) = expectations()
        await fulfillment(of: [ready])
        doorbell.spec.simulateReset()
        await fulfillment(of: [gone], enforceOrder: true)
        assertThatAResetHasEndedIt()
    }

    func testFulfillmentInOrderEndsWhenAllAreFulfilled() async {
        let (ready, gone) = expectations()
        remote.onReady = {
            ready.fulfill()
            self.doorbell.spec.simulateReset()
        }
        await fulfillment(of: [ready, gone], timeout: 600, enforceOrder: true)
        assertThatAResetHasEndedIt()
    }

    func testFulfillmentWaitsForAnInvertedExpectationToTheEnd() async {
        let (ready, gone) = expectations()
        gone.isInverted = true
        await fulfillment(of: [ready, gone], timeout: 100)
        XCTAssertEqual(elapsed, .seconds(100))
        XCTAssertEqual(remote.peripheral?.state, .connected)
    }

    func testAWaitersFulfillmentSaysHowItWent() async {
        let (ready, gone) = expectations()
        let completed = await XCTWaiter.fulfillment(of: [ready], timeout: 600)
        XCTAssertEqual(completed, .completed)
        let connected = elapsed
        XCTAssertLessThan(connected, .seconds(3))
        let timedOut = await XCTWaiter.fulfillment(of: [gone], timeout: 100)
        XCTAssertEqual(timedOut, .timedOut)
        XCTAssertEqual(elapsed - connected, .seconds(100))
    }

    func testAnAsynchronousTestSleepsInVirtualTime() async throws {
        try await Task.sleep(for: .seconds(120))
        XCTAssertEqual(elapsed, .seconds(120))
        XCTAssertEqual(remote.peripheral?.state, .connected)
        try await Task.sleep(nanoseconds: 5)
        XCTAssertEqual(elapsed, .seconds(120) + .nanoseconds(5))
    }

    func testASleepOfHoursEnds() async throws {
        // Nothing happens in these hours.
        CBMCentralManagerMock.simulatePeripherals([])
        CBMCentralManagerMock.simulatePowerOff()
        try await Task.sleep(for: .seconds(3 * 3_600))
        XCTAssertEqual(elapsed, .seconds(3 * 3_600))
    }

    func testAnAsynchronousTestAwaitsWhatTheAppDoes() async {
        await withCheckedContinuation { continuation in remote.onReady = { continuation.resume() } }
        doorbell.spec.simulateReset()
        await withCheckedContinuation { continuation in remote.onGone = { _ in continuation.resume() } }
        assertThatAResetHasEndedIt()
    }

    // MARK: What XCTest keeps

    func testWhatXCTestKeepsOfAnExpectationIsRead() throws {
        let first = XCTestExpectation(description: "first")
        let second = XCTNSNotificationExpectation(name: Notification.Name("second"))
        XCTAssertEqual(ExpectationState(of: first)?.isFulfilled, false)
        XCTAssertEqual(ExpectationState(of: second)?.isFulfilled, false)
        second.fulfill()
        first.fulfill()
        let states = try [first, second].map { try XCTUnwrap(ExpectationState(of: $0)) }
        XCTAssertTrue(states.allSatisfy(\.isFulfilled))
        XCTAssertGreaterThan(states[0].turn, states[1].turn)
        let other = Mirror(reflecting: (isFulfilled: true, fulfillmentToken: UInt64(1)))
        XCTAssertNil(ExpectationState(readingFrom: other))
        wait(for: [second], timeout: 1)
    }
}

private final class WaiterListener: XCTWaiterDelegate {
    private(set) var open: [String] = []

    func waiter(_ waiter: XCTWaiter, didTimeoutWithUnfulfilledExpectations expectations: [XCTestExpectation]) {
        open += expectations.map(\.expectationDescription)
    }
}
