public import Foundation

/// A dispatch queue.
///
/// In code that lives on a phone in virtual time, blocks run when and where that phone calls its apps, and delays pass in
/// its time.
public struct Queue: Sendable {
    public static let main = Queue(DispatchQueue.main)
    public static let global = Queue(DispatchQueue.global(qos: .background))

    public let queue: DispatchQueue

    /// A serial queue of its own.
    public init(_ queueName: String) { queue = DispatchQueue(label: queueName, qos: .background) }

    public init(_ queue: DispatchQueue) { self.queue = queue }

    public func sync(_ block: @escaping () -> Void) {
        if isHere { block() } else { queue.sync(execute: block) }
    }

    public func sync<T>(_ block: @escaping () -> T) -> T {
        if isHere { block() } else { queue.sync { Unchecked(value: block()) }.value }
    }

    public func async(_ block: @escaping () -> Void) { AppContext.current.call(on: queue, block) }

    /// Runs a request once, after so many seconds.
    public func delay(_ delay: TimeInterval, request: @escaping () -> Void) {
        AppContext.current.call(after: delay, on: queue, request)
    }

    private var isHere: Bool { AppContext.current.isEntered(queue) }
}
