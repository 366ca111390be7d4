public import BluethroatHost
public import BluethroatLinkLayer

/// Who runs a world on a thread of its own, and lets other threads do something to it.
public protocol WorldRunner: AnyObject, Sendable {
    /// Whether the caller is on the world's thread.
    var isOnWorldsThread: Bool { get }

    /// Does something to the world on its thread, and waits for it. Never from the world's thread, which would wait for
    /// itself.
    func enter(_ action: @escaping @Sendable (World) -> Void)

    /// Completes how a device is configured that is about to be added: where nothing must follow from the world's seed,
    /// keys of both are drawn from secrets.
    func configure(_ controller: inout ControllerConfiguration, _ host: inout HostConfiguration)
}

extension WorldRunner {
    /// Does something to the world on its thread, and brings back what comes of it. Nothing of that has to be `Sendable`:
    /// the caller stands still meanwhile. Never from the world's thread.
    package func carryOut<Answer>(_ action: @escaping (World) -> Answer) -> Answer {
        let order = Order(action)
        enter { world in order.carryOut(in: world) }
        return order.answer!
    }
}

/// Goes to the world's thread and comes back.
///
/// `@unchecked Sendable`: one thread waits while the other one uses it.
private final class Order<Answer>: @unchecked Sendable {
    private let action: (World) -> Answer
    private(set) var answer: Answer?

    init(_ action: @escaping (World) -> Answer) { self.action = action }

    func carryOut(in world: World) { answer = action(world) }
}
