import BluethroatTesting
import CoreBluetoothMock
import Testing

@Suite("Descriptors of every kind", .air)
struct DescriptorTests {
    let air = Air.current
    let thermometer = Thermometer()

    private func descriptor(_ uuid: String, of app: ThermometerApp) throws -> CBMDescriptor {
        try #require(app.descriptors[CBMUUID(string: uuid)])
    }

    @Test("An app finds each, and reads what it has, in the type that CoreBluetooth shows")
    func read() throws {
        let app = try air.readyApp(thermometer)
        for (_, descriptor) in app.descriptors { app.peripheral?.readValue(for: descriptor) }
        try air.run(until: app.readCount == app.descriptors.count)
        #expect(try descriptor("2900", of: app).value as? NSNumber == 2)
        #expect(try descriptor("2901", of: app).value as? String == "inside")
        #expect(try descriptor("2903", of: app).value as? NSNumber == 0)
        #expect(try descriptor("2904", of: app).value as? Data == Data([0x0E, 0xFF, 0x2F, 0x27, 1, 0, 0]))
        #expect(try descriptor("8A01", of: app).value as? Data == Data([1, 2]))
        #expect(try descriptor("8A02", of: app).value as? Data == Data([9]))
        // The device answers by itself.
        #expect(thermometer.asked == 0 && app.errors.isEmpty)
        #expect(app.characteristics[Thermometer.temperatureID]?.properties.contains(.extendedProperties) == true)
    }

    @Test("What may be written is kept by the device, and read again")
    func write() throws {
        let app = try air.readyApp(thermometer)
        let name = try descriptor("2901", of: app), custom = try descriptor("8A01", of: app)
        app.peripheral?.writeValue(Data("outside".utf8), for: name)
        app.peripheral?.writeValue(Data([3, 4, 5]), for: custom)
        app.peripheral?.writeValue(Data([1, 0]), for: try descriptor("2903", of: app))
        try air.run(until: app.writeCount == 3)
        #expect(thermometer.name.value as? String == "outside" && thermometer.custom.value as? Data == Data([3, 4, 5]))
        #expect(thermometer.broadcasts.value as? NSNumber == 1)
        app.peripheral?.readValue(for: name)
        app.peripheral?.readValue(for: custom)
        try air.run(until: app.readCount == 2)
        #expect(name.value as? String == "outside" && custom.value as? Data == Data([3, 4, 5]))
    }

    @Test("What may not be written is refused", arguments: ["2900", "2904", "8A02"])
    func refused(_ uuid: String) throws {
        let app = try air.readyApp(thermometer)
        app.peripheral?.writeValue(Data([1]), for: try descriptor(uuid, of: app))
        try air.run(until: app.errors.count == 1)
        #expect((app.errors[0] as? CBMATTError)?.code == .writeNotPermitted && app.writeCount == 0)
    }

    @Test("A client configuration that is written without setNotifyValue is an error, and the process goes on")
    func clientConfiguration() throws {
        let app = try air.readyApp(thermometer)
        app.peripheral?.writeValue(Data([1, 0]), for: try descriptor("2902", of: app))
        try air.run(until: app.errors.count == 1)
        #expect((app.errors[0] as? CBMATTError)?.code == .writeNotPermitted)
    }
}
