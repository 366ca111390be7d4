import CoreBluetooth

/// Stands between CoreBluetooth's object for a peripheral and the one that an app has: it passes on what the app hears, with
/// its objects for the attributes.
final class PeripheralBridge: NSObject, CBPeripheralDelegate, @unchecked Sendable {
    let peripheral: CBPeripheral
    /// The app's object, which holds this.
    private(set) weak var owner: (any CBMPeripheral)?
    /// The device, where the peripheral is a simulated one.
    let device: MockDevice?
    /// The signal strength as the app is told it.
    private let strength: (Int) -> Int
    /// Of which change of the device's services the app has heard.
    private let changeCount: Locked<Int>
    /// The app's objects by CoreBluetooth's, which they hold.
    private let attributes = Locked<[ObjectIdentifier: CBMAttribute]>([:])

    init(_ peripheral: CBPeripheral, device: MockDevice?, strength: @escaping (Int) -> Int) {
        self.peripheral = peripheral
        self.device = device
        self.strength = strength
        changeCount = Locked(device?.status.withLock(\.changeCount) ?? 0)
    }

    /// The app's object is there.
    func begin(_ owner: any CBMPeripheral) {
        self.owner = owner
        peripheral.delegate = self
    }

    /// A connection has begun, and nothing is known of what is on the peripheral.
    func forgetAttributes() { attributes.set([:]) }

    // MARK: Attributes

    var services: [CBMService]? { peripheral.services.map { $0.filter(shows).map(service) } }

    /// Whether an app finds an attribute: of a simulated peripheral, what its specification names.
    func shows(_ attribute: CBAttribute) -> Bool {
        guard let device, let handle = attribute.peerHandle else { return true }
        return device.table.names(handle)
    }

    func service(_ service: CBService) -> CBMService { object(for: service) { FoundService($0, of: self) } }

    func characteristic(_ characteristic: CBCharacteristic) -> CBMCharacteristic {
        object(for: characteristic) { FoundCharacteristic($0, of: self) }
    }

    func descriptor(_ descriptor: CBDescriptor) -> CBMDescriptor {
        object(for: descriptor) { FoundDescriptor($0, of: self) }
    }

    private func object<Attribute: CBAttribute, Object: CBMAttribute>(
        for attribute: Attribute,
        make: (Attribute) -> Object
    ) -> Object {
        let id = ObjectIdentifier(attribute)
        if let known = attributes.withLock({ $0[id] }) as? Object { return known }
        let new = make(attribute)
        return attributes.withLock { attributes in
            // Another thread may have made one meanwhile.
            if let known = attributes[id] as? Object { return known }
            attributes[id] = new
            return new
        }
    }

    /// The error as the app is told it: what the device's delegate answered, where a packet could not say it.
    private func told(_ error: (any Error)?, about attribute: CBAttribute) -> (any Error)? {
        guard (error as? CBMATTError)?.code == .unlikelyError, let device, let handle = attribute.peerHandle else {
            return error
        }
        return device.table.takeFault(of: handle) ?? error
    }

    private func tell(_ body: (any CBMPeripheralDelegate, any CBMPeripheral) -> Void) {
        guard let owner, let delegate = owner.delegate else { return }
        body(delegate, owner)
    }

    // MARK: CBPeripheralDelegate

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { tell { $0.peripheralDidUpdateName($1) } }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        let gone = invalidatedServices.filter { $0.uuid.uuidString != "1800" || device == nil }.map(service)
        if let device {
            // What is gone and what is new is indicated one after the other; the app hears once of one change. Of the Device
            // Name alone it hears by the call that is for it.
            let count = device.status.withLock(\.changeCount)
            let isFirst = changeCount.withLock { last in
                defer { last = count }
                return last != count
            }
            guard !gone.isEmpty || invalidatedServices.isEmpty && isFirst else { return }
        }
        tell { $0.peripheral($1, didModifyServices: gone) }
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        let value = error == nil ? strength(RSSI.intValue) : RSSI.intValue
        tell { $0.peripheral($1, didReadRSSI: NSNumber(value: value), error: error) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        tell { $0.peripheral($1, didDiscoverServices: error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverIncludedServicesFor service: CBService,
        error: (any Error)?
    ) {
        let service = self.service(service)
        tell { $0.peripheral($1, didDiscoverIncludedServicesFor: service, error: error) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        let service = self.service(service)
        tell { $0.peripheral($1, didDiscoverCharacteristicsFor: service, error: error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let characteristic = self.characteristic(characteristic)
        tell { $0.peripheral($1, didDiscoverDescriptorsFor: characteristic, error: error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let error = told(error, about: characteristic)
        let characteristic = self.characteristic(characteristic)
        (characteristic as? FoundCharacteristic)?.notificationStateHasCome()
        tell { $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let error = told(error, about: characteristic)
        let characteristic = self.characteristic(characteristic)
        (characteristic as? FoundCharacteristic)?.valueHasCome()
        tell { $0.peripheral($1, didUpdateValueFor: characteristic, error: error) }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        let error = told(error, about: descriptor)
        let descriptor = self.descriptor(descriptor)
        (descriptor as? FoundDescriptor)?.valueHasCome()
        tell { $0.peripheral($1, didUpdateValueFor: descriptor, error: error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let error = told(error, about: characteristic)
        let characteristic = self.characteristic(characteristic)
        tell { $0.peripheral($1, didWriteValueFor: characteristic, error: error) }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        let error = told(error, about: descriptor)
        let descriptor = self.descriptor(descriptor)
        tell { $0.peripheral($1, didWriteValueFor: descriptor, error: error) }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        tell { $0.peripheralIsReady(toSendWriteWithoutResponse: $1) }
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        tell { $0.peripheral($1, didOpen: channel, error: error) }
    }
}
