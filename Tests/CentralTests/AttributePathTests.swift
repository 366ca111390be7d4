import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
import Testing

@testable import BluethroatCentral

@Suite("Which attribute somebody means")
struct AttributePathTests {
    @Test("Handles and UUIDs, with their service and their descriptor if wanted")
    func forms() throws {
        #expect(try AttributePath(parsing: "0x0025") == .handle(0x0025))
        #expect(try AttributePath(parsing: "0xffff") == .handle(0xFFFF))
        #expect(try AttributePath(parsing: "0X3") == .handle(3))
        #expect(try AttributePath(parsing: "2a19") == .characteristic(0x2A19, service: nil))
        #expect(
            try AttributePath(parsing: "00002A19-0000-1000-8000-00805F9B34FB") == .characteristic(0x2A19, service: nil)
        )
        #expect(try AttributePath(parsing: "1802/2A06") == .characteristic(0x2A06, service: 0x1802))
        #expect(
            try AttributePath(parsing: "FFA0/FFA1/2901")
                == .descriptor(0x2901, characteristic: 0xFFA1, service: 0xFFA0)
        )
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "0x", "0x0", "0x10000", "0xG", "0x-1", "2A1", "XYZ", "1802/", "/2A06", "1802//2901", "1/2/3",
            "1800/2A00/2901/2902",
        ]
    )
    func refusals(text: String) {
        #expect(throws: AttributePathError.self) { try AttributePath(parsing: text) }
    }

    @Test("An address is one only if it is written like one; the rest are names")
    func targets() {
        #expect(DeviceTarget("78:c5:e5:9b:76:0d") == .address(0x78C5_E59B_760D))
        #expect(DeviceTarget("78:C5:E5:9B:76") == .name("78:C5:E5:9B:76"))
        #expect(DeviceTarget("Keyfobdemo") == .name("Keyfobdemo"))
        #expect("\(DeviceTarget("78:c5:e5:9b:76:0d"))" == "78:C5:E5:9B:76:0D")
    }
}

@Suite("Finding an attribute in a table")
struct ResolvedAttributeTests {
    private static func alertLevel(_ handle: AttributeHandle, value: AttributeHandle) -> RemoteCharacteristic {
        RemoteCharacteristic(
            uuid: 0x2A06,
            properties: [.read, .write],
            handle: handle,
            valueHandle: value,
            endHandle: value,
            descriptors: [RemoteDescriptor(handle: value.next!, uuid: 0x2901)]
        )
    }

    private let database = RemoteDatabase(services: [
        RemoteService(uuid: 0x1803, handles: 0x0023...0x0026, characteristics: [alertLevel(0x0024, value: 0x0025)]),
        RemoteService(uuid: 0x1802, handles: 0x0027...0x002A, characteristics: [alertLevel(0x0028, value: 0x0029)]),
    ])

    @Test("With its service a characteristic has one handle, and brings its properties along")
    func one() throws {
        let found = try database.resolve(try AttributePath(parsing: "1802/2A06"))
        #expect(found.handle == 0x0029)
        #expect(found.uuid == 0x2A06)
        #expect(found.characteristic?.handle == 0x0028)
        #expect(try database.resolve(try AttributePath(parsing: "1803/2A06/2901")).handle == 0x0026)
    }

    @Test("A UUID that names several is wrong usage and lists their handles and services")
    func several() throws {
        let error = #expect(throws: OperationFailure.self) {
            try database.resolve(.characteristic(0x2A06, service: nil))
        }
        #expect(error?.kind == .wrongUsage)
        #expect(error?.message.contains("0x0025 in 1803, 0x0029 in 1802; give a handle, or SERVICE/2A06") == true)
    }

    @Test("A UUID that names none is the peer's no")
    func none() throws {
        let error = #expect(throws: OperationFailure.self) {
            try database.resolve(.characteristic(0x2A37, service: nil))
        }
        #expect(error?.kind == .refused)
        #expect(error?.message.contains("2A37") == true)
    }

    @Test("A handle is taken as it is; a value's handle knows its characteristic but claims no type")
    func handle() throws {
        #expect(try database.resolve(.handle(0x0100)) == ResolvedAttribute(handle: 0x0100))
        let value = try database.resolve(.handle(0x0025))
        #expect(value.uuid == nil)
        #expect(value.characteristic?.uuid == 0x2A06)
    }
}
