import CoreBluetooth

// Attributes of a peripheral that a manager has found: they say what CoreBluetooth's own say.

final class FoundService: CBMService, @unchecked Sendable {
    let service: CBService
    let owner: Weak<PeripheralBridge>

    init(_ service: CBService, of bridge: PeripheralBridge) {
        self.service = service
        owner = Weak(object: bridge)
        super.init(type: service.uuid, primary: service.isPrimary)
        peripheral = bridge.owner
    }

    override var includedServices: [CBMService]? {
        guard let services = service.includedServices, let bridge = owner.object else { return nil }
        return services.filter(bridge.shows).map(bridge.service)
    }

    override var characteristics: [CBMCharacteristic]? {
        guard let characteristics = service.characteristics, let bridge = owner.object else { return nil }
        return characteristics.map(bridge.characteristic)
    }
}

final class FoundCharacteristic: CBMCharacteristic, @unchecked Sendable {
    let characteristic: CBCharacteristic
    let owner: Weak<PeripheralBridge>

    init(_ characteristic: CBCharacteristic, of bridge: PeripheralBridge) {
        self.characteristic = characteristic
        owner = Weak(object: bridge)
        super.init(type: characteristic.uuid, properties: characteristic.properties)
        if let service = characteristic.service { self.service = bridge.service(service) }
    }

    /// What a test has put here by `@testable`, until the peripheral says something else.
    private struct Replacement {
        var value: Data??
        var isNotifying: Bool?
    }

    private let replacement = Locked(Replacement())

    override var value: Data? {
        get { replacement.withLock(\.value) ?? characteristic.value }
        set { replacement.withLock { $0.value = .some(newValue) } }
    }

    override var isNotifying: Bool {
        get { replacement.withLock(\.isNotifying) ?? characteristic.isNotifying }
        set { replacement.withLock { $0.isNotifying = newValue } }
    }

    func valueHasCome() { replacement.withLock { $0.value = nil } }

    /// How many answers to `setNotifyValue` are still to come.
    private let orderCount = Locked(0)

    /// Whether `isNotifying` is what was wanted last.
    var isSettled: Bool { orderCount.current == 0 }

    func notificationStateIsOrdered() { orderCount.withLock { $0 += 1 } }

    func notificationStateHasCome() {
        replacement.withLock { $0.isNotifying = nil }
        orderCount.withLock { $0 = max(0, $0 - 1) }
    }

    override var descriptors: [CBMDescriptor]? {
        guard let descriptors = characteristic.descriptors, let bridge = owner.object else { return nil }
        return descriptors.filter(bridge.shows).map(bridge.descriptor)
    }
}

final class FoundDescriptor: CBMDescriptor, @unchecked Sendable {
    let descriptor: CBDescriptor
    let owner: Weak<PeripheralBridge>
    /// Whether the delegate of a specification answers for it. The app gets what that has said, as in the original; a
    /// descriptor that has its value itself is an addition, and what CoreBluetooth makes of it.
    private let isAnsweredByDelegate: Bool

    init(_ descriptor: CBDescriptor, of bridge: PeripheralBridge) {
        self.descriptor = descriptor
        owner = Weak(object: bridge)
        let mock = descriptor.peerHandle.flatMap { bridge.device?.table.attribute($0) } as? CBMDescriptorMock
        isAnsweredByDelegate = mock.map { $0.stored == nil } ?? false
        super.init(type: descriptor.uuid)
        if let characteristic = descriptor.characteristic {
            self.characteristic = bridge.characteristic(characteristic)
        }
    }

    /// What a test has put here by `@testable`, until the peripheral says something else.
    private let replacement = Locked<Any??>(nil)

    override var value: Any? {
        get { replacement.current ?? (isAnsweredByDelegate ? descriptor.readBytes.map { Data($0) } : descriptor.value) }
        set { replacement.set(.some(newValue)) }
    }

    func valueHasCome() { replacement.set(nil) }
}

extension CBMAttribute {
    /// CoreBluetooth's object for what was found; nil for what is in a specification.
    var found: CBAttribute? {
        switch self {
        case let service as FoundService: service.service
        case let characteristic as FoundCharacteristic: characteristic.characteristic
        case let descriptor as FoundDescriptor: descriptor.descriptor
        default: nil
        }
    }
}
