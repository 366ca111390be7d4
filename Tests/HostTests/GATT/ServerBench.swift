import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

@testable import BluethroatHost

/// A server and its clients, who speak PDUs in hexadecimal. Each connection is a number.
struct ServerBench {
    var layer: ATTEnd
    var now = Instant.zero
    /// What has come of the calls so far, until somebody takes it.
    private(set) var events: [HostEvent] = []
    var timedOut: [ConnectionID] { layer.timedOut }

    init(_ database: GATTDatabase, maximumMTU: Int = 517, connections: Int = 1) {
        layer = ATTEnd(maximumMTU: maximumMTU)
        layer.server.database = database
        for number in 0..<connections { layer.open(Self.connection(number)) }
    }

    static func connection(_ number: Int, generation: UInt32 = 1) -> ConnectionID {
        guard let handle = ConnectionHandle(rawValue: UInt16(number)) else { fatalError("no such handle") }
        return ConnectionID(handle: handle, generation: generation)
    }

    /// What the server sends after the client has sent a PDU, PDUs separated by bars.
    mutating func send(_ hex: String, from number: Int = 0) -> String {
        guard let bytes = [UInt8](hex: hex) else { fatalError("not hexadecimal: \(hex)") }
        return perform { layer, now, actions in
            layer.handlePDU(bytes.span.bytes, on: Self.connection(number), at: now, into: &actions)
        }
    }

    /// What the server sends; the error's text if it does not take the answer.
    mutating func respond(to request: RequestID?, with answer: RequestAnswer) -> String {
        guard let request else { return "no request" }
        do {
            return try perform { layer, now, actions in
                try layer.respond(to: request, with: answer, at: now, into: &actions)
            }
        } catch {
            return "\(error)"
        }
    }

    mutating func perform(_ body: (inout ATTEnd, Instant, inout ATTActions) throws -> Void) rethrows -> String {
        var actions = ATTActions()
        try body(&layer, now, &actions)
        events += actions.events
        return actions.outgoing.map { Array($0[OutgoingPDU.headroom...]).hex(separator: " ") }
            .joined(separator: " | ")
    }

    mutating func advance(_ span: TimeSpan) -> String {
        now += span
        return perform { layer, now, actions in layer.expire(at: now, into: &actions) }
    }

    /// The events since the last time, and no more of them afterwards.
    mutating func takeEvents() -> [HostEvent] {
        defer { events = [] }
        return events
    }

    mutating func takeServerEvents() -> [GATTServerEvent] {
        takeEvents().compactMap { if case .server(let event) = $0 { event } else { nil } }
    }

    /// The request that the application has been asked last.
    mutating func takeRequest() -> RequestID? {
        for event in takeServerEvents().reversed() {
            switch event {
            case .readRequested(let id, _, _, _), .writeRequested(let id, _, _, _): return id
            default: continue
            }
        }
        return nil
    }

    /// Agrees on an MTU.
    mutating func agree(mtu: Int, with number: Int = 0) {
        _ = send("02 " + [UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)].hex, from: number)
        _ = takeEvents()
    }
}

/// A database with one of everything.
enum SampleDatabase {
    static let longUUID = BluetoothUUID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888)
    static let longValue = (0..<60).map { UInt8($0) }

    static var make: GATTDatabase {
        do { return try GATTDatabase(services) } catch { fatalError("\(error)") }
    }

    static let services: [ServiceDefinition] = [
        ServiceDefinition(
            .genericAttributeService,
            characteristics: [
                // 0x0002, 0x0003, configuration 0x0004
                CharacteristicDefinition(.serviceChanged, properties: .indicate),
                // 0x0005, 0x0006
                CharacteristicDefinition(.clientSupportedFeatures, properties: [.read, .write]),
                // 0x0007, 0x0008
                CharacteristicDefinition(.databaseHash, properties: .read),
            ]
        ),
        ServiceDefinition(
            0xA000,
            handle: 0x0010,
            characteristics: [
                // 0x0012: one byte, which has no parts
                CharacteristicDefinition(
                    0xA001,
                    properties: [.read, .write],
                    value: [1],
                    lengths: 1...1,
                    isLong: false
                ),
                // 0x0014: long
                CharacteristicDefinition(0xA002, properties: [.read, .write], value: longValue, lengths: 0...100),
                // 0x0016: only written
                CharacteristicDefinition(0xA003, properties: [.write, .writeWithoutResponse]),
                // 0x0018: only read
                CharacteristicDefinition(0xA004, properties: .read, value: [0x44, 0x45]),
                // 0x001A: behind encryption, and authentication
                CharacteristicDefinition(
                    0xA005,
                    properties: [.read, .write],
                    permissions: AttributePermissions(
                        read: AttributeAccess(security: .encrypted, minimumKeySize: 16),
                        write: .authenticated
                    ),
                    value: [0x55]
                ),
                // 0x001C: behind authorization
                CharacteristicDefinition(
                    0xA006,
                    properties: [.read, .write],
                    permissions: AttributePermissions(read: .authorized, write: .authorized),
                    value: [0x66]
                ),
                // 0x001E, configuration 0x001F
                CharacteristicDefinition(0xA007, properties: [.notify, .indicate]),
                // 0x0021: the application's
                CharacteristicDefinition(
                    0xA008,
                    properties: [.read, .write],
                    reads: .application,
                    writes: .application
                ),
                // 0x0023: the application's
                CharacteristicDefinition(
                    0xA009,
                    properties: [.read, .write],
                    reads: .application,
                    writes: .application
                ),
                // 0x0025, configuration 0x0026
                CharacteristicDefinition(
                    0xA00A,
                    properties: .notify,
                    descriptors: [DescriptorDefinition(.clientConfiguration(refusal: ATTError(rawValue: 0x80)))]
                ),
                // 0x0028: four bytes, always
                CharacteristicDefinition(
                    0xA00B,
                    properties: [.read, .write],
                    value: [1, 2, 3, 4],
                    isFixedLength: true
                ),
            ]
        ),
        ServiceDefinition(
            longUUID,
            handle: 0x0040,
            endHandle: 0x0050,
            includes: [IncludeDefinition(.handle(0x0010)), IncludeDefinition(.handle(0x0060))],
            characteristics: [
                // 0x0044
                CharacteristicDefinition(longUUID, properties: .read, value: [0xEE]),
                // 0x0046, 0x0048, 0x004A, 0x004C
                CharacteristicDefinition(0xB001, properties: .read, value: [1, 2]),
                CharacteristicDefinition(0xB001, properties: .read, value: [3, 4]),
                CharacteristicDefinition(0xB001, properties: .read, value: [5, 6, 7]),
                CharacteristicDefinition(0xB001, properties: .write, value: [8, 9]),
            ]
        ),
        ServiceDefinition(
            0xC000,
            isPrimary: false,
            handle: 0x0060,
            characteristics: [
                // 0x0062, descriptors 0x0063 to 0x0068
                CharacteristicDefinition(
                    0xC001,
                    properties: [.read, .broadcast, .extendedProperties],
                    value: [0xC1],
                    descriptors: [
                        DescriptorDefinition(.extendedProperties([.reliableWrite, .writableAuxiliaries])),
                        DescriptorDefinition(.userDescription("Ünit", permissions: .readWrite)),
                        DescriptorDefinition(.serverConfiguration()),
                        DescriptorDefinition(
                            .presentationFormat(PresentationFormat(format: 4, exponent: -2, unit: 0x272F))
                        ),
                        DescriptorDefinition(.aggregateFormat([0x0066])),
                        DescriptorDefinition(.other(0x2908, value: [4, 1])),
                    ]
                )
            ]
        ),
    ]
}
