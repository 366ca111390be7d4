// What tests of the original reach by `@testable import CoreBluetoothMock`: these are internal there, too.

extension CBMAttribute {
    /// What stands for this attribute in the specification of its peripheral: itself, if it is in one; nil for what was
    /// found on a device that is not simulated.
    var specified: CBMAttribute? {
        guard let found else { return self }
        let bridge: PeripheralBridge? =
            switch self {
            case let service as FoundService: service.owner.object
            case let characteristic as FoundCharacteristic: characteristic.owner.object
            case let descriptor as FoundDescriptor: descriptor.owner.object
            default: nil
            }
        return found.peerHandle.flatMap { bridge?.device?.table.attribute($0) }
    }
}

extension CBMCharacteristic {
    var optionalService: CBMService? { service }
}

extension CBMDescriptor {
    var optionalCharacteristic: CBMCharacteristic? { characteristic }
}

extension [CBMServiceMock] {
    /// The one of these services that an app has found as this one; nil if it is none of them.
    func find(mockOf service: CBMService) -> CBMServiceMock? {
        let wanted = service.specified
        return first { $0 === wanted }
    }

    /// The characteristic of one of these services that an app has found as this one.
    func find(mockOf characteristic: CBMCharacteristic) -> CBMCharacteristicMock? {
        let wanted = characteristic.specified
        return lazy.flatMap(\.mockCharacteristics).first { $0 === wanted }
    }

    /// The descriptor of a characteristic of one of these services that an app has found as this one.
    func find(mockOf descriptor: CBMDescriptor) -> CBMDescriptorMock? {
        let wanted = descriptor.specified
        return lazy.flatMap(\.mockCharacteristics).flatMap(\.mockDescriptors).first { $0 === wanted }
    }
}
