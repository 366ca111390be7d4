import BluethroatPeripheralFutures
import Foundation
import FuzzInputs

/// Values of characteristics as types: what a peripheral sends is read or refused, and what was read is written as the
/// same value and can be text.
enum FuturesFuzzTargets {
    static let all = [values]

    static let values = FuzzTarget(decoder: "futures-values", upTo: 40) { bytes in
        guard let first = bytes.first else { return }
        let data = Data(bytes.dropFirst())
        kinds[Int(first) % kinds.count](data)
    }

    private static let kinds: [@Sendable (Data) -> Void] = [
        { number(BLESIGGATT.BatteryService.Level.self, $0) },
        { number(BLESIGGATT.TxPowerService.Level.self, $0) },
        { number(Nordic.DeviceTemperatureService.Data.self, $0) },
        { number(Nordic.BLEAddressService.AddressType.self, $0) },
        { number(Gnosus.HelloWorldService.UpdatePeriod.self, $0) },
        { number(TiSensorTag.SensorTagTestService.Data.self, $0) },
        { number(TiSensorTag.KeyPressedService.State.self, $0) },
        { number(TiSensorTag.GyroscopeService.Enabled.self, $0) },
        { number(TiSensorTag.MagnetometerService.UpdatePeriod.self, $0) },
        { numbers(Nordic.BLEAddressService.Address.self, $0) },
        { numbers(Gnosus.LocationService.LatitudeAndLongitude.self, $0) },
        { numbers(BLESIGGATT.HeartRateService.Measurement.self, $0) },
        { numbers(TiSensorTag.AccelerometerService.Data.self, $0) },
        { numbers(TiSensorTag.MagnetometerService.Data.self, $0) },
        { numbers(TiSensorTag.GyroscopeService.Data.self, $0) },
        { numbers(TiSensorTag.TemperatureService.Data.self, $0) },
        { numbers(TiSensorTag.HygrometerService.Data.self, $0) },
        { data in
            guard let value: TiSensorTag.BarometerService.Data = SerDe.deserialize(data) else { return }
            text(value)
        },
        { data in
            guard let value: TiSensorTag.BarometerService.Calibration = SerDe.deserialize(data) else { return }
            text(value)
            guard let pressure: TiSensorTag.BarometerService.Data = SerDe.deserialize(data) else { return }
            _ = (pressure.temperature(value), pressure.pressure(value))
        },
        { data in
            for encoding in [String.Encoding.utf8, .utf16, .ascii] {
                guard let text: String = SerDe.deserialize(data, encoding: encoding) else { continue }
                hold(SerDe.serialize(text, encoding: encoding) != nil, "\(text) cannot be written")
            }
        },
    ]

    private static func number<Value: RawDeserializable & StringDeserializable & Equatable>(
        _ type: Value.Type,
        _ data: Data
    )
    where Value.RawType: Deserializable {
        guard let value: Value = SerDe.deserialize(data) else { return }
        hold(SerDe.deserialize(SerDe.serialize(value)) == value, "\(value) is written as another")
        text(value)
    }

    private static func numbers<Value: RawArrayDeserializable & StringDeserializable & Equatable>(
        _ type: Value.Type,
        _ data: Data
    )
    where Value.RawType: Deserializable {
        guard let value: Value = SerDe.deserialize(data) else { return }
        hold(SerDe.deserialize(SerDe.serialize(value)) == value, "\(value) is written as another")
        text(value)
    }

    /// Figures may be rounded in a text; reading it does not trap.
    private static func text<Value: StringDeserializable>(_ value: Value) {
        let parts = value.stringValue
        hold(!parts.isEmpty, "\(value) has no text")
        _ = Value(stringValue: parts)
    }
}
