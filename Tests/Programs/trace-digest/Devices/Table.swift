import BluethroatBluetoothValues
import BluethroatHost

/// The attributes of every device with a `SceneApplication`, at handles that all know.
enum Table {
    static let open: AttributeHandle = 0x0022
    static let openConfiguration: AttributeHandle = 0x0023
    static let protected: AttributeHandle = 0x0025
    static let long: AttributeHandle = 0x0028
    static let signed: AttributeHandle = 0x002A
    /// Its application answers for it.
    static let asked: AttributeHandle = 0x002C
    static let command: AttributeHandle = 0x002E

    static let services = [
        ServiceDefinition.genericAccess(name: "device"),
        ServiceDefinition(
            0xFFE0,
            handle: 0x0020,
            characteristics: [
                CharacteristicDefinition(
                    0xFFE1,
                    properties: [.read, .write, .notify, .indicate],
                    value: [1],
                    handle: 0x0021,
                    valueHandle: open
                ),
                CharacteristicDefinition(
                    0xFFE2,
                    properties: [.read, .write],
                    permissions: AttributePermissions(read: .encrypted, write: .encrypted),
                    value: [2],
                    handle: 0x0024,
                    valueHandle: protected
                ),
                CharacteristicDefinition(
                    0xFFE3,
                    properties: [.read, .write],
                    value: (0..<512).map { UInt8($0 & 0xFF) },
                    handle: 0x0027,
                    valueHandle: long
                ),
                CharacteristicDefinition(
                    0xFFE4,
                    properties: [.read, .authenticatedSignedWrites],
                    handle: 0x0029,
                    valueHandle: signed
                ),
                CharacteristicDefinition(
                    0xFFE5,
                    properties: [.read, .write],
                    reads: .application,
                    writes: .application,
                    handle: 0x002B,
                    valueHandle: asked
                ),
                CharacteristicDefinition(
                    0xFFE6,
                    properties: [.writeWithoutResponse],
                    handle: 0x002D,
                    valueHandle: command
                ),
            ]
        ),
    ]
}
