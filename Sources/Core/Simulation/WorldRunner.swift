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
