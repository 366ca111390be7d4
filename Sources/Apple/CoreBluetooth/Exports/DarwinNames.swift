// Small names that every Apple system has and Linux lacks, and for which otherwise portable source would not compile.

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// Runs the body. There is no autorelease here, so there is no pool to drain.
@inlinable
public func autoreleasepool<Result, Failure: Error>(invoking body: () throws(Failure) -> Result) throws(Failure)
    -> Result
{
    try body()
}

/// A queue that carries out one block after the other. Every queue made with `DispatchQueue(label:)` is one.
public typealias DispatchSerialQueue = DispatchQueue

/// The name of a queue's type in C.
public typealias dispatch_queue_t = DispatchQueue

extension DispatchTime {
    /// How long it is from this time to the other, in nanoseconds.
    public func distance(to other: DispatchTime) -> DispatchTimeInterval {
        let (from, to) = (uptimeNanoseconds, other.uptimeNanoseconds)
        return .nanoseconds(to >= from ? Int(to - from) : -Int(from - to))
    }

    /// The time that is so much later.
    public func advanced(by interval: DispatchTimeInterval) -> DispatchTime { self + interval }
}
