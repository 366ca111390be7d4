/// The functions of a manager, a service and so on for tasks: `try await manager.async.add(service)`.
///
/// Each function that returns a future has a twin here, of the same name and with the same arguments, that waits for the
/// future's value and throws what the future fails with. When its task is cancelled the wait ends with
/// `CancellationError`, and what was asked for goes on; a task that is cancelled already asks for nothing. Each function
/// that returns a stream has one that returns an `AsyncSubscription`.
public struct AsyncTwins<Base: Sendable>: Sendable {
    let base: Base

    /// Asks, and waits for the answer.
    func answer<T>(_ ask: () -> Future<T>) async throws -> T {
        try Task.checkCancellation()
        return try await ask().value
    }
}

/// What has functions for tasks.
public protocol AsyncTwinned: AnyObject, Sendable {}

extension AsyncTwinned {
    /// Its functions for tasks.
    public var async: AsyncTwins<Self> { AsyncTwins(base: self) }
}

extension PeripheralManager: AsyncTwinned {}
extension MutableCharacteristic: AsyncTwinned {}
extension CentralManager: AsyncTwinned {}
extension Peripheral: AsyncTwinned {}
extension Service: AsyncTwinned {}
extension Characteristic: AsyncTwinned {}

#if !canImport(CoreLocation)
    extension RegionManager: AsyncTwinned {}
#endif
