import BluethroatBluetoothValues
import Testing

@Suite("Assigned names")
struct AssignedNamesTests {
    private let everyNumber = (0...UInt16.max)

    @Test("Names of attributes that everybody meets")
    func attributes() {
        let names: [(BluetoothUUID, String)] = [
            (0x1800, "Generic Access"), (0x1801, "Generic Attribute"), (0x1802, "Immediate Alert"),
            (0x1803, "Link Loss"), (0x1804, "Tx Power"), (0x180A, "Device Information"), (0x180F, "Battery"),
            (0x2800, "Primary Service"), (0x2801, "Secondary Service"), (0x2802, "Include"),
            (0x2803, "Characteristic"), (0x2900, "Characteristic Extended Properties"),
            (0x2901, "Characteristic User Description"), (0x2902, "Client Characteristic Configuration"),
            (0x2904, "Characteristic Presentation Format"), (0x2A00, "Device Name"), (0x2A01, "Appearance"),
            (0x2A04, "Peripheral Preferred Connection Parameters"), (0x2A05, "Service Changed"),
            (0x2A06, "Alert Level"), (0x2A07, "Tx Power Level"), (0x2A19, "Battery Level"), (0x2A23, "System ID"),
            (0x2A29, "Manufacturer Name String"), (0x2A50, "PnP ID"), (0x2B29, "Client Supported Features"),
            (0x2B2A, "Database Hash"), (0x27AD, "percentage"), (0xFE2C, "Google LLC"), (0xFFE0, "Simple Keys"),
            (0xFFA5, "Accelerometer Z"),
        ]
        for (uuid, name) in names { #expect(uuid.assignedName == name) }
    }

    @Test("A name does not depend on a UUID's spelling; other long UUIDs have none")
    func spelling() throws {
        #expect(BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB")?.assignedName == "Battery")
        #expect(BluetoothUUID("0000180F")?.assignedName == "Battery")
        #expect(BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FC")?.assignedName == nil)
        #expect(BluetoothUUID("1000180F")?.assignedName == nil)
        for number: UInt16 in [0x0000, 0x17FF, 0x18FF, 0x2CFF, 0xFFFF] {
            #expect(BluetoothUUID(number).assignedName == nil)
        }
    }

    @Test("Every line of every table is found, so the tables ascend")
    func everyLine() {
        func count(_ range: ClosedRange<UInt16>) -> Int {
            range.count { BluetoothUUID($0).assignedName != nil }
        }
        #expect(count(0x1800...0x18FF) == 69)
        #expect(count(0x2700...0x27FF) == 126)
        #expect(count(0x2800...0x29FF) == 22)
        #expect(count(0x2A00...0x2CFF) == 476)
        #expect(count(0xFC00...0xFFFF) == 639)
        #expect(everyNumber.count { CompanyIdentifier(rawValue: $0).name != nil } == 3405)
        #expect(everyNumber.count { BluetoothUUID($0).assignedName != nil } == 69 + 126 + 22 + 476 + 639)
        #expect((0...UInt8.max).count { AdvertisingData.DataType(rawValue: $0).assignedName != nil } == 50)
    }

    @Test("Names are text without line breaks or spaces around it")
    func clean() {
        for number in everyNumber {
            for name in [
                BluetoothUUID(number).assignedName, CompanyIdentifier(rawValue: number).name,
                Appearance(rawValue: number).name,
            ] {
                guard let name else { continue }
                #expect(!name.isEmpty && name.first != " " && name.last != " " && !name.contains("\n"), "\(number)")
            }
        }
    }

    @Test("Companies have their names, numbers that nobody has say so")
    func companies() {
        #expect(CompanyIdentifier(rawValue: 0x0000).name == "Ericsson AB")
        #expect(CompanyIdentifier.texasInstruments.name == "Texas Instruments Inc.")
        #expect(CompanyIdentifier.apple.description == "Apple, Inc.")
        #expect(CompanyIdentifier.nordicSemiconductor.name == "Nordic Semiconductor ASA")
        #expect(CompanyIdentifier(rawValue: 0xFFFE).name == nil)
        #expect(CompanyIdentifier(rawValue: 0xFFFE).description == "company 0xFFFE")
    }

    @Test("An appearance has its own name, else its category's")
    func appearance() {
        #expect(Appearance.unknown.name == "Unknown")
        #expect(Appearance.keyring.name == "Keyring")
        #expect(Appearance(rawValue: 0x03C1).name == "Keyboard")
        #expect(Appearance(rawValue: 0x03C1).category.name == "Human Interface Device")
        #expect(Appearance(rawValue: 0x03FF).name == "Human Interface Device")
        #expect(Appearance(rawValue: 0xFFC0).description == "appearance 0xFFC0")
    }

    @Test("AD types have names")
    func advertisingDataTypes() {
        #expect(AdvertisingData.DataType.flags.assignedName == "Flags")
        #expect(AdvertisingData.DataType.completeUUIDs16.assignedName == "Complete List of 16-bit Service UUIDs")
        #expect(AdvertisingData.DataType.manufacturerSpecific.assignedName == "Manufacturer Specific Data")
        #expect(AdvertisingData.DataType(rawValue: 0x0B).assignedName == nil)
    }
}
