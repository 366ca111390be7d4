import BluethroatPeripheralFutures
import Foundation
import Testing

/// The figures were computed by other means, with forty digits, and with fractions.
@Suite("What sensors measure")
struct SensorValuesTests {
    private func near(_ value: Double?, _ expected: Double) -> Bool { value.map { abs($0 - expected) < 1e-9 } ?? false }

    @Test("Acceleration in g: a 64th, x and y with the other sign")
    func accelerometer() throws {
        typealias Value = TiSensorTag.AccelerometerService.Data
        let value = try #require(Value(x: 1, y: 0.5, z: -1.5))
        #expect(value.rawValue == [-64, -32, -96])
        let read = try #require(Value(rawValue: [-64, -32, -96]))
        #expect((read.x, read.y, read.z) == (1, 0.5, -1.5))
        #expect(
            read.stringValue
                == ["x": "1.00", "y": "0.50", "z": "-1.50", "xRaw": "-64", "yRaw": "-32", "zRaw": "-96"]
        )
        #expect(Value(stringValue: ["xRaw": "-64", "yRaw": "-32", "zRaw": "-96", "x": "7"]) == read)
        #expect(Value(stringValue: ["x": "1.00", "y": "0.50", "z": "-1.50"]) == nil)
        #expect(Value(stringValue: ["xRaw": "128", "yRaw": "0", "zRaw": "0"]) == nil)
        #expect(Value(x: 2, y: 0, z: 0) == nil && Value(x: .nan, y: 0, z: 0) == nil)
        #expect(Value(rawValue: []) == nil && Value(rawValue: [1, 2, 3, 4]) == nil)
    }

    @Test("The update period in milliseconds: tens of them, never below ten")
    func period() {
        typealias Period = TiSensorTag.AccelerometerService.UpdatePeriod
        #expect([0, 1, 100, 255].map { Period(rawValue: $0)?.period } == [10, 10, 1_000, 2_550])
        #expect(Period(rawValue: 100)?.stringValue == ["period": "1000", "periodRaw": "100"])
        #expect(Period(stringValue: ["periodRaw": "20"])?.period == 200)
        #expect(Period(stringValue: ["periodRaw": "256"]) == nil && Period(stringValue: ["period": "200"]) == nil)
    }

    @Test("A magnetic field in µT and a rotation in degrees a second")
    func magnetometerAndGyroscope() throws {
        let field = try #require(TiSensorTag.MagnetometerService.Data(rawValue: [-2_183, 1_916, 1_255]))
        #expect(near(field.x, 66.619873046875) && near(field.y, -58.4716796875) && near(field.z, 38.299560546875))
        #expect(TiSensorTag.MagnetometerService.Data(x: field.x, y: field.y, z: field.z)?.rawValue == field.rawValue)
        #expect(field.stringValue["x"] == "66.62" && field.stringValue["xRaw"] == "-2183")
        let turn = try #require(TiSensorTag.GyroscopeService.Data(rawValue: [-24, -219, -23]))
        #expect(near(turn.x, 0.18310546875) && near(turn.y, 1.67083740234375) && near(turn.z, -0.17547607421875))
        #expect(TiSensorTag.GyroscopeService.Data(x: 0, y: 0, z: 250) == nil)
        #expect(TiSensorTag.GyroscopeService.Data.rawFromValues([1]) == nil)
    }

    @Test(
        "The temperature of an object, by the formula of the TMP006",
        arguments: [
            (-172, 3_388, 26.95320128543767, 26.46875), (0, 3_200, 29.24339582013317, 25),
            (500, 2_560, 35.16732443628299, 20), (-500, 3_840, 23.39605192037995, 30),
        ] as [(Int16, Int16, Double, Double)]
    )
    func temperature(object: Int16, ambient: Int16, celsius: Double, around: Double) throws {
        let value = try #require(TiSensorTag.TemperatureService.Data(rawValue: [object, ambient]))
        #expect(near(value.object, celsius) && near(value.ambient, around))
        #expect(TiSensorTag.TemperatureService.Data(stringValue: value.stringValue)?.rawValue == value.rawValue)
    }

    @Test("No temperature that can be sent stops anything", arguments: [Int16.min, -1, 0, .max])
    func extremeTemperatures(raw: Int16) {
        for other in [Int16.min, 0, .max] {
            #expect(TiSensorTag.TemperatureService.Data(rawValue: [raw, other])?.stringValue.count == 4)
        }
    }

    @Test("What cannot be warm or cold is no number, and equals itself all the same")
    func noTemperature() throws {
        let value = try #require(TiSensorTag.TemperatureService.Data(rawValue: [-5_375, 1_793]))
        #expect(value.object.isNaN && value.stringValue["object"] == "nan")
        #expect(SerDe.deserialize(SerDe.serialize(value)) == value)
        #expect(Set([value]).contains(value))
        let other = try #require(TiSensorTag.TemperatureService.Data(rawValue: [-5_376, 1_793]))
        #expect(other.object.isNaN && other != value)
    }

    @Test(
        "Pressure in pascals and temperature, with what was measured when the sensor was made",
        arguments: [
            (-2_343, 33_995, 102_148.51369548283, 18.610433161258698), (0, 30_000, 91_517.587890625, 24.9921875),
            (10_000, 65_535, 208_649.05527097214, 52.229722023010254),
        ] as [(Int16, UInt16, Double, Double)]
    )
    func barometer(temperature: Int16, pressure: UInt16, pascals: Double, celsius: Double) throws {
        typealias Service = TiSensorTag.BarometerService
        let data = try #require(Service.Calibration.initialValue)
        let calibration = try #require(SerDe.deserialize(data) as Service.Calibration?)
        #expect((calibration.c1, calibration.c4, calibration.c5, calibration.c8) == (45_697, 36_174, 7_001, 5_542))
        #expect(Service.Calibration(stringValue: calibration.stringValue) == calibration)
        #expect(Service.Calibration(stringValue: ["c1": "1"]) == nil)
        let value = try #require(Service.Data(rawValue1: temperature, rawValue2: pressure))
        #expect(near(value.pressure(calibration), pascals) && near(value.temperature(calibration), celsius))
        #expect(Service.Data(stringValue: value.stringValue) == value)
    }

    @Test("Humidity in per cent and temperature")
    func hygrometer() throws {
        let value = try #require(TiSensorTag.HygrometerService.Data(rawValue: [2_600, 3_500]))
        #expect(near(value.temperature, -39.8886865234375) && near(value.humidity, 0.67572021484375))
        #expect(value.stringValue["temperature"] == "-39.89" && value.stringValue["humidity"] == "0.68")
        #expect(TiSensorTag.HygrometerService.Data(stringValue: value.stringValue) == value)
    }

    @Test("Tests that passed and failed, bit by bit")
    func tests() throws {
        let value = try #require(TiSensorTag.SensorTagTestService.Data(rawValue: 0xF1))
        #expect(value.test1 && !value.test2 && !value.test4 && value.test5 && value.test8)
        #expect(value.stringValue["test1"] == "PASSED" && value.stringValue["test2"] == "FAILED")
        #expect(value.stringValue["resultRaw"] == "241" && value.stringValue.count == 9)
    }

    @Test("Choices are texts under the name of their characteristic")
    func choices() {
        typealias Axes = TiSensorTag.GyroscopeService.Enabled
        #expect(Axes.allCases.map(\.rawValue) == Array(0...7))
        #expect(Axes.allCases.compactMap { $0.stringValue["Gyroscope Enabled"] } == Axes.stringValues)
        #expect(Axes(stringValue: ["Gyroscope Enabled": "XYAxis"]) == .xyAxis)
        #expect(TiSensorTag.BarometerService.Enabled(rawValue: 2) == .calibrate)
        #expect(TiSensorTag.KeyPressedService.State(rawValue: 3) == nil)
        #expect(TiSensorTag.AccelerometerService.Enabled(boolValue: true).boolValue)
    }

    @Test("Device temperature, addresses, places and percentages")
    func others() throws {
        #expect(Nordic.DeviceTemperatureService.Data(rawValue: 101)?.temperature == 25.25)
        let address = try #require(Nordic.BLEAddressService.Address(rawValue: [1, 2, 3, 4, 5, 6]))
        #expect(SerDe.serialize(address) == Data([1, 2, 3, 4, 5, 6]))
        #expect(Nordic.BLEAddressService.Address(stringValue: address.stringValue) == address)
        let place = try #require(
            Gnosus.LocationService.LatitudeAndLongitude(latitude: 37.752760, longitude: -122.413234)
        )
        #expect(place.rawValue == [0, -1])
        #expect(Gnosus.LocationService.LatitudeAndLongitude(rawValue: [0, -1])?.longitude == -100)
        #expect(BLESIGGATT.BatteryService.Level(stringValue: ["Battery Level": "42"])?.value == 42)
        #expect(BLESIGGATT.TxPowerService.Level(rawValue: -40)?.stringValue == ["Tx Power Level": "-40"])
    }

    @Test("Heart rates, short and long, with everything that may come with them")
    func heartRate() throws {
        typealias Measurement = BLESIGGATT.HeartRateService.Measurement
        let full = Measurement(beatsPerMinute: 300, hasContact: true, energyExpended: 0x0102, intervals: [1_024, 512])
        let data = SerDe.serialize(full)
        #expect(data == Data([0x1F, 0x2C, 0x01, 0x02, 0x01, 0x00, 0x04, 0x00, 0x02]))
        #expect(SerDe.deserialize(data) as Measurement? == full)
        #expect(Measurement(stringValue: full.stringValue) == full)
        #expect(
            SerDe.deserialize(Data([0x04, 60])) as Measurement? == Measurement(beatsPerMinute: 60, hasContact: false)
        )
        for broken in [[], [0], [1, 60], [8, 60], [8, 60, 1]] as [[UInt8]] {
            #expect(SerDe.deserialize(Data(broken)) as Measurement? == nil)
        }
    }
}
