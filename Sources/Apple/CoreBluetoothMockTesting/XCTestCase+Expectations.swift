import BluethroatTesting
import Foundation
public import XCTest

// Expectations that a test case keeps are XCTest's own, and it fails tests that do not wait for them. It shows nobody which
// they are, so that the simulation keeps them, too, for `waitForExpectations`.

extension XCTestCase {
    @discardableResult
    public func expectation(description: String) -> XCTestExpectation {
        kept(expectation(description: description, file: #file))
    }

    @discardableResult
    public func expectation(for predicate: NSPredicate, evaluatedWith object: Any?) -> XCTestExpectation {
        expectation(for: predicate, evaluatedWith: object, handler: nil)
    }

    @discardableResult
    public func expectation(
        for predicate: NSPredicate,
        evaluatedWith object: Any?,
        handler: XCTNSPredicateExpectation.Handler?
    ) -> XCTestExpectation {
        kept(expectation(for: predicate, evaluatedWith: object, file: #file, handler: handler))
    }

    @discardableResult
    public func expectation(forNotification name: Notification.Name, object: Any?) -> XCTestExpectation {
        expectation(forNotification: name, object: object, handler: nil)
    }

    @discardableResult
    public func expectation(
        forNotification name: Notification.Name,
        object: Any?,
        handler: XCTNSNotificationExpectation.Handler?
    ) -> XCTestExpectation {
        kept(expectation(forNotification: name, object: object, file: #file, handler: handler))
    }

    private func kept(_ expectation: XCTestExpectation) -> XCTestExpectation {
        SimulationRun.current?.keep(expectation)
        return expectation
    }
}
