import BluethroatPeripheralFutures
import CoreBluetooth
import Testing

@Suite("The services that come with it")
struct ShippedProfilesTests {
    private struct Row {
        var service: String
        var name: String
        var tag: String
        /// UUID, name, properties, initial value in hexadecimal digits.
        var characteristics: [(String, String, CBCharacteristicProperties, String?)]
    }

    private func check(_ rows: [Row], _ create: (ProfileManager) -> Void) throws {
        let manager = ProfileManager()
        create(manager)
        #expect(manager.all.map(\.uuid) == rows.map { CBUUID(string: $0.service) })
        for row in rows {
            let service = try #require(manager.services[CBUUID(string: row.service)])
            #expect(service.name == row.name && service.tag == row.tag)
            #expect(service.characteristics.map(\.uuid) == row.characteristics.map { CBUUID(string: $0.0) })
            for (found, (_, name, properties, initial)) in zip(service.characteristics, row.characteristics) {
                #expect(found.name == name && found.properties == properties, "\(name)")
                #expect(found.permissions == [.readable, .writeable], "\(name)")
                #expect(found.initialValue?.hexStringValue() == initial, "\(name)")
            }
        }
    }

    private func ti(_ digits: String) -> String { "F000\(digits)-0451-4000-B000-000000000000" }

    @Test("The SensorTag's eight services, with names, properties and initial values")
    func sensorTag() throws {
        let data: CBCharacteristicProperties = [.read, .notify]
        let setting: CBCharacteristicProperties = [.read, .write]
        let tag = "TI Sensor Tag"
        try check(
            [
                Row(
                    service: ti("AA10"),
                    name: "TI Accelerometer",
                    tag: tag,
                    characteristics: [
                        (ti("AA11"), "Accelerometer Data", data, "c0e0a0"),
                        (ti("AA12"), "Accelerometer Enabled", setting, "00"),
                        (ti("AA13"), "Accelerometer Update Period", setting, "64"),
                    ]
                ),
                Row(
                    service: ti("AA30"),
                    name: "TI Magnetometer",
                    tag: tag,
                    characteristics: [
                        (ti("AA31"), "Magnetometer Data", data, "79f77c07e704"),
                        (ti("AA32"), "Magnetometer Enabled", setting, "00"),
                        (ti("AA33"), "Magnetometer Update Period", setting, "c8"),
                    ]
                ),
                Row(
                    service: ti("AA50"),
                    name: "TI Gyroscope",
                    tag: tag,
                    characteristics: [
                        (ti("AA51"), "Gyroscope Data", data, "e8ff25ffe9ff"),
                        (ti("AA52"), "Gyroscope Enabled", setting, "00"),
                    ]
                ),
                Row(
                    service: ti("AA00"),
                    name: "TI Temperature",
                    tag: tag,
                    characteristics: [
                        (ti("AA01"), "Temperature Data", data, "54ff3c0d"),
                        (ti("AA02"), "Temperature Enabled", setting, "00"),
                    ]
                ),
                Row(
                    service: ti("AA40"),
                    name: "TI Barometer",
                    tag: tag,
                    characteristics: [
                        (ti("AA41"), "Baraometer Data", data, "d9f6cb84"),
                        (ti("AA43"), "Baraometer Calibration Data", data, "81b2f863febe4e8d591bc607bff6a615"),
                        (ti("AA42"), "Baraometer Enabled", setting, "00"),
                    ]
                ),
                Row(
                    service: ti("AA20"),
                    name: "TI Hygrometer",
                    tag: tag,
                    characteristics: [
                        (ti("AA21"), "Hygrometer Data", data, "280aac0d"),
                        (ti("AA22"), "Hygrometer Enabled", setting, "00"),
                    ]
                ),
                Row(
                    service: ti("AA60"),
                    name: "TI Sensor Tag Test",
                    tag: tag,
                    characteristics: [
                        (ti("AA61"), "Test Data", .read, "f0"), (ti("AA62"), "Test Enabled", setting, "00"),
                    ]
                ),
                Row(
                    service: "FFE0",
                    name: "Sensor Tag Key Pressed",
                    tag: tag,
                    characteristics: [("FFE1", "Key Pressed", .notify, "01")]
                ),
            ]
        ) { TISensorTagProfiles.create(profileManager: $0) }
    }

    @Test("Device information, battery and transmit power, with their initial values")
    func sig() throws {
        let text = ["4d6f64656c2041", "4141413131", "312e30", "312e30", "312e30", "676e6f732e7573"]
        let names = [
            "Device Model Number", "Device Serial Number", "Device Firmware Revision", "Device Hardware Revision",
            "Device Software Revision", "Device Manufacturer Name",
        ]
        let information = (0..<6).map {
            ("2A2\(4 + $0)", names[$0], CBCharacteristicProperties.read, text[$0] as String?)
        }
        try check(
            [
                Row(service: "180A", name: "Device Information", tag: "BLESIGGATT", characteristics: information),
                Row(
                    service: "180F",
                    name: "Battery",
                    tag: "BLESIGGATT",
                    characteristics: [("2A19", "Battery Level", [.notify, .read], "64")]
                ),
                Row(
                    service: "1804",
                    name: "Tx Power Level",
                    tag: "BLESIGGATT",
                    characteristics: [("2A07", "Tx Power Level", [.notify, .read], "d8")]
                ),
            ]
        ) { BLESIGGATTProfiles.create(profileManager: $0) }
        try check(
            [
                Row(
                    service: "180D",
                    name: "Heart Rate",
                    tag: "BLESIGGATT",
                    characteristics: [
                        ("2A37", "Heart Rate Measurement", .notify, "0048"),
                        ("2A38", "Body Sensor Location", .read, "01"),
                        ("2A39", "Heart Rate Control Point", .write, nil),
                    ]
                )
            ]
        ) { HeartRateProfiles.create(profileManager: $0) }
    }

    @Test("Gnosus and Nordic")
    func others() throws {
        func uuid(_ digits: String) -> String { "2F0A\(digits)-69AA-F316-3E78-4194989A6C1A" }
        try check(
            [
                Row(
                    service: uuid("0000"),
                    name: "Hello World",
                    tag: "gnos.us",
                    characteristics: [
                        (uuid("0001"), "Hello World Greeting", [.read, .notify], "48656c6c6f"),
                        (uuid("0002"), "Update Period", [.read, .write], "8813"),
                    ]
                ),
                Row(
                    service: uuid("0001"),
                    name: "Location",
                    tag: "gnos.us",
                    characteristics: [(uuid("0017"), "Lattitude and Longitude", [.read, .write], "0000ffff")]
                ),
            ]
        ) { GnosusProfiles.create(profileManager: $0) }
        try check(
            [
                Row(
                    service: uuid("0003"),
                    name: "Nordic Device Temperature",
                    tag: "Nordic",
                    characteristics: [(uuid("0004"), "Device Temperature Data", [.read, .notify], "6400")]
                ),
                Row(
                    service: uuid("0005"),
                    name: "Nordic BLE Address",
                    tag: "Nordic",
                    characteristics: [
                        (uuid("0006"), "BLE Addresss", [.read, .notify], "640000000000"),
                        (uuid("0007"), "BLE Address Type", .read, "01"),
                    ]
                ),
            ]
        ) { NordicProfiles.create(profileManager: $0) }
    }
}
