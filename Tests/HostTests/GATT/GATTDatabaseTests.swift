import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("GATT database")
struct GATTDatabaseTests {
    @Test("Rows stand where they were told to, or one behind the other, with declarations that name them")
    func layout() {
        let rows = SampleDatabase.make.rows
        #expect(rows.map(\.handle) == rows.map(\.handle).sorted())
        let value = { (handle: AttributeHandle) in SampleDatabase.make.value(of: handle)?.hex }
        #expect(value(0x0001) == "0118")
        #expect(value(0x0002) == "200300052a")
        #expect(value(0x0010) == "00a0")
        #expect(value(0x0011) == "0a120001a0")
        #expect(value(0x0040) == "88887777666655554444333322221111")
        #expect(value(0x0041) == "1000280000a0")
        #expect(value(0x0042) == "6000680000c0")
        #expect(value(0x0043) == "024400" + "88887777666655554444333322221111")
        #expect(rows.first { $0.handle == 0x0060 }?.type == .secondaryService)
    }

    @Test("All standard descriptors have their types and bytes")
    func descriptors() {
        let rows = SampleDatabase.make.rows.filter { $0.handle > 0x0062 }
        #expect(
            rows.map { "\($0.handle) \($0.type) \($0.value.hex)" } == [
                "0x0063 2900 0300", "0x0064 2901 c39c6e6974", "0x0065 2903 0000", "0x0066 2904 04fe2f27010000",
                "0x0067 2905 6600", "0x0068 2908 0401",
            ]
        )
    }

    @Test("A characteristic that notifies or indicates has a configuration, named or not, and only one")
    func configurations() throws {
        var database = GATTDatabase()
        let handles = try database.add([
            ServiceDefinition(
                0x1234,
                characteristics: [
                    CharacteristicDefinition(0x0001, properties: .notify, descriptors: [description]),
                    CharacteristicDefinition(
                        0x0002,
                        properties: .indicate,
                        descriptors: [description, DescriptorDefinition(.clientConfiguration(), handle: 0x0020)]
                    ),
                    CharacteristicDefinition(0x0003, properties: .read, descriptors: [description]),
                ]
            )
        ])
        let characteristics = try #require(handles.first?.characteristics)
        #expect(characteristics.map(\.clientConfiguration) == [0x0004, 0x0020, nil])
        #expect(characteristics.map(\.value) == [0x0003, 0x0007, 0x0022])
        #expect(characteristics.map(\.descriptors) == [[0x0005], [0x0008, 0x0020], [0x0023]])
        #expect(handles.first?.range == 0x0001...0x0023)
        #expect(database.rows.count { $0.type == .clientCharacteristicConfiguration } == 2)
    }

    private var description: DescriptorDefinition { DescriptorDefinition(.userDescription("d")) }

    @Test("Handles that are taken, out of order or used up are refused, and nothing is added")
    func refusals() throws {
        var database = SampleDatabase.make
        let before = database.rows
        let plain = [CharacteristicDefinition(0x0001, properties: .read)]
        func refusal(_ services: ServiceDefinition...) -> DatabaseError? {
            do { try database.add(services) } catch { return error }
            return nil
        }
        #expect(refusal(ServiceDefinition(0x1, handle: 0x0011)) == .handleTaken(0x0011))
        #expect(refusal(ServiceDefinition(0x1, handle: 0x000F, characteristics: plain)) == .handleTaken(0x0010))
        // Claimed, though no attribute is there.
        #expect(refusal(ServiceDefinition(0x1, handle: 0x004F)) == .handleTaken(0x004F))
        #expect(refusal(ServiceDefinition(0x1, handle: 0x0050)) == .handleTaken(0x0050))
        #expect(
            refusal(
                ServiceDefinition(
                    0x1,
                    handle: 0x0080,
                    characteristics: [CharacteristicDefinition(0x1, properties: .read, handle: 0x0080)]
                )
            ) == .handleOutOfOrder(0x0080)
        )
        #expect(refusal(ServiceDefinition(0x1, handle: 0xFFFF, characteristics: plain)) == .outOfHandles)
        #expect(refusal(ServiceDefinition(0x1, handle: 0x0080, endHandle: 0x007F)) == .handleOutOfOrder(0x007F))
        #expect(
            refusal(ServiceDefinition(0x1), ServiceDefinition(0x2, includes: [IncludeDefinition(.uuid(0x9999))]))
                == .noSuchService(.uuid(0x9999))
        )
        let long = CharacteristicDefinition(0x1, properties: .read, value: [UInt8](repeating: 0, count: 513))
        #expect(refusal(ServiceDefinition(0x1, characteristics: [long])) == .valueTooLong(0x006B))
        #expect(database.rows == before)
    }

    @Test("Services added together may include each other")
    func mutualIncludes() throws {
        let database = try GATTDatabase([
            ServiceDefinition(0x1, includes: [IncludeDefinition(.uuid(0x2))]),
            ServiceDefinition(0x2, includes: [IncludeDefinition(.uuid(0x1))]),
        ])
        #expect(database.rows.map { $0.value.hex } == ["0100", "030004000200", "0200", "010002000100"])
    }

    @Test("A service goes into a gap, and out of it again")
    func insertAndRemove() throws {
        var database = SampleDatabase.make
        let before = database.rows
        try database.add([
            ServiceDefinition(
                0x7777,
                handle: 0x0030,
                characteristics: [
                    CharacteristicDefinition(0x7778, properties: .notify)
                ]
            )
        ])
        #expect(database.rows.map(\.handle) == database.rows.map(\.handle).sorted())
        #expect(database.valueHandle(of: 0x7778) == 0x0032)
        #expect(try database.removeService(at: 0x0030) == 0x0030...0x0033)
        #expect(database.rows == before)
        #expect(throws: DatabaseError.self) { try database.removeService(at: 0x0030) }
        #expect(throws: DatabaseError.self) { try database.removeService(at: 0x0011) }
    }

    @Test("Attributes are found by handle, whether handles have gaps or not")
    func lookup() throws {
        let database = SampleDatabase.make
        let handles = Set(database.rows.map(\.handle.rawValue))
        for raw in UInt16(0)...0x0100 {
            #expect((database.index(ofRaw: raw) != nil) == handles.contains(raw))
            let next = database.indexOfFirst(from: raw)
            let expected = handles.filter { $0 >= raw }.min()
            #expect(
                next == database.attributes.count
                    ? expected == nil : database.attributes[next].handle.rawValue == expected
            )
        }
        #expect(GATTDatabase().index(ofRaw: 1) == nil)
        #expect(database.index(ofRaw: 0xFFFF) == nil)
    }

    @Test("Values are found by the UUIDs of characteristic and service")
    func valueHandles() {
        let database = SampleDatabase.make
        #expect(database.valueHandle(of: 0xA004) == 0x0018)
        #expect(database.valueHandle(of: 0xA004, in: 0xA000) == 0x0018)
        #expect(database.valueHandle(of: 0xA004, in: 0xC000) == nil)
        #expect(database.valueHandle(of: SampleDatabase.longUUID, in: SampleDatabase.longUUID) == 0x0044)
        #expect(database.valueHandle(of: 0xC001, in: 0xC000) == 0x0062)
    }

    @Test("The last handle of all can be used")
    func lastHandle() throws {
        var database = GATTDatabase()
        let handles = try database.add([
            ServiceDefinition(0x1, handle: 0xFFFD, characteristics: [CharacteristicDefinition(0x2, properties: .read)])
        ])
        #expect(handles[0].range == 0xFFFD...0xFFFF)
        #expect(throws: DatabaseError.outOfHandles) { try database.add([ServiceDefinition(0x3)]) }
        #expect(try database.removeService(at: 0xFFFD) == 0xFFFD...0xFFFF)
    }

    @Test("The two services of every device have what the specification asks of them")
    func standardServices() throws {
        let database = try GATTDatabase([.genericAccess(name: "Fob", appearance: 0x0240), .genericAttribute])
        #expect(
            database.rows.map { "\($0.handle) \($0.type) \($0.value.hex)" }.dropLast() == [
                "0x0001 2800 0018", "0x0002 2803 020300002a", "0x0003 2A00 466f62", "0x0004 2803 020500012a",
                "0x0005 2A01 4002", "0x0006 2800 0118", "0x0007 2803 200800052a", "0x0008 2A05 ", "0x0009 2902 0000",
                "0x000A 2803 0a0b00292b", "0x000B 2B29 ", "0x000C 2803 020d002a2b",
            ]
        )
    }

    @Test("The hash of the specification's sample database. Core 6.0, Vol 3, Part G, Appendix B")
    func hash() throws {
        let plain = CharacteristicProperties.read
        let database = try GATTDatabase([
            ServiceDefinition(
                .genericAccessService,
                characteristics: [
                    CharacteristicDefinition(0x2A00, properties: [.read, .write]),
                    CharacteristicDefinition(0x2A01, properties: plain),
                ]
            ),
            ServiceDefinition(
                .genericAttributeService,
                characteristics: [
                    CharacteristicDefinition(.serviceChanged, properties: .indicate),
                    CharacteristicDefinition(.clientSupportedFeatures, properties: [.read, .write]),
                    CharacteristicDefinition(.databaseHash, properties: plain),
                ]
            ),
            ServiceDefinition(
                0x1808,
                includes: [IncludeDefinition(.uuid(0x180F))],
                characteristics: [
                    CharacteristicDefinition(
                        0x2A18,
                        properties: [.read, .indicate, .extendedProperties],
                        descriptors: [
                            DescriptorDefinition(.clientConfiguration()), DescriptorDefinition(.extendedProperties([])),
                        ]
                    )
                ]
            ),
            ServiceDefinition(
                0x180F,
                isPrimary: false,
                characteristics: [CharacteristicDefinition(0x2A19, properties: plain)]
            ),
        ])
        #expect(
            database.hashedBytes.hex
                == [
                    "010000280018", "020003280a0300002a", "040003280205" + "00012a", "060000280118",
                    "07000328200800052a",
                    "09000229", "0a0003280a0b00292b", "0c000328020d002a2b", "0e0000280818", "0f00022814001600" + "0f18",
                    "10000328a21100182a", "12000229", "130000290000", "140001280f18", "15000328021600192a",
                ].joined()
        )
        #expect(database.hash.hex == String("f1ca2d48ecf58bac8a8830bbb9fba990").reversedBytes)
        #expect(database.value(of: 0x000D) == database.hash)
    }

    @Test("The hash changes with the shape of the database and not with its values")
    func hashChanges() throws {
        var database = SampleDatabase.make
        let before = database.hash
        try database.setValue([9], of: 0x0012)
        #expect(database.hash == before)
        try database.add([ServiceDefinition(0x9999)])
        #expect(database.hash != before)
        #expect(database.value(of: 0x0008) == database.hash)
        try database.removeService(at: 0x0069)
        #expect(database.hash == before)
        #expect(database.value(of: 0x0008) == before)
    }
}

extension String {
    /// The same bytes, last first.
    fileprivate var reversedBytes: String { ([UInt8](hex: self) ?? []).reversed().map { [$0].hex }.joined() }
}
