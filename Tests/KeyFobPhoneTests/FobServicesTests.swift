import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFobPhone
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("What the phone's app publishes")
struct FobServicesTests {
    /// Handle, type, properties and value of everything in the database, as a central finds it.
    private func dump(_ scene: FobScene) throws -> [String] {
        var lines: [String] = []
        for service in try scene.database().services {
            lines.append("\(service.handles.lowerBound)-\(service.handles.upperBound) \(service.uuid)")
            for found in service.characteristics {
                var line = "\(found.valueHandle) \(found.uuid) \(found.properties.rawValue)"
                if found.properties.contains(.read) {
                    switch try scene.central.ask({ try $0.read($1, found.valueHandle, at: $2, into: &$3) }) {
                    case .value(let value): line += " " + value.map { String($0, radix: 16) }.joined(separator: " ")
                    case .failed(.refused(let error, _, _)): line += " refused \(error.rawValue)"
                    default: line += " no answer"
                    }
                }
                lines.append(line)
                lines += found.descriptors.map { "\($0.handle) \($0.uuid)" }
            }
        }
        return lines
    }

    private static let generic = [
        "0x0001-0x0005 1800", "0x0003 2A00 2 69 50 68 6f 6e 65", "0x0005 2A01 2 40 0",
    ]
    /// Everything between Generic Attribute and Tx Power.
    private static let keysToAcceleration = [
        "0x000E-0x0011 FFE0", "0x0010 FFE1 16", "0x0011 2902",
        "0x0012-0x0015 180F", "0x0014 2A19 18 50", "0x0015 2902",
        "0x0016-0x0026 FFA0", "0x0018 FFA1 10 0", "0x001A FFA2 2 14 0", "0x001C FFA3 16", "0x001D 2902",
        "0x001F FFA4 16", "0x0020 2902", "0x0022 FFA5 16", "0x0023 2902", "0x0025 FFAA 16", "0x0026 2902",
        "0x0027-0x0029 1804", "0x0029 2A07 2 0",
    ]
    private static let deviceInformation = [
        "0x002D-0x003F 180A",
        "0x002F 2A29 2 4d 41 4e 55 46 41 43 54 55 52 45 52 20 4e 41 4d 45",
        "0x0031 2A24 2 4d 4f 44 45 4c 20 4e 55 4d 42 45 52",
        "0x0033 2A25 2 53 45 52 49 41 4c 20 4e 55 4d 42 45 52",
        "0x0035 2A27 2 48 41 52 44 57 41 52 45 20 52 45 56 49 53 49 4f 4e",
        "0x0037 2A28 2 53 4f 46 54 57 41 52 45 20 52 45 56 49 53 49 4f 4e",
        "0x0039 2A26 2 46 49 52 4d 57 41 52 45 20 52 45 56 49 53 49 4f 4e",
        "0x003B 2A23 2 d 76 9b 0 0 e5 c5 78",
        "0x003D 2A2A 2 fe 0 65 78 70 65 72 69 6d 65 6e 74 61 6c",
        "0x003F 2A50 2 1 d 0 0 0 10 1",
    ]

    @Test("To the byte: seven services behind the phone's own two")
    func everything() throws {
        let scene = FobScene()
        try scene.connect()
        let lines = try dump(scene)
        #expect(Array(lines.prefix(3)) == Self.generic)
        #expect(
            Array(lines.drop { !$0.hasSuffix(" FFE0") })
                == Self.keysToAcceleration
                + ["0x002A-0x002C 1802", "0x002C 2A06 12"] + Self.deviceInformation
                + ["0x0040-0x0042 1803", "0x0042 2A06 10 0"]
        )
    }

    @Test("With the limits of the app as published: its six services, and a name that cannot be read")
    func limited() throws {
        let scene = FobScene(limits: .published)
        try scene.connect()
        let lines = try dump(scene)
        #expect(Array(lines.prefix(3)) == [Self.generic[0], "0x0003 2A00 2 refused 14", Self.generic[2]])
        #expect(
            Array(lines.drop { !$0.hasSuffix(" FFE0") })
                == Self.keysToAcceleration + ["0x002A-0x002C 1802", "0x002C 2A06 8"] + Self.deviceInformation
        )
    }

    @Test("Each limit alone brings back what it says and nothing else", arguments: 0..<16)
    func eachLimit(bits: UInt8) throws {
        let limits = IOS6Limits(rawValue: bits)
        let scene = FobScene(limits: limits)
        try scene.connect()
        let database = try scene.database()
        let isShort = limits.contains(.backgroundServices)
        #expect((database.service(0x1803) == nil) == (isShort || limits.contains(.linkLoss)))
        if !limits.contains(.backgroundServices) {
            let alert = try #require(database.characteristic(0x2A06, in: 0x1802))
            #expect(alert.properties.contains(.write))
            #expect(alert.properties.contains(.writeWithoutResponse) == !limits.contains(.writeWithoutResponse))
        }
        let name = try scene.read(0x2A00)
        let isRead = name == .value(Array("iPhone".utf8))
        #expect(isRead == !limits.contains(.deviceName), "\(String(describing: name))")
        scene.touch { $0.enterBackground() }
        scene.run(.seconds(1))
        let seen = try scene.database().services.dropFirst(2).map(\.uuid)
        let all: [BluetoothUUID] = [0xFFE0, 0x180F, 0xFFA0, 0x1804, 0x1802, 0x180A]
        if limits.contains(.backgroundServices) {
            #expect([3, 4].contains(seen.count) && seen == Array(all.prefix(seen.count)))
        } else {
            #expect(seen == all + (limits.contains(.linkLoss) ? [] : [0x1803]))
        }
    }

    @Test("The defect of the background mode leaves sometimes three and sometimes four services, in the foreground too")
    func backgroundDefect() throws {
        var seen: [Bool: Set<Int>] = [:]
        for seed in UInt64(1)...8 {
            let scene = FobScene(limits: .backgroundServices, seed: seed)
            try scene.connect()
            for isInBackground in [false, true, false, true] {
                scene.touch { isInBackground ? $0.enterBackground() : $0.enterForeground() }
                scene.run(.seconds(1))
                seen[isInBackground, default: []].insert(try scene.database().services.count - 2)
            }
        }
        #expect(seen == [false: [3, 4], true: [3, 4]])
    }

    @Test("The same seed leaves the same services")
    func backgroundSeed() throws {
        func counts(_ seed: UInt64) throws -> [Int] {
            let scene = FobScene(limits: .backgroundServices, seed: seed)
            try scene.connect()
            return try (0..<8).map { turn in
                scene.touch { turn % 2 == 0 ? $0.enterBackground() : $0.enterForeground() }
                scene.run(.seconds(1))
                return try scene.database().services.count
            }
        }
        #expect(try counts(3) == counts(3))
        #expect(try counts(3) != counts(4))
    }

    @Test("An app that goes to the background with Bluetooth off shows its services when it is on, limited or not")
    func backgroundWhileOff() throws {
        let scene = FobScene(limits: .backgroundServices)
        func services() throws -> Int {
            try scene.connect()
            defer { scene.run(.seconds(1)) }
            let count = try scene.database().services.count
            try scene.central.disconnect()
            return count
        }
        scene.phone.switchPower(false)
        scene.run(.seconds(1))
        scene.touch { $0.enterBackground() }
        scene.phone.switchPower(true)
        scene.run(.seconds(1))
        #expect([2 + 3, 2 + 4].contains(try services()))
        scene.phone.switchPower(false)
        scene.run(.seconds(1))
        scene.touch { $0.enterForeground() }
        scene.phone.switchPower(true)
        scene.run(.seconds(1))
        #expect([2 + 3, 2 + 4].contains(try services()))
        let whole = FobScene()
        whole.phone.switchPower(false)
        whole.run(.seconds(1))
        whole.touch { $0.enterBackground() }
        whole.phone.switchPower(true)
        whole.run(.seconds(1))
        try whole.connect()
        #expect(try whole.database().services.count == 2 + 7)
    }

    @Test(
        "It advertises FFA0, FFE0 and its name, in the app's source four services, and nothing until the switch is moved",
        arguments: [
            ([], [5, 3, 0xA0, 0xFF, 0xE0, 0xFF]),
            (.advertisedServices, [9, 3, 0xE0, 0xFF, 0xA0, 0xFF, 0x02, 0x18, 0x0F, 0x18]),
        ] as [(SimulatorSource, [UInt8])]
    )
    func advertisement(source: SimulatorSource, services: [UInt8]) throws {
        let scene = FobScene(source: source, advertises: false)
        try scene.central.scan()
        #expect(scene.central.reports.isEmpty)
        for _ in 0..<2 {
            scene.touch { $0.switchAdvertising(true) }
            try scene.central.scan()
            let heard = scene.central.reports.filter { $0.kind != .scanResponse }.map(\.data)
            let name = Array("Keyfobdemo".utf8)
            let expected: [UInt8] = [2, 1, 0x1A] + services + [UInt8(name.count + 1), 9] + name
            #expect(Set(heard) == [expected])
            scene.touch { $0.enterBackground() }
        }
        scene.touch { $0.switchAdvertising(false) }
        scene.run(.seconds(1))
        try scene.central.scan()
        #expect(scene.central.reports.isEmpty)
    }

    @Test("What a central may not write is refused by the phone; a queue of writes is taken whole or not at all")
    func refusedWrites() throws {
        let scene = FobScene()
        try scene.connect()
        for uuid: BluetoothUUID in [0x2A19, 0xFFA2, 0xFFAA, 0xFFE1, 0x2A07, 0x2A23] {
            guard case .failed(.refused(.writeNotPermitted, _, _)) = try scene.write([1], uuid) else {
                Issue.record("\(uuid) was not refused")
                continue
            }
        }
        for uuid: BluetoothUUID in [0xFFA1, 0x2A06] {
            guard case .failed(.refused(.invalidAttributeValueLength, _, _)) = try scene.write([], uuid) else {
                Issue.record("nothing was written to \(uuid), and it was not refused")
                continue
            }
        }
        #expect(scene.fob.screen.tones.isEmpty && !scene.fob.isAccelerometerActive)
    }

    /// What comes of reading every value, whatever its properties, and how long the slowest took.
    private func readAll(_ scene: FobScene) throws -> (results: [BluetoothUUID: ProcedureResult], longest: Int64) {
        var results: [BluetoothUUID: ProcedureResult] = [:]
        var longest: Int64 = 0
        for service in try scene.database().services {
            for found in service.characteristics where found.uuid != 0x2A06 || service.uuid == 0x1802 {
                let began = scene.world.now
                results[found.uuid] = try scene.central.ask(within: .seconds(40)) {
                    try $0.read($1, found.valueHandle, at: $2, into: &$3)
                }
                longest = max(longest, (scene.world.now - began).milliseconds)
            }
        }
        return (results, longest)
    }

    @Test("A read of any value is answered, in less than a second: X, Y, Z, the keys and the alert have values")
    func answered() throws {
        let scene = FobScene()
        try scene.connect()
        let asleep = try readAll(scene)
        #expect(asleep.longest < 1_000)
        for uuid: BluetoothUUID in [0xFFA3, 0xFFA4, 0xFFA5, 0xFFE1, 0x2A06, 0x2A07, 0xFFA1] {
            #expect(asleep.results[uuid] == .value([0]), "\(uuid)")
        }
        #expect(asleep.results[0xFFAA] == .value([0, 0, 0]))
        scene.touch { $0.tilt(x: 0.5, y: -1, z: 1) }
        try scene.write([1], 0xFFA1)
        try scene.write([2], 0x2A06, in: 0x1802)
        scene.touch { $0.touchDown(.right) }
        scene.run(.seconds(1))
        let awake = try readAll(scene)
        #expect(awake.longest < 1_000)
        #expect(awake.results[0xFFA3] == .value([0x3F]) && awake.results[0xFFA4] == .value([0x81]))
        #expect(awake.results[0xFFA5] == .value([0x7F]) && awake.results[0xFFAA] == .value([0x3F, 0x81, 0x7F]))
        #expect(awake.results[0xFFE1] == .value([2]) && awake.results[0x2A06] == .value([2]))
        // The latest sample stays when the accelerometer is off.
        try scene.write([0], 0xFFA1)
        scene.touch { $0.tilt(x: 0, y: 0, z: 0) }
        #expect(try scene.read(0xFFA3) == .value([0x3F]))
    }

    @Test("Where the app's source leaves a read without an answer it is refused at once")
    func refusedReads() throws {
        let scene = FobScene(source: .readableValues)
        try scene.connect()
        let all = try readAll(scene)
        #expect(all.longest < 1_000)
        for uuid: BluetoothUUID in [0xFFA3, 0xFFA4, 0xFFA5, 0xFFAA, 0xFFE1, 0x2A06] {
            guard case .failed(.refused(.readNotPermitted, _, _)) = all.results[uuid] else {
                Issue.record("\(uuid): \(String(describing: all.results[uuid]))")
                continue
            }
        }
        #expect(all.results[0x2A19] == .value([80]) && all.results[0xFFA1] == .value([0]))
    }
}
