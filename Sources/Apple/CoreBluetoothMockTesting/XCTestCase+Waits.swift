import BluethroatTesting
import Foundation
public import XCTest

// In a module that imports this one these are what the calls of a test find, since they fit better than XCTest's own: with
// fewer arguments that are left out. Without a simulation in virtual time they do what XCTest's do.
//
// Where XCTest's own leaves out a file and a line only, there is room for one of them here; see `CallPlace`.

extension XCTestCase {
    public func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        wait(for: expectations, timeout: timeout, enforcesOrder: false, file, line)
    }

    public func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforceOrder: Bool,
        file: StaticString = #filePath
    ) {
        wait(for: expectations, timeout: timeout, enforcesOrder: enforceOrder, file, nil)
    }

    /// As XCTest of Apple's has it: until all are fulfilled, in virtual time at most an hour.
    public func wait(
        for expectations: [XCTestExpectation],
        enforceOrder: Bool = false,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        wait(for: expectations, timeout: .infinity, enforcesOrder: enforceOrder, file, line)
    }

    private func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforcesOrder: Bool,
        _ file: StaticString,
        _ line: UInt?
    ) {
        guard let run = SimulationRun.current else {
            return wait(
                for: expectations,
                timeout: timeout.bounded,
                enforceOrder: enforcesOrder,
                file: file,
                line: Int(self.line(line, of: "enforceOrder:", in: file))
            )
        }
        let failure = run.wait(for: expectations, timeout, enforcesOrder: enforcesOrder).failure
        if let failure { fail(failure, file, line, "enforceOrder:") }
    }

    public func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        await fulfillment(of: expectations, timeout: timeout, enforcesOrder: false, file, line)
    }

    public func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforceOrder: Bool,
        file: StaticString = #filePath
    ) async {
        await fulfillment(of: expectations, timeout: timeout, enforcesOrder: enforceOrder, file, nil)
    }

    /// As XCTest of Apple's has it: until all are fulfilled, in virtual time at most an hour.
    public func fulfillment(
        of expectations: [XCTestExpectation],
        enforceOrder: Bool = false,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        await fulfillment(of: expectations, timeout: .infinity, enforcesOrder: enforceOrder, file, line)
    }

    private func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforcesOrder: Bool,
        _ file: StaticString,
        _ line: UInt?
    ) async {
        guard let run = SimulationRun.current else {
            return await fulfillment(
                of: expectations,
                timeout: timeout.bounded,
                enforceOrder: enforcesOrder,
                file: file,
                line: Int(self.line(line, of: "enforceOrder:", in: file))
            )
        }
        let failure = await run.fulfillment(of: expectations, timeout, enforcesOrder: enforcesOrder).failure
        if let failure { fail(failure, file, line, "enforceOrder:") }
    }

    public func waitForExpectations(
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        waitForExpectations(timeout: timeout, file, line, handler: nil)
    }

    public func waitForExpectations(
        timeout: TimeInterval,
        file: StaticString = #filePath,
        handler: XCWaitCompletionHandler?
    ) {
        waitForExpectations(timeout: timeout, file, nil, handler: handler)
    }

    private func waitForExpectations(
        timeout: TimeInterval,
        _ file: StaticString,
        _ line: UInt?,
        handler: XCWaitCompletionHandler?
    ) {
        guard let run = SimulationRun.current else {
            // XCTest calls tests that wait in this way on the main thread.
            let own = MainThreadOnly(value: (self, handler))
            return MainActor.assumeIsolated {
                let (test, handler) = own.value
                let line = Int(test.line(line, of: "waitForExpectations(", in: file))
                test.waitForExpectations(timeout: timeout, file: file, line: line, handler: handler)
            }
        }
        let expectations = run.takeExpectations()
        guard !expectations.isEmpty else {
            return fail("nothing is expected that has not been waited for", file, line, "waitForExpectations(")
        }
        let (result, failure) = run.wait(for: expectations, timeout, enforcesOrder: false)
        if let failure { fail(failure, file, line, "waitForExpectations(") }
        // The same error whatever went wrong, as XCTest has it.
        handler?(result == .completed ? nil : XCTestError(.timeoutWhileWaiting))
    }

    /// The line of a wait: the one that is known, or that of the call with this text.
    fileprivate func line(_ line: UInt?, of text: String, in file: StaticString) -> UInt {
        line ?? CallPlace(file: file, test: name).line(of: text)
    }

    /// Fails the test there.
    fileprivate func fail(_ failure: String, _ file: StaticString, _ line: UInt?, _ text: String) {
        XCTFail(failure, file: file, line: self.line(line, of: text, in: file))
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
    public func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        file: StaticString = #filePath,
        line: UInt = #line
    ) -> Result {
        wait(for: expectations, timeout: timeout, enforcesOrder: false, file, line)
    }

    @discardableResult
    public func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforceOrder: Bool,
        file: StaticString = #filePath
    ) -> Result {
        wait(for: expectations, timeout: timeout, enforcesOrder: enforceOrder, file, nil)
    }

    private func wait(
        for expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforcesOrder: Bool,
        _ file: StaticString,
        _ line: UInt?
    ) -> Result {
        guard let run = SimulationRun.current else {
            let test = (delegate as? XCTestCase)?.name
            return wait(
                for: expectations,
                timeout: timeout,
                enforceOrder: enforcesOrder,
                file: file,
                line: Int(line ?? CallPlace(file: file, test: test).line(of: "enforceOrder:"))
            )
        }
        let (result, failure) = run.wait(for: expectations, timeout, enforcesOrder: enforcesOrder, waiter: self)
        // Other delegates have heard of it from XCTest.
        if let failure, let test = delegate as? XCTestCase { test.fail(failure, file, line, "enforceOrder:") }
        return result
    }

    @discardableResult
    public static func fulfillment(of expectations: [XCTestExpectation], timeout: TimeInterval) async -> Result {
        await fulfillment(of: expectations, timeout: timeout, enforceOrder: false)
    }

    @discardableResult
    public static func fulfillment(
        of expectations: [XCTestExpectation],
        timeout: TimeInterval,
        enforceOrder: Bool
    ) async -> Result {
        guard let run = SimulationRun.current else {
            return await fulfillment(of: expectations, timeout: timeout, enforceOrder: enforceOrder, file: #file)
        }
        return await run.fulfillment(of: expectations, timeout, enforcesOrder: enforceOrder).result
    }
}

extension TimeInterval {
    /// A number of seconds with which XCTest on Linux can reckon.
    fileprivate var bounded: TimeInterval { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1_000_000_000) }

    /// How long a wait lasts in the simulation: without an end no longer than an hour.
    fileprivate var simulated: TimeInterval { self == .infinity ? 3_600 : bounded }
}

private struct MainThreadOnly<Value>: @unchecked Sendable {
    let value: Value
}

extension SimulationRun {
    fileprivate func wait(
        for expectations: [XCTestExpectation],
        _ timeout: TimeInterval,
        enforcesOrder: Bool,
        waiter: XCTWaiter = XCTWaiter()
    ) -> (result: XCTWaiter.Result, failure: String?) {
        forget(expectations)
        let watch = ExpectationWatch(expectations, enforcesOrder: enforcesOrder), timeout = timeout.simulated
        _ = wait(for: .seconds(timeout)) { watch.isOver }
        return watch.end(after: timeout, waiter: waiter)
    }

    fileprivate func fulfillment(
        of expectations: [XCTestExpectation],
        _ timeout: TimeInterval,
        enforcesOrder: Bool
    ) async -> (result: XCTWaiter.Result, failure: String?) {
        forget(expectations)
        let watch = ExpectationWatch(expectations, enforcesOrder: enforcesOrder), timeout = timeout.simulated
        await wait(for: .seconds(timeout)) { watch.isOver }
        return watch.end(after: timeout)
    }
}
