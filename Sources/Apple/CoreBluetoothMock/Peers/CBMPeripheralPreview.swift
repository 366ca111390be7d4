public import CoreBluetooth

/// A peripheral that is on no air: for previews of views. All its services are found from the beginning, each command is
/// answered at once with what is there, and any `CBMCentralManagerMock` retrieves it.
open class CBMPeripheralPreview: NSObject, CBMPeripheral, @unchecked Sendable {
    private let spec: CBMPeripheralSpec

    public let identifier: UUID

    open var name: String? { spec.name }

    public var services: [CBMService]?

    /// Receives the answers. It is held.
    public var delegate: (any CBMPeripheralDelegate)?

    public internal(set) var state: CBMPeripheralState {
        didSet { observers.look() }
    }

    package let observers = Observers()

    public let canSendWriteWithoutResponse: Bool = true

    public let ancsAuthorized: Bool = false

    public init(_ mock: CBMPeripheralSpec, state: CBMPeripheralState = .disconnected) {
        spec = mock
        identifier = mock.identifier
        self.state = state
        super.init()
        services = mock.services?.map { PreviewService($0, of: self) }
        MockSimulation.current.add(self)
    }

    open func readRSSI() {
        delegate?.peripheral(self, didReadRSSI: NSNumber(value: spec.proximity.signalStrength ?? 127), error: nil)
    }

    open func discoverServices(_ serviceUUIDs: [CBMUUID]?) { delegate?.peripheral(self, didDiscoverServices: nil) }

    open func discoverIncludedServices(_ includedServiceUUIDs: [CBMUUID]?, for service: CBMService) {
        delegate?.peripheral(self, didDiscoverIncludedServicesFor: service, error: nil)
    }

    open func discoverCharacteristics(_ characteristicUUIDs: [CBMUUID]?, for service: CBMService) {
        delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: nil)
    }

    open func discoverDescriptors(for characteristic: CBMCharacteristic) {
        delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: nil)
    }

    open func readValue(for characteristic: CBMCharacteristic) {
        delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
    }

    open func readValue(for descriptor: CBMDescriptor) {
        delegate?.peripheral(self, didUpdateValueFor: descriptor, error: nil)
    }

    open func maximumWriteValueLength(for type: CBMCharacteristicWriteType) -> Int {
        type == .withResponse ? 512 : (spec.mtu ?? 23) - 3
    }

    open func writeValue(_ data: Data, for characteristic: CBMCharacteristic, type: CBMCharacteristicWriteType) {
        if type == .withResponse { delegate?.peripheral(self, didWriteValueFor: characteristic, error: nil) }
    }

    open func writeValue(_ data: Data, for descriptor: CBMDescriptor) {
        delegate?.peripheral(self, didWriteValueFor: descriptor, error: nil)
    }

    open func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic) {
        characteristic.isNotifying = enabled
        delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: nil)
    }

    /// A preview has no channels.
    open func openL2CAPChannel(_ PSM: CBML2CAPPSM) {
        delegate?.peripheral(self, didOpen: nil, error: CBMError(.operationNotSupported))
    }
}

/// A service as a preview shows it, with all that is in it.
private final class PreviewService: CBMService, @unchecked Sendable {
    init(_ service: CBMServiceMock, of preview: CBMPeripheralPreview) {
        super.init(type: service.uuid, primary: service.isPrimary)
        peripheral = preview
        let included = service.mockIncludedServices.map { PreviewService($0, of: preview) }
        let characteristics = service.mockCharacteristics.map { mock in
            let characteristic = CBMCharacteristic(type: mock.uuid, properties: mock.properties)
            let descriptors = mock.mockDescriptors.map { mock in
                let descriptor = CBMDescriptor(type: mock.uuid)
                descriptor.characteristic = characteristic
                return descriptor
            }
            characteristic.contents.withLock {
                $0.value = mock.value
                $0.descriptors = descriptors
            }
            characteristic.service = self
            return characteristic
        }
        contents.withLock {
            $0.includedServices = included
            $0.characteristics = characteristics
        }
    }
}
