/// Who runs a world on a thread of its own, and lets other threads do something to it.
public protocol WorldRunner: AnyObject, Sendable {
    /// Whether the caller is on the world's thread.
    var isOnWorldsThread: Bool { get }

    /// Does something to the world on its thread, and waits for it. The closure may use what is not `Sendable`: the caller
    /// stands still meanwhile. Never from the world's thread, which would wait for itself.
    func enter<Answer>(_ action: @escaping (World) -> Answer) -> Answer
}
