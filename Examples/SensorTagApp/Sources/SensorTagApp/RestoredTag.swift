public import BluethroatPeripheralFutures
public import CoreBluetooth

/// An app that the system ends, and launches again when a central wants something of it.
public final class RestoredTag {
    public typealias Tag = TiSensorTag.AccelerometerService

    public let manager: PeripheralManager
    /// What was advertised before, if anything was kept.
    public let restored: Future<PeripheralAdvertisements>
    public private(set) var writes: [Data] = []

    /// - Parameter isRestored: whether the launch was for a manager of before.
    public init(isRestored: Bool) {
        manager = PeripheralManager(options: [CBPeripheralManagerOptionRestoreIdentifierKey: "us.example.tag"])
        restored = manager.whenStateRestored()
        if isRestored {
            // At once: what the app was launched for comes right after.
            restored.onSuccess(context: ImmediateContext()) { [weak self] _ in self?.answerWrites() }
        } else {
            publish()
        }
    }

    private func publish() {
        let manager = manager
        let service = MutableService(profile: ConfiguredServiceProfile<Tag>())
        service.characteristics = [MutableCharacteristic(profile: RawCharacteristicProfile<Tag.Enabled>())]
        manager.whenStateChanges()
            .withFilter { $0 == .poweredOn }
            .flatMap { _ in manager.add(service) }
            .flatMap { _ in manager.startAdvertising("Tag", uuids: [service.uuid]) }
            .onSuccess { [weak self] in self?.answerWrites() }
    }

    private func answerWrites() {
        for characteristic in manager.characteristics where characteristic.propertyEnabled(.write) {
            characteristic.startRespondingToWriteRequests(capacity: 1)
                .onSuccess { [weak self, weak characteristic] request, _ in
                    self?.writes.append(request.value ?? Data())
                    characteristic?.respondToRequest(request, withResult: .success)
                }
        }
    }
}
