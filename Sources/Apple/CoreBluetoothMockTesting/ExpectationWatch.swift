import Foundation
import XCTest

/// Looks which expectations are fulfilled, while another thread waits for them in XCTest's way.
///
/// `@unchecked Sendable`: XCTest's own classes lock themselves.
final class ExpectationWatch: @unchecked Sendable {
    private let expectations: [XCTestExpectation]
    private let enforcesOrder: Bool
    private let waiter = XCTWaiter()
    /// Fulfilled from the beginning: when the waiter names it, it waits.
    private let begun = XCTestExpectation(description: "the wait has begun")
    /// Ends the wait: an inverted one does, as soon as it is fulfilled.
    private let over = XCTestExpectation(description: "the wait is over")
    private let ended = DispatchSemaphore(value: 0)

    init(_ expectations: [XCTestExpectation], enforcesOrder: Bool) {
        self.expectations = expectations
        self.enforcesOrder = enforcesOrder
        over.isInverted = true
        begun.fulfill()
        Thread.detachNewThread { [self] in
            waiter.wait(for: expectations + [begun, over], timeout: 86_400)
            ended.signal()
        }
        while !waiter.fulfilledExpectations.contains(begun) { usleep(20) }
    }

    /// In the order in which they were.
    private var fulfilled: [XCTestExpectation] {
        waiter.fulfilledExpectations.filter { expectations.contains($0) }
    }

    private var open: [XCTestExpectation] {
        let fulfilled = fulfilled
        return expectations.filter { !$0.isInverted && !fulfilled.contains($0) }
    }

    private var isOutOfOrder: Bool {
        let inTurn = expectations.filter { !$0.isInverted }
        return enforcesOrder && zip(fulfilled.filter { !$0.isInverted }, inTurn).contains { $0 !== $1 }
    }

    /// Whether nothing is to be waited for any more, but the end of the time.
    var isOver: Bool {
        fulfilled.contains(where: \.isInverted) || isOutOfOrder
            || open.isEmpty && !expectations.contains(where: \.isInverted)
    }

    /// Ends the wait: how it went, and a sentence if that is a failure.
    func end(after timeout: TimeInterval) -> (result: XCTWaiter.Result, failure: String?) {
        let (open, isOutOfOrder, fulfilled) = (open, isOutOfOrder, fulfilled)
        over.fulfill()
        ended.wait()
        func names(_ list: [XCTestExpectation]) -> String { list.map(\.expectationDescription).joined(separator: ", ") }
        let unwanted = fulfilled.filter(\.isInverted)
        if !unwanted.isEmpty {
            return (.invertedFulfillment, "fulfilled, and should not have been: \(names(unwanted))")
        }
        if isOutOfOrder { return (.incorrectOrder, "fulfilled in another order: \(names(fulfilled))") }
        if !open.isEmpty { return (.timedOut, "not within \(timeout) s of the simulation: \(names(open))") }
        return (.completed, nil)
    }
}
