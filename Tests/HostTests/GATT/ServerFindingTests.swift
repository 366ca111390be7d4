import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

@Suite("ATT server: finding")
struct ServerFindingTests {
    var bench = ServerBench(SampleDatabase.make)

    @Test("GATT/SR/GAD/BV-01-C: primary services, those of one UUID width at a time, secondary ones never")
    mutating func primaryServices() {
        #expect(bench.send("10 01 00 ff ff 00 28") == "11 06 01 00 08 00 01 18 10 00 28 00 00 a0")
        #expect(
            bench.send("10 29 00 ff ff 00 28")
                == "11 14 40 00 50 00 88 88 77 77 66 66 55 55 44 44 33 33 22 22 11 11"
        )
        #expect(bench.send("10 51 00 ff ff 00 28") == "01 10 51 00 0a")
        #expect(bench.send("10 01 00 ff ff 01 28") == "11 06 60 00 68 00 00 c0")
        // A service beyond the end of the range is none of it, though one that begins in it may end outside.
        #expect(bench.send("10 01 00 10 00 00 28") == "11 06 01 00 08 00 01 18 10 00 28 00 00 a0")
        #expect(bench.send("10 01 00 0f 00 00 28") == "11 06 01 00 08 00 01 18")
    }

    @Test("The long spelling of a short UUID means the same")
    mutating func longSpelling() {
        let long = "fb 34 9b 5f 80 00 00 80 00 10 00 00 01 28 00 00"
        #expect(bench.send("10 01 00 ff ff " + long) == "11 06 60 00 68 00 00 c0")
        let type = "fb 34 9b 5f 80 00 00 80 00 10 00 00 04 a0 00 00"
        #expect(bench.send("08 01 00 ff ff " + type) == "09 04 18 00 44 45")
    }

    @Test("Only services group attributes: other types are refused with 0x10")
    mutating func groupTypes() {
        #expect(bench.send("10 01 00 ff ff 03 28") == "01 10 01 00 10")
        #expect(bench.send("10 01 00 ff ff 02 28") == "01 10 01 00 10")
        #expect(bench.send("10 04 00 ff ff 34 12") == "01 10 04 00 10")
    }

    @Test("A range that begins at 0x0000 or after its end is refused with 0x01", arguments: ["04", "06", "08", "10"])
    mutating func ranges(opcode: String) {
        let rest = ["04": "", "06": " 00 28 01 18", "08": " 03 28", "10": " 00 28"][opcode] ?? ""
        #expect(bench.send("\(opcode) 00 00 ff ff" + rest) == "01 \(opcode) 00 00 01")
        #expect(bench.send("\(opcode) 05 00 04 00" + rest) == "01 \(opcode) 05 00 01")
        #expect(bench.send("\(opcode) 00 00 00 00" + rest) == "01 \(opcode) 00 00 01")
    }

    @Test("A range without anything is refused with 0x0A", arguments: ["04", "06", "08", "10"])
    mutating func emptyRanges(opcode: String) {
        let rest = ["04": "", "06": " 00 28 01 18", "08": " 03 28", "10": " 00 28"][opcode] ?? ""
        #expect(bench.send("\(opcode) 00 02 ff ff" + rest) == "01 \(opcode) 00 02 0a")
        #expect(bench.send("\(opcode) 29 00 3f 00" + rest) == "01 \(opcode) 29 00 0a")
    }

    @Test("GATT/SR/GAD/BV-02-C: primary services with one UUID")
    mutating func servicesByUUID() {
        #expect(bench.send("06 01 00 ff ff 00 28 00 a0") == "07 10 00 28 00")
        bench.agree(mtu: 64)
        #expect(bench.send("06 01 00 ff ff 00 28 88 88 77 77 66 66 55 55 44 44 33 33 22 22 11 11") == "07 40 00 50 00")
        // A secondary service is not a primary one with the same UUID.
        #expect(bench.send("06 01 00 ff ff 00 28 00 c0") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 01 28 00 c0") == "07 60 00 68 00")
        // Not even the beginning of a value matches, nor one that goes on.
        #expect(bench.send("06 01 00 ff ff 00 28 00") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 00 28 00 a0 00") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 00 28") == "01 06 01 00 0a")
    }

    @Test("Values are found as services are; characteristics with their ends, and what may not be read never")
    mutating func findByTypeValue() {
        #expect(bench.send("06 01 00 ff ff 01 b0 03 04") == "07 48 00 48 00")
        #expect(bench.send("06 01 00 ff ff 01 b0 08 09") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 05 a0 55") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 08 a0") == "01 06 01 00 0a")
        #expect(bench.send("06 01 00 ff ff 03 28 30 1e 00 07 a0") == "07 1d 00 1f 00")
    }

    @Test("As many handles as fit are found at once")
    mutating func findManyByTypeValue() throws {
        bench.layer.server.database = try GATTDatabase((0..<9).map { _ in ServiceDefinition(0x1234) })
        #expect(
            bench.send("06 01 00 ff ff 00 28 34 12")
                == "07 01 00 01 00 02 00 02 00 03 00 03 00 04 00 04 00 05 00 05 00"
        )
        #expect(bench.send("06 06 00 ff ff 00 28 34 12") == "07 06 00 06 00 07 00 07 00 08 00 08 00 09 00 09 00")
    }

    @Test("GATT/SR/GAD/BV-03-C: includes, with the UUID where it is short")
    mutating func includes() throws {
        #expect(bench.send("08 01 00 ff ff 02 28") == "09 08 41 00 10 00 28 00 00 a0 42 00 60 00 68 00 00 c0")
        bench.layer.server.database = try GATTDatabase([
            ServiceDefinition(SampleDatabase.longUUID),
            ServiceDefinition(0x1, includes: [IncludeDefinition(.handle(0x0001))]),
        ])
        #expect(bench.send("08 01 00 ff ff 02 28") == "09 06 03 00 01 00 01 00")
    }

    @Test("GATT/SR/GAD/BV-04-C: characteristics of a service, those of one UUID width at a time")
    mutating func characteristics() {
        #expect(
            bench.send("08 01 00 08 00 03 28")
                == "09 07 02 00 20 03 00 05 2a 05 00 0a 06 00 29 2b 07 00 02 08 00 2a 2b"
        )
        #expect(bench.send("08 06 00 08 00 03 28") == "09 07 07 00 02 08 00 2a 2b")
        #expect(
            bench.send("08 40 00 50 00 03 28")
                == "09 15 43 00 02 44 00 88 88 77 77 66 66 55 55 44 44 33 33 22 22 11 11"
        )
        #expect(
            bench.send("08 44 00 50 00 03 28") == "09 07 45 00 02 46 00 01 b0 47 00 02 48 00 01 b0 49 00 02 4a 00 01 b0"
        )
    }

    @Test("A response is filled to the last entry that fits its MTU", arguments: [23, 24, 29, 30, 31, 50, 185, 517])
    mutating func filling(mtu: Int) throws {
        bench.layer.server.database = try GATTDatabase([
            ServiceDefinition(
                0x1,
                characteristics: (0..<100).map { CharacteristicDefinition(BluetoothUUID($0), properties: .read) }
            )
        ])
        bench.agree(mtu: mtu)
        let count = { (text: String) in text.split(separator: " ").count }
        #expect(count(bench.send("08 01 00 ff ff 03 28")) == 2 + 7 * ((mtu - 2) / 7))
        #expect(count(bench.send("04 01 00 ff ff")) == 2 + 4 * ((mtu - 2) / 4))
    }

    @Test("GATT/SR/GAD/BV-06-C: descriptors, those of one UUID width at a time")
    mutating func descriptors() {
        #expect(
            bench.send("04 63 00 68 00")
                == "05 01 63 00 00 29 64 00 01 29 65 00 03 29 66 00 04 29 67 00 05 29"
        )
        #expect(bench.send("04 68 00 68 00") == "05 01 68 00 08 29")
        #expect(bench.send("04 43 00 46 00") == "05 01 43 00 03 28")
        #expect(bench.send("04 44 00 46 00") == "05 02 44 00 88 88 77 77 66 66 55 55 44 44 33 33 22 22 11 11")
        #expect(bench.send("04 45 00 46 00") == "05 01 45 00 03 28 46 00 01 b0")
        // Types may be found whoever may read the values.
        #expect(bench.send("04 1a 00 1a 00") == "05 01 1a 00 05 a0")
    }
}
