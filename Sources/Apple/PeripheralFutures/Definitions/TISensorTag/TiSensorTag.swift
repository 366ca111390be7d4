/// The services of Texas Instruments' SensorTag of 2013, the CC2541.
public struct TiSensorTag {
    static let tag = "TI Sensor Tag"

    /// The UUID with which the tag's own services and characteristics differ in four digits.
    static func uuid(_ digits: String) -> String { "F000\(digits)-0451-4000-B000-000000000000" }
}

/// The profiles of all services of a SensorTag.
public final class TISensorTagProfiles: Sendable {
    public static func create(profileManager: ProfileManager) {
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.AccelerometerService>(),
            RawArrayCharacteristicProfile<TiSensorTag.AccelerometerService.Data>(),
            RawCharacteristicProfile<TiSensorTag.AccelerometerService.Enabled>(),
            RawCharacteristicProfile<TiSensorTag.AccelerometerService.UpdatePeriod>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.MagnetometerService>(),
            RawArrayCharacteristicProfile<TiSensorTag.MagnetometerService.Data>(),
            RawCharacteristicProfile<TiSensorTag.MagnetometerService.Enabled>(),
            RawCharacteristicProfile<TiSensorTag.MagnetometerService.UpdatePeriod>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.GyroscopeService>(),
            RawArrayCharacteristicProfile<TiSensorTag.GyroscopeService.Data>(),
            RawCharacteristicProfile<TiSensorTag.GyroscopeService.Enabled>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.TemperatureService>(),
            RawArrayCharacteristicProfile<TiSensorTag.TemperatureService.Data>(),
            RawCharacteristicProfile<TiSensorTag.TemperatureService.Enabled>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.BarometerService>(),
            RawPairCharacteristicProfile<TiSensorTag.BarometerService.Data>(),
            RawArrayPairCharacteristicProfile<TiSensorTag.BarometerService.Calibration>(),
            RawCharacteristicProfile<TiSensorTag.BarometerService.Enabled>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.HygrometerService>(),
            RawArrayCharacteristicProfile<TiSensorTag.HygrometerService.Data>(),
            RawCharacteristicProfile<TiSensorTag.HygrometerService.Enabled>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.SensorTagTestService>(),
            RawCharacteristicProfile<TiSensorTag.SensorTagTestService.Data>(),
            RawCharacteristicProfile<TiSensorTag.SensorTagTestService.Enabled>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<TiSensorTag.KeyPressedService>(),
            RawCharacteristicProfile<TiSensorTag.KeyPressedService.State>()
        )
    }
}

extension ProfileManager {
    /// Adds a service with these characteristics.
    func addService(_ service: ServiceProfile, _ characteristics: CharacteristicProfile...) {
        for characteristic in characteristics { service.addCharacteristic(characteristic) }
        addService(service)
    }
}
