import BluethroatPeripheralFutures
import CoreBluetooth

/// A part of a SensorTag that measures while it is switched on: a value, a switch, and perhaps how often.
final class Sensor {
    let service: MutableService
    /// What it measures.
    let data: MutableCharacteristic
    let configuration: MutableCharacteristic
    let period: MutableCharacteristic?
    /// Called when a central has changed one of the settings.
    var changed: () -> Void = {}
    private let isAllowed: (UInt8) -> Bool
    private var takesWrites = false

    /// - Parameter isAllowed: which bytes the switch may be set to.
    init(
        _ profile: ServiceProfile,
        data: String,
        configuration: String,
        period: String?,
        isAllowed: @escaping (UInt8) -> Bool
    ) {
        service = MutableService(profile: profile)
        service.characteristicsFromProfiles()
        self.data = service.characteristic(data)
        self.configuration = service.characteristic(configuration)
        self.period = period.map(service.characteristic)
        self.isAllowed = isAllowed
    }

    /// What the switch is set to; 0 is off.
    var setting: UInt8 { configuration.value?.first ?? 0 }

    var isOn: Bool { setting != 0 }

    /// In seconds. Sensors without this setting measure once a second.
    var interval: Double {
        guard let raw = period?.value?.first else { return 1 }
        let period = TiSensorTag.AccelerometerService.UpdatePeriod(periodRaw: raw)
        return Double(period.period) / 1000
    }

    /// Takes what centrals write, once the service is published.
    func takeWrites() {
        guard !takesWrites else { return }
        takesWrites = true
        takeBytes(of: configuration, isAllowed)
        if let period { takeBytes(of: period) { _ in true } }
    }

    private func takeBytes(of characteristic: MutableCharacteristic, _ isAllowed: @escaping (UInt8) -> Bool) {
        // The characteristic owns the stream, so the listener must not retain the characteristic.
        let requests = characteristic.startRespondingToWriteRequests(capacity: 1)
        requests.onSuccess { [weak self, weak characteristic] request, _ in
            guard let characteristic else { return }
            guard request.offset == 0, let byte = request.value?.first, request.value?.count == 1 else {
                return characteristic.respondToRequest(request, withResult: .invalidAttributeValueLength)
            }
            guard isAllowed(byte) else {
                return characteristic.respondToRequest(request, withResult: .requestNotSupported)
            }
            characteristic.respondToRequest(request, withResult: .success)
            self?.changed()
        }
    }

    /// It has measured, and notifies its subscribers. Without subscribers the value is not kept for later.
    func measure(_ value: Data) {
        if data.subscribers.isEmpty { data.value = value } else { try? data.update(withData: value) }
    }
}

extension MutableService {
    /// The characteristic of a UUID that the service is known to have.
    func characteristic(_ uuid: String) -> MutableCharacteristic {
        let wanted = CBUUID(string: uuid)
        guard let found = characteristics.first(where: { $0.uuid == wanted }) else {
            preconditionFailure("\(name) has no characteristic \(uuid)")
        }
        return found
    }
}
