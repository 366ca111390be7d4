import BluethroatTesting
import Foundation
public import XCTest

// In a module that imports this one these are what the calls of a test find, since they fit better than XCTest's own: with
// fewer arguments that are left out. Without a simulation in virtual time they do what XCTest's do.

extension XCTestCase {
    public func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        wait(for: expectations, timeout: timeout, enforcesOrder: false, file, line)
    }

    public func wait(for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool) {
        wait(for: expectations, timeout: timeout, enforcesOrder: enforceOrder, #filePath, #line)
    }

    private func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforcesOrder: Bool,
        _ file: StaticString,
        _ line: UInt
    ) {
        guard let run = SimulationRun.current else {
            return wait(
                for: expectations,
                timeout: timeout,
                enforceOrder: enforcesOrder,
                file: file,
                line: Int(line)
            )
        }
        let failure = run.wait(for: expectations, timeout, enforcesOrder: enforcesOrder).failure
        if let failure { XCTFail(failure, file: file, line: line) }
    }

    public func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        await fulfillment(of: expectations, timeout: timeout, enforcesOrder: false, file, line)
    }

    public func fulfillment(of expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool) async {
        await fulfillment(of: expectations, timeout: timeout, enforcesOrder: enforceOrder, #filePath, #line)
    }

    private func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforcesOrder: Bool,
        _ file: StaticString,
        _ line: UInt
    ) async {
        guard let run = SimulationRun.current else {
            return await fulfillment(
                of: expectations,
                timeout: timeout,
                enforceOrder: enforcesOrder,
                file: file,
                line: Int(line)
            )
        }
        let watch = ExpectationWatch(expectations, enforcesOrder: enforcesOrder)
        await run.wait(for: .seconds(timeout)) { watch.isOver }
        if let failure = watch.end(after: timeout).failure { XCTFail(failure, file: file, line: line) }
    }

    // MARK: Expectations that a test case keeps

    public func expectation(description: String) -> XCTestExpectation {
        guard let run = SimulationRun.current else { return expectation(description: description, file: #file) }
        let new = XCTestExpectation(description: description)
        run.keep(new)
        return new
    }

    public func waitForExpectations(timeout: TimeInterval) { waitForExpectations(timeout: timeout, handler: nil) }

    public func waitForExpectations(timeout: TimeInterval, handler: XCWaitCompletionHandler?) {
        guard let run = SimulationRun.current else {
            // XCTest calls tests that wait in this way on the main thread.
            let own = MainThreadOnly(value: (self, handler))
            return MainActor.assumeIsolated {
                own.value.0.waitForExpectations(timeout: timeout, file: #filePath, handler: own.value.1)
            }
        }
        let (result, failure) = run.wait(for: run.takeExpectations(), timeout, enforcesOrder: false)
        if let failure { XCTFail(failure) }
        handler?(result == .timedOut ? XCTestError(.timeoutWhileWaiting) : nil)
    }
}

extension XCTWaiter {
    @discardableResult
    public static func wait(for expectations: [XCTestExpectation], timeout: TimeInterval) -> Result {
        wait(for: expectations, timeout: timeout, enforceOrder: false)
    }

    @discardableResult
    public static func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforceOrder: Bool
    ) -> Result {
        guard let run = SimulationRun.current else {
            return wait(for: expectations, timeout: timeout, enforceOrder: enforceOrder, file: #file)
        }
        return run.wait(for: expectations, timeout, enforcesOrder: enforceOrder).result
    }

    @discardableResult
    public func wait(for expectations: [XCTestExpectation], timeout: TimeInterval) -> Result {
        wait(for: expectations, timeout: timeout, enforceOrder: false)
    }

    @discardableResult
    public func wait(for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool) -> Result {
        guard let run = SimulationRun.current else {
            return wait(for: expectations, timeout: timeout, enforceOrder: enforceOrder, file: #file)
        }
        return run.wait(for: expectations, timeout, enforcesOrder: enforceOrder).result
    }
}

private struct MainThreadOnly<Value>: @unchecked Sendable {
    let value: Value
}

extension SimulationRun {
    fileprivate func wait(
        for expectations: [XCTestExpectation],
        _ timeout: TimeInterval,
        enforcesOrder: Bool
    ) -> (result: XCTWaiter.Result, failure: String?) {
        let watch = ExpectationWatch(expectations, enforcesOrder: enforcesOrder)
        _ = wait(for: .seconds(timeout)) { watch.isOver }
        return watch.end(after: timeout)
    }
}
