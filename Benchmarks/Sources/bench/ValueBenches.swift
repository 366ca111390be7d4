import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A service with one value to read, one to be notified of and one to write.
enum ValueTable {
    static let readable: BluetoothUUID = 0xFFF1
    static let notifying: BluetoothUUID = 0xFFF2
    static let writable: BluetoothUUID = 0xFFF3

    static func services(size: Int) -> [ServiceDefinition] {
        let value = [UInt8](repeating: 0x5A, count: size)
        return [
            ServiceDefinition(
                0xFFF0,
                characteristics: [
                    CharacteristicDefinition(readable, properties: .read, value: value),
                    CharacteristicDefinition(notifying, properties: .notify),
                    CharacteristicDefinition(writable, properties: .writeWithoutResponse),
                ]
            )
        ]
    }
}

/// Reads, notifications and write commands as fast as the machine can, in virtual time.
enum ValueBenches {
    static let sizes = [20, 244]

    static var all: [Bench] {
        sizes.flatMap { size in
            [
                Bench("read.\(size)", "round trips/s", target: .timesBumble(30)) { try reads(size, effort: $0) },
                Bench("notification.\(size)", "notifications/s", target: .timesBumble(30)) {
                    try notifications(size, effort: $0)
                },
                Bench("writeCommand.\(size)", "commands/s") { try writeCommands(size, effort: $0) },
                Bench("encryptedNotification.\(size)", "notifications/s") {
                    try notifications(size, isEncrypted: true, effort: $0)
                },
                Bench("encryptedShare.\(size)", "% of plain", target: .atLeast(size < 200 ? 50 : 35)) {
                    try encryptedShare(size, effort: $0)
                },
            ]
        }
    }

    static func reads(_ size: Int, effort: Effort) throws -> Double {
        let pair = try readingPair(size)
        let rate = try pair.rate(effort) { pair.central.count }
        guard case .value(let value) = pair.central.result, value.count == size else { throw BenchError("wrong value") }
        return rate
    }

    /// A pair whose central reads a value, and again as soon as it has it.
    static func readingPair(_ size: Int) throws -> Pair {
        let pair = Pair(services: ValueTable.services(size: size))
        try pair.connect()
        let readable = try characteristic(ValueTable.readable, in: pair.discover())
        pair.begin(.read(readable.valueHandle))
        return pair
    }

    static func notifications(_ size: Int, isEncrypted: Bool = false, effort: Effort) throws -> Double {
        let pair = try notifyingPair(size, isEncrypted: isEncrypted)
        return try pair.rate(effort) { pair.central.count }
    }

    /// How much of the rate of plain notifications is left where they are encrypted, in per cent. Both are measured here,
    /// one right after the other.
    static func encryptedShare(_ size: Int, effort: Effort) throws -> Double {
        let plain = try notifications(size, effort: effort)
        return try 100 * notifications(size, isEncrypted: true, effort: effort) / plain
    }

    static func writeCommands(_ size: Int, effort: Effort) throws -> Double {
        let pair = Pair()
        try pair.connect()
        let writable = try characteristic(ValueTable.writable, in: pair.discover())
        pair.begin(.writeCommands(writable.valueHandle, [UInt8](repeating: 0x5A, count: size)))
        return try pair.rate(effort) { pair.peripheral.writes }
    }

    /// A pair whose peripheral sends notifications as fast as it can.
    static func notifyingPair(
        _ size: Int,
        longPackets: Bool = true,
        le2M: Bool = false,
        mtu: Int = 517,
        isEncrypted: Bool = false
    ) throws -> Pair {
        let pair = Pair(longPackets: longPackets, le2M: le2M, mtu: mtu)
        try pair.connect()
        if isEncrypted { try pair.encrypt() }
        let notifying = try characteristic(ValueTable.notifying, in: pair.discover())
        _ = try pair.result { host, connection, now, actions throws(OrderError) in
            try host.subscribe(connection, to: notifying, [.notifications], at: now, into: &actions)
        }
        pair.beginNotifying(notifying.valueHandle, [UInt8](repeating: 0x5A, count: size))
        return pair
    }

    private static func characteristic(
        _ uuid: BluetoothUUID,
        in database: RemoteDatabase
    ) throws -> RemoteCharacteristic {
        guard let found = database.characteristic(uuid) else { throw BenchError("no characteristic \(uuid)") }
        return found
    }
}
