import BluethroatPeripheralFutures
import CoreBluetooth
import Testing

@Suite("Profiles")
struct ProfileTests {
    @Test("A profile without words has the usual permissions and properties, and writes hexadecimal digits")
    func plain() {
        let profile = CharacteristicProfile(uuid: "2A37", name: "Rate")
        #expect(profile.uuid == CBUUID(string: "2A37") && profile.name == "Rate" && profile.initialValue == nil)
        #expect(profile.permissions == [.readable, .writeable] && profile.properties == [.read, .write, .notify])
        #expect(profile.stringValues.isEmpty)
        #expect(profile.stringValue(Data([0x0A, 0xFF])) == ["Rate": "0aff"])
        #expect(profile.data(fromString: ["Rate": "0AFF"]) == Data([0x0A, 0xFF]))
        #expect(profile.data(fromString: ["Other": "0AFF"]) == nil)
        #expect(CharacteristicProfile(uuid: "2A37").name == "Unknown")
    }

    @Test("A property or permission is enabled if one of those asked for is there")
    func enabled() {
        let profile = CharacteristicProfile(
            uuid: "2A37",
            name: "Rate",
            permissions: .readable,
            properties: [.read, .indicate]
        )
        #expect(profile.propertyEnabled([.notify, .indicate]) && !profile.propertyEnabled([.write, .notify]))
        #expect(profile.permissionEnabled([.readable, .writeable]) && !profile.permissionEnabled(.writeable))
    }

    @Test("Profiles of types say what the type says, and read and write text by it")
    func typed() {
        let raw = RawCharacteristicProfile<TiSensorTag.AccelerometerService.Enabled>()
        #expect(raw.name == "Accelerometer Enabled" && raw.stringValues == ["No", "Yes"])
        #expect(raw.stringValue(Data([1])) == ["Accelerometer Enabled": "Yes"] && raw.stringValue(Data([9])) == nil)
        #expect(raw.data(fromString: ["Accelerometer Enabled": "Yes"]) == Data([1]))
        #expect(raw.data(fromString: ["Accelerometer Enabled": "Perhaps"]) == nil)
        let array = RawArrayCharacteristicProfile<TiSensorTag.AccelerometerService.Data>()
        #expect(array.data(fromString: ["xRaw": "-2", "yRaw": "1", "zRaw": "0"]) == Data([0xFE, 1, 0]))
        #expect(array.stringValue(Data([1, 2])) == nil)
        let pair = RawPairCharacteristicProfile<TiSensorTag.BarometerService.Data>()
        #expect(pair.stringValue(Data([1, 0, 2, 0])) == ["temperatureRaw": "1", "pressureRaw": "2"])
        #expect(pair.data(fromString: ["temperatureRaw": "1", "pressureRaw": "-2"]) == nil)
        let arrayPair = RawArrayPairCharacteristicProfile<TiSensorTag.BarometerService.Calibration>()
        #expect(arrayPair.initialValue?.count == 16 && arrayPair.stringValue(Data(count: 15)) == nil)
        #expect(arrayPair.stringValue(Data(count: 16))?["c8"] == "0")
    }

    @Test("A text's initial value is that of its type")
    func text() {
        let greeting = StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>()
        #expect(greeting.initialValue == Data("Hello".utf8) && greeting.encoding == .utf8)
        #expect(greeting.stringValue(Data("Grüße".utf8)) == ["Hello World Greeting": "Grüße"])
        #expect(greeting.stringValue(Data([0xFF])) == nil)
        #expect(greeting.data(fromString: ["Hello World Greeting": "Hi"]) == Data("Hi".utf8))
        let other = StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(
            uuid: "2A00",
            name: "Name",
            initialValue: Data([0xFC]),
            encoding: .isoLatin1
        )
        #expect(other.stringValue(Data([0xFC])) == ["Name": "ü"] && other.initialValue == Data([0xFC]))
        #expect(other.properties == [.read, .write, .notify])
    }

    @Test("A service has its characteristics in the order in which they were added; the last one of a UUID counts")
    func services() {
        let service = ServiceProfile(uuid: "FFF0", name: "Things")
        #expect(service.tag == "Miscellaneous" && ServiceProfile(uuid: "FFF0").name == "Unknown")
        for uuid in ["FFF3", "FFF1", "FFF2"] { service.addCharacteristic(CharacteristicProfile(uuid: uuid)) }
        service.addCharacteristic(CharacteristicProfile(uuid: "FFF1", name: "New"))
        #expect(service.characteristics.map(\.uuid.uuidString) == ["FFF3", "FFF1", "FFF2"])
        #expect(service.characteristic[CBUUID(string: "FFF1")]?.name == "New")
        #expect(service.characteristicProfile(withUUID: CBUUID(string: "FFF1")).name == "New")
        let unknown = service.characteristicProfile(withUUID: CBUUID(string: "FFF9"))
        #expect(unknown.name == "Unknown" && unknown.uuid == CBUUID(string: "FFF9"))
        #expect(service.characteristics.count == 3)
        let configured = ConfiguredServiceProfile<TiSensorTag.AccelerometerService>()
        #expect(configured.name == "TI Accelerometer" && configured.tag == "TI Sensor Tag")
    }

    @Test("Of services with one UUID the last wins")
    func manager() {
        let manager = ProfileManager()
        manager.addService(ServiceProfile(uuid: "FFF0", name: "old"))
        manager.addService(ServiceProfile(uuid: "FFF1", name: "other"))
        manager.addService(ServiceProfile(uuid: "FFF0", name: "new"))
        #expect(manager.services.count == 2 && manager.services[CBUUID(string: "FFF0")]?.name == "new")
        #expect(manager.all.map(\.name) == ["new", "other"])
    }
}
