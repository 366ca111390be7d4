public import BluethroatPeripheralFutures
import CoreBluetooth

/// The accelerometer of a SensorTag as an app publishes it: services are added and advertised, its values are set,
/// notified, and written by centrals.
public final class Accelerometer {
    public typealias Tag = TiSensorTag.AccelerometerService

    public let manager: PeripheralManager
    public let service = MutableService(uuid: Tag.uuid)
    public let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<Tag.Data>())
    public let enabled = MutableCharacteristic(profile: RawCharacteristicProfile<Tag.Enabled>())
    public let updatePeriod = MutableCharacteristic(profile: RawCharacteristicProfile<Tag.UpdatePeriod>())

    /// Completed when it is published and advertised.
    public private(set) var started = Future<Void>()
    /// What centrals have switched it to, and what they have tried.
    public private(set) var accepted: [Tag.Enabled] = []
    public private(set) var refused = 0

    /// Adding services, and starting to advertise.
    public init() {
        let manager = PeripheralManager()
        self.manager = manager
        service.characteristics = [data, enabled, updatePeriod]
        let service = service
        started =
            manager.whenStateChanges()
            .withFilter { $0 == .poweredOn }
            .flatMap { _ in manager.add(service) }
            .flatMap { _ in manager.startAdvertising("Tag", uuids: [service.uuid]) }
            .first
        started.onSuccess { [weak self] in self?.answerWrites() }
    }

    /// Setting a value: who reads it gets it, nobody is told.
    public func set(x: Double, y: Double, z: Double) {
        data.value = Tag.Data(x: x, y: y, z: z).map { SerDe.serialize($0) }
    }

    /// Notifying an update: those who have subscribed are told, or wait in a queue until they can be.
    public func measured(x: Double, y: Double, z: Double) throws {
        guard let value = Tag.Data(x: x, y: y, z: z) else { return }
        try data.update(value)
    }

    /// Answering writes of one byte, with a check of the length.
    private func answerWrites() {
        enabled.startRespondingToWriteRequests(capacity: 2).onSuccess { [weak self] request, _ in
            guard let self else { return }
            guard let data = request.value, data.count == 1 else {
                refused += 1
                return enabled.respondToRequest(request, withResult: .invalidAttributeValueLength)
            }
            guard let choice: Tag.Enabled = SerDe.deserialize(data) else {
                refused += 1
                return enabled.respondToRequest(request, withResult: .requestNotSupported)
            }
            accepted.append(choice)
            enabled.respondToRequest(request, withResult: .success)
        }
    }

    /// Writes are not taken any more.
    public func stopAnswering() { enabled.stopRespondingToWriteRequests() }
}

extension FutureStream {
    /// The first event that has passed all filters.
    var first: Future<T> {
        let promise = Promise<T>()
        onSuccess { promise.success($0) }
        onFailure { error in
            if error as? FuturesError != .noSuchElement { promise.failure(error) }
        }
        return promise.future
    }
}
