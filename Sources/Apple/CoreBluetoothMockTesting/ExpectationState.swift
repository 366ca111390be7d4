import XCTest

/// What XCTest keeps of an expectation.
///
/// XCTest on Linux shows nobody whether an expectation is fulfilled: `XCTWaiter.fulfilledExpectations` names those that were
/// when the wait began, and no later ones, since each is added to a copy of the list. So two of its variables are read by
/// reflection; docs/decisions/232 says what else there was.
struct ExpectationState {
    let isFulfilled: Bool
    /// Greater than that of every expectation that was fulfilled before.
    let turn: UInt64

    /// Nil if this XCTest keeps it in another way.
    init?(of expectation: XCTestExpectation) {
        self.init(readingFrom: Mirror(reflecting: expectation))
    }

    init?(readingFrom mirror: Mirror) {
        var own: Mirror? = mirror
        while let each = own, each.subjectType != XCTestExpectation.self { own = each.superclassMirror }
        guard let isFulfilled = own?.descendant("isFulfilled") as? Bool,
            let turn = own?.descendant("fulfillmentToken") as? UInt64
        else { return nil }
        self.isFulfilled = isFulfilled
        self.turn = turn
    }
}
