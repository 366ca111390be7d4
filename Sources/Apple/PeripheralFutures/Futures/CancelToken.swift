internal import Synchronization

/// Names callbacks that may be taken back: give it when they are registered, and to `cancel` afterwards.
public struct CancelToken: Hashable, Sendable {
    private let number: UInt64

    public init() { number = lastNumber.add(1, ordering: .relaxed).newValue }

    private init(number: UInt64) { self.number = number }

    /// The token of callbacks that cannot be cancelled.
    public static let none = CancelToken(number: 0)
}

private let lastNumber = Atomic<UInt64>(0)
