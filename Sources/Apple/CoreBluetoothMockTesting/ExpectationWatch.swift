import Foundation
import XCTest

/// Looks whether a wait for expectations is over, and has XCTest judge it when it is.
///
/// `@unchecked Sendable`: XCTest's own classes lock themselves.
final class ExpectationWatch: @unchecked Sendable {
    private let expectations: [XCTestExpectation]
    private let enforcesOrder: Bool
    private let inTurn: [XCTestExpectation]
    private let inverted: [XCTestExpectation]

    init(_ expectations: [XCTestExpectation], enforcesOrder: Bool) {
        self.expectations = expectations
        self.enforcesOrder = enforcesOrder
        inTurn = expectations.filter { !$0.isInverted }
        inverted = expectations.filter(\.isInverted)
    }

    /// Whether nothing is to be waited for any more, but the end of the time.
    var isOver: Bool {
        for expectation in expectations { evaluate(expectation) }
        var done: [(turn: UInt64, expectation: XCTestExpectation)] = []
        for expectation in inTurn {
            guard let state = state(of: expectation) else { return true }
            if state.isFulfilled { done.append((state.turn, expectation)) }
        }
        if inverted.contains(where: { state(of: $0)?.isFulfilled ?? true }) { return true }
        if done.count == inTurn.count, inverted.isEmpty { return true }
        guard enforcesOrder else { return false }
        done.sort { $0.turn < $1.turn }
        return zip(done, inTurn).contains { $0.expectation !== $1 }
    }

    private func state(of expectation: XCTestExpectation) -> ExpectationState? {
        // XCTest's lock is taken for this: what was fulfilled before, on whatever thread, is seen.
        _ = expectation.isInverted
        return ExpectationState(of: expectation)
    }

    /// XCTest asks a predicate every ten milliseconds of real time, which may be hours here.
    private func evaluate(_ expectation: XCTestExpectation) {
        guard let expectation = expectation as? XCTNSPredicateExpectation, state(of: expectation)?.isFulfilled == false,
            expectation.predicate.evaluate(with: expectation.object), expectation.handler?() ?? true
        else { return }
        expectation.fulfill()
    }

    /// Ends the wait: how it went, and a sentence if that is a failure.
    ///
    /// - Parameters:
    ///   - timeout: how long it could last, in seconds of the simulation.
    ///   - waiter: whose wait it is.
    func end(
        after timeout: TimeInterval,
        waiter: XCTWaiter = XCTWaiter()
    ) -> (result: XCTWaiter.Result, failure: String?) {
        let isReadable = expectations.allSatisfy { state(of: $0) != nil }
        // A test case would say that a wait of no time was too long.
        let delegate = waiter.delegate
        let report = WaitReport(timeout: timeout)
        if delegate == nil || delegate is XCTestCase { waiter.delegate = report }
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let judge = waiter
        nonisolated(unsafe) var result = XCTWaiter.Result.completed
        // Nothing of the app runs while XCTest waits: this thread's run loop has nothing else.
        Thread.detachNewThread { [self] in
            result = judge.wait(for: expectations, timeout: 0, enforceOrder: enforcesOrder, file: #file)
            done.signal()
        }
        done.wait()
        waiter.delegate = delegate
        guard isReadable else {
            return (result, "this XCTest hides what is fulfilled: without invokeInSimulation, tests wait in real time")
        }
        return (result, report.failure)
    }
}

/// Hears from XCTest how a wait went.
///
/// `@unchecked Sendable`: XCTest calls it on one queue, and nobody else does before the wait has returned.
private final class WaitReport: XCTWaiterDelegate, @unchecked Sendable {
    private(set) var failure: String?
    private let timeout: TimeInterval

    init(timeout: TimeInterval) { self.timeout = timeout }

    func waiter(_ waiter: XCTWaiter, didTimeoutWithUnfulfilledExpectations open: [XCTestExpectation]) {
        let names = open.map(\.expectationDescription).joined(separator: ", ")
        failure = "not within \(timeout) s of the simulation: \(names)"
    }

    func waiter(
        _ waiter: XCTWaiter,
        fulfillmentDidViolateOrderingConstraintsFor expectation: XCTestExpectation,
        requiredExpectation: XCTestExpectation
    ) {
        failure =
            "fulfilled in another order: \(expectation.expectationDescription), "
            + "where \(requiredExpectation.expectationDescription) comes first"
    }

    func waiter(_ waiter: XCTWaiter, didFulfillInvertedExpectation expectation: XCTestExpectation) {
        failure = "fulfilled, and should not have been: \(expectation.expectationDescription)"
    }
}
