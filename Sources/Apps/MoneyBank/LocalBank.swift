public import BluethroatAppEnvironment
public import BluethroatMoneyTerms
public import Foundation

/// The way to a bank in the same process.
public final class LocalBank: BankConnection {
    private let desk: BankDesk
    private let clock: AppClock
    private let delay: TimeInterval

    /// - Parameter delay: how long a question takes there and back, in seconds.
    public init(_ desk: BankDesk, clock: AppClock, delay: TimeInterval = 0.02) {
        self.desk = desk
        self.clock = clock
        self.delay = delay
    }

    public func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        _ = clock.once(after: delay) { [desk] in then(desk.answer(request).mapError { BankFailure($0) }) }
    }
}
