import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("GATT client: discovery")
struct ClientDiscoveryTests {
    var bench = ClientBench()
    private let long = "88 88 77 77 66 66 55 55 44 44 33 33 22 22 11 11"

    @Test("GATT/CL/GAD/BV-01-C: primary services, on behind the last one until there are no more")
    mutating func services() throws {
        #expect(try bench.order(.services(ServiceDiscovery(uuid: nil))) == "10 01 00 ff ff 00 28")
        #expect(bench.answer("11 06 01 00 08 00 01 18 10 00 28 00 00 a0") == "10 29 00 ff ff 00 28")
        #expect(bench.answer("11 14 40 00 50 00 " + long) == "10 51 00 ff ff 00 28")
        #expect(bench.answer("01 10 51 00 0a") == "")
        #expect(
            try bench.result()
                == .services([
                    RemoteService(uuid: 0x1801, handles: 0x0001...0x0008),
                    RemoteService(uuid: 0xA000, handles: 0x0010...0x0028),
                    RemoteService(uuid: SampleDatabase.longUUID, handles: 0x0040...0x0050),
                ])
        )
    }

    @Test("A service that ends at 0xFFFF is the last one, and nobody asks on")
    mutating func lastService() throws {
        _ = try bench.order(.services(ServiceDiscovery(uuid: nil)))
        #expect(bench.answer("11 06 01 00 ff ff 00 18") == "")
        #expect(try bench.result() == .services([RemoteService(uuid: 0x1800, handles: 0x0001...0xFFFF)]))
    }

    @Test("GATT/CL/GAD/BV-02-C: services with one UUID")
    mutating func servicesByUUID() throws {
        #expect(try bench.order(.services(ServiceDiscovery(uuid: 0x180F))) == "06 01 00 ff ff 00 28 0f 18")
        #expect(bench.answer("07 05 00 09 00 20 00 ff ff") == "")
        #expect(
            try bench.result()
                == .services([
                    RemoteService(uuid: 0x180F, handles: 0x0005...0x0009),
                    RemoteService(uuid: 0x180F, handles: 0x0020...0xFFFF),
                ])
        )
        let request = try bench.order(.services(ServiceDiscovery(uuid: SampleDatabase.longUUID)))
        #expect(request == "06 01 00 ff ff 00 28 " + long)
        #expect(bench.answer("01 06 01 00 0a") == "")
        #expect(try bench.result() == .services([]))
    }

    @Test("GATT/CL/GAD/BV-03-C: includes; a long UUID is read from the service itself")
    mutating func includes() throws {
        #expect(try bench.order(.includes(IncludeDiscovery(0x0040...0x0050))) == "08 40 00 50 00 02 28")
        #expect(bench.answer("09 08 41 00 10 00 28 00 00 a0") == "08 42 00 50 00 02 28")
        #expect(bench.answer("09 06 42 00 60 00 68 00 43 00 70 00 78 00") == "0a 60 00")
        #expect(bench.answer("0b " + long) == "0a 70 00")
        #expect(bench.answer("0b 00 c0") == "08 44 00 50 00 02 28")
        #expect(bench.answer("01 08 44 00 0a") == "")
        #expect(
            try bench.result()
                == .includes([
                    RemoteInclude(handle: 0x0041, uuid: 0xA000, service: 0x0010...0x0028),
                    RemoteInclude(handle: 0x0042, uuid: SampleDatabase.longUUID, service: 0x0060...0x0068),
                    RemoteInclude(handle: 0x0043, uuid: 0xC000, service: 0x0070...0x0078),
                ])
        )
    }

    @Test("GATT/CL/GAD/BV-04-C, BV-05-C: characteristics of a service; each ends before the next")
    mutating func characteristics() throws {
        let all = CharacteristicDiscovery(0x0001...0x0010, uuid: nil)
        #expect(try bench.order(.characteristics(all)) == "08 01 00 10 00 03 28")
        #expect(bench.answer("09 07 02 00 20 03 00 05 2a 05 00 0a 06 00 29 2b") == "08 06 00 10 00 03 28")
        #expect(bench.answer("09 15 08 00 02 09 00 " + long) == "08 09 00 10 00 03 28")
        #expect(bench.answer("01 08 09 00 0a") == "")
        let first = RemoteCharacteristic(
            uuid: 0x2A05,
            properties: .indicate,
            handle: 0x0002,
            valueHandle: 0x0003,
            endHandle: 0x0004
        )
        let second = RemoteCharacteristic(
            uuid: 0x2B29,
            properties: [.read, .write],
            handle: 0x0005,
            valueHandle: 0x0006,
            endHandle: 0x0007
        )
        let third = RemoteCharacteristic(
            uuid: SampleDatabase.longUUID,
            properties: .read,
            handle: 0x0008,
            valueHandle: 0x0009,
            endHandle: 0x0010
        )
        #expect(try bench.result() == .characteristics([first, second, third]))

        _ = try bench.order(.characteristics(CharacteristicDiscovery(0x0001...0x0006, uuid: 0x2B29)))
        // The value is the last handle of the service: nothing can follow.
        #expect(bench.answer("09 07 02 00 20 03 00 05 2a 05 00 0a 06 00 29 2b") == "")
        var last = second
        last.endHandle = 0x0006
        #expect(try bench.result() == .characteristics([last]))
    }

    @Test("GATT/CL/GAD/BV-06-C: descriptors, and no request where there is no room for any")
    mutating func descriptors() throws {
        #expect(try bench.order(.descriptors(DescriptorDiscovery([0x0004...0x0006]))) == "04 04 00 06 00")
        #expect(bench.answer("05 01 04 00 02 29 05 00 01 29") == "04 06 00 06 00")
        #expect(bench.answer("05 02 06 00 " + long) == "")
        #expect(
            try bench.result()
                == .descriptors([
                    RemoteDescriptor(handle: 0x0004, uuid: 0x2902), RemoteDescriptor(handle: 0x0005, uuid: 0x2901),
                    RemoteDescriptor(handle: 0x0006, uuid: SampleDatabase.longUUID),
                ])
        )
        #expect(try bench.order(.descriptors(DescriptorDiscovery([]))) == "")
        #expect(try bench.result() == .descriptors([]))
    }

    @Test("Gaps that fit into one response together are one request, and what lies between them is passed over")
    mutating func joinedGaps() throws {
        // Five entries to a response of 23 bytes.
        let gaps = DescriptorDiscovery([0x0004...0x0004, 0x0007...0x0008, 0x000B...0x000B, 0x0020...0x0021])
        #expect(try bench.order(.descriptors(gaps)) == "04 04 00 08 00")
        #expect(bench.answer("05 01 04 00 02 29 05 00 03 28 06 00 01 2a 07 00 02 29 08 00 01 29") == "04 0b 00 0b 00")
        #expect(bench.answer("05 01 0b 00 02 29") == "04 20 00 21 00")
        #expect(bench.answer("01 04 20 00 0a") == "")
        #expect(
            try bench.result()
                == .descriptors([
                    RemoteDescriptor(handle: 0x0004, uuid: 0x2902), RemoteDescriptor(handle: 0x0007, uuid: 0x2902),
                    RemoteDescriptor(handle: 0x0008, uuid: 0x2901), RemoteDescriptor(handle: 0x000B, uuid: 0x2902),
                ])
        )
    }

    @Test("Gaps that span one handle more than a response holds are two requests")
    mutating func partedGaps() throws {
        #expect(
            try bench.order(.descriptors(DescriptorDiscovery([0x0004...0x0005, 0x0009...0x0009]))) == "04 04 00 05 00"
        )
        _ = bench.answer("01 04 04 00 0a")
        _ = bench.answer("01 04 09 00 0a")
        #expect(
            try bench.order(.descriptors(DescriptorDiscovery([0x0004...0x0005, 0x0008...0x0008]))) == "04 04 00 08 00"
        )
    }

    @Test("All there is, in as few requests as it takes")
    mutating func everything() throws {
        #expect(try bench.order(.everything(FullDiscovery())) == "10 01 00 ff ff 00 28")
        #expect(bench.answer("11 06 01 00 05 00 00 18 08 00 0c 00 0f 18") == "10 0d 00 ff ff 00 28")
        #expect(bench.answer("01 10 0d 00 0a") == "08 01 00 ff ff 02 28")
        // The battery service includes one that is no primary service.
        #expect(bench.answer("09 08 09 00 20 00 22 00 01 c0") == "08 0a 00 ff ff 02 28")
        #expect(bench.answer("01 08 0a 00 0a") == "08 01 00 ff ff 03 28")
        #expect(
            bench.answer("09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a 0a 00 12 0b 00 19 2a")
                == "08 0b 00 ff ff 03 28"
        )
        // 0x0021 stands in the included service, 0x0031 in none.
        #expect(bench.answer("09 07 21 00 02 22 00 02 c0 31 00 02 32 00 03 c0") == "08 32 00 ff ff 03 28")
        #expect(bench.answer("01 08 32 00 0a") == "04 0c 00 0c 00")
        #expect(bench.answer("05 01 0c 00 02 29") == "")

        guard case .database(let database) = try bench.result() else {
            Issue.record("no database")
            return
        }
        #expect(database.services.map(\.uuid) == [0x1800, 0x180F, 0xC001])
        #expect(database.services.map(\.isPrimary) == [true, true, false])
        #expect(
            database.services[1].includes == [
                RemoteInclude(handle: 0x0009, uuid: 0xC001, service: 0x0020...0x0022)
            ]
        )
        #expect(database.services.map { $0.characteristics.map(\.uuid) } == [[0x2A00, 0x2A01], [0x2A19], [0xC002]])
        let battery = try #require(database.characteristic(0x2A19, in: 0x180F))
        #expect(battery.endHandle == 0x000C)
        #expect(battery.descriptor(.clientCharacteristicConfiguration)?.handle == 0x000C)
        #expect(database.characteristic(0x2A00)?.descriptors == [])
        #expect(database.characteristic(0xC003) == nil)
    }

    @Test("A server without services has nothing else either")
    mutating func nothing() throws {
        _ = try bench.order(.everything(FullDiscovery()))
        #expect(bench.answer("01 10 01 00 0a") == "")
        #expect(try bench.result() == .database(RemoteDatabase()))
    }

    @Test(
        "An error other than that there is no more ends a discovery with it",
        arguments: 0..<6
    )
    mutating func refused(number: Int) throws {
        let procedure: ClientProcedure =
            switch number {
            case 0: .services(ServiceDiscovery(uuid: nil))
            case 1: .services(ServiceDiscovery(uuid: 0x1800))
            case 2: .includes(IncludeDiscovery(0x0001...0x0002))
            case 3: .characteristics(CharacteristicDiscovery(0x0001...0x0002, uuid: nil))
            case 4: .descriptors(DescriptorDiscovery([0x0001...0x0002]))
            default: .everything(FullDiscovery())
            }
        let opcode = try bench.order(procedure).prefix(2)
        #expect(bench.answer("01 \(opcode) 01 00 0e") == "")
        let request = ATTOpcode(rawValue: ([UInt8](hex: String(opcode)) ?? [0])[0])
        #expect(try bench.result() == .failed(.refused(.unlikelyError, request: request, handle: 1)))
    }
}
