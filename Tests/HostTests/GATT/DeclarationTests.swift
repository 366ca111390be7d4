import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// What follows from a definition is not set by itself: a server that says otherwise than its definitions would send
/// responses that no client can read.
@Suite("Declarations of a GATT database")
struct DeclarationTests {
    @Test("The value of a declaration cannot be set, whatever its length", arguments: [0, 1, 300, 512])
    func set(_ length: Int) throws {
        var database = SampleDatabase.make
        let before = database.rows.map(\.value)
        let value = [UInt8](repeating: 1, count: length)
        let declarations = database.rows.filter { $0.type.isDeclaration }
        #expect(Set(declarations.map(\.type)).isSuperset(of: [.primaryService, .include, .characteristic]))
        for row in declarations {
            #expect(throws: DatabaseError.declaration(row.handle)) { try database.setValue(value, of: row.handle) }
        }
        #expect(database.rows.map(\.value) == before)
        #expect(database.valueHandle(of: 0xA007) != nil)
    }

    @Test(
        "A characteristic or a descriptor with a declaration's type is refused, and nothing of the service is added",
        arguments: [BluetoothUUID.primaryService, .secondaryService, .include, .characteristic]
    )
    func types(_ type: BluetoothUUID) throws {
        var database = SampleDatabase.make
        let count = database.rows.count
        let value = CharacteristicDefinition(type, properties: [.read], value: [1])
        let described = CharacteristicDefinition(
            0xA111,
            properties: [.read],
            value: [1],
            descriptors: [DescriptorDefinition(.other(type, value: [1]))]
        )
        for characteristic in [value, described] {
            let service = ServiceDefinition(0xA110, characteristics: [characteristic])
            let error = #expect(throws: DatabaseError.self) { try database.add([service]) }
            guard case .declaration? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(database.rows.count == count && database.valueHandle(of: 0xA007) != nil)
    }
}
