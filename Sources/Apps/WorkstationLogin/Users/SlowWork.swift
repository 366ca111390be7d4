public import Dispatch

/// How work that takes long is done without keeping Bluetooth waiting.
public struct SlowWork {
    private let carry: (_ work: @escaping @Sendable () -> Void, _ then: @escaping () -> Void) -> Void

    /// - Parameter carry: does the work anywhere, and calls `then` where the app lives.
    public init(
        carrying carry: @escaping (_ work: @escaping @Sendable () -> Void, _ then: @escaping () -> Void) -> Void
    ) {
        self.carry = carry
    }

    /// Where it is ordered, at once: for virtual time, in which work takes none.
    public static var inline: Self {
        Self { work, then in
            work()
            then()
        }
    }

    /// On a queue of its own; the app is called on `queue`, where it lives.
    public static func background(callingOn queue: DispatchQueue) -> Self {
        Self { work, then in
            nonisolated(unsafe) let then = then
            DispatchQueue.global(qos: .userInitiated).async {
                work()
                queue.async { then() }
            }
        }
    }

    func callAsFunction<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result,
        then: @escaping (Result) -> Void
    ) {
        let box = Box<Result>()
        carry {
            box.result = work()
        } _: {
            then(box.result!)
        }
    }

    /// Written before it is read, as `then` follows upon the work.
    private final class Box<Result>: @unchecked Sendable { var result: Result? }
}
