import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFobPhone
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Alerts of the phone's app")
struct FobAlertTests {
    private func alerted(_ level: UInt8, source: SimulatorSource = []) throws -> FobScene {
        let scene = FobScene(source: source)
        try scene.connect()
        #expect(try scene.write([level], 0x2A06, in: 0x1802) == .written)
        return scene
    }

    /// When the screen changed, in milliseconds from now on, and to what.
    private func history(_ scene: FobScene, for span: TimeSpan) -> [String] {
        var lines: [String] = []
        let began = scene.world.now
        scene.fob.changed = { [fob = scene.fob, world = scene.world] in
            let screen = fob.screen
            let tones = [screen.tones.contains(.low) ? "low" : nil, screen.tones.contains(.high) ? "high" : nil]
            let time = (world.now - began).milliseconds
            lines.append("\(time) \(screen.alertLED ? "lit" : "dark") \(tones.compactMap(\.self))")
        }
        scene.run(span)
        scene.fob.changed = nil
        return lines
    }

    @Test(
        """
        A tone lasts 10 s, in the app's source as many whole clips as fit into five, and the LED blinks once a second until \
        it ends
        """,
        arguments: [
            (1, "low", 10_000, []), (2, "high", 10_000, []), (1, "low", 4_965, .alertLength),
            (2, "high", 4_310, .alertLength),
        ] as [(UInt8, String, Int64, SimulatorSource)]
    )
    func tones(level: UInt8, name: String, length: Int64, source: SimulatorSource) throws {
        let scene = FobScene(source: source)
        try scene.connect()
        let handle = try scene.characteristic(0x2A06, in: 0x1802).valueHandle
        try scene.central.order { host, now, actions in
            _ = try host.write([level], scene.central.connection!, handle, at: now, into: &actions)
        }
        let lines = history(scene, for: .seconds(12))
        let times = lines.compactMap { Int64($0.prefix { $0 != " " }) }
        let began = try #require(times.first)
        let expected =
            stride(from: 0, to: length, by: 500).map {
                ($0, $0 % 1_000 == 0 ? "lit [\"\(name)\"]" : "dark [\"\(name)\"]")
            }
            + [(length, "dark []")]
        #expect(zip(times, expected).allSatisfy { abs($0 - began - $1.0) <= 1 })
        #expect(lines.map { String($0.drop { $0 != " " }.dropFirst()) } == expected.map(\.1))
    }

    @Test("0 stops both tones and hides the LED")
    func none() throws {
        let scene = try alerted(1)
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        #expect(scene.fob.screen.tones == [.low, .high])
        #expect(try scene.write([0], 0x2A06, in: 0x1802) == .written)
        #expect(scene.fob.screen.tones.isEmpty && !scene.fob.screen.alertLED)
        #expect(history(scene, for: .seconds(6)).isEmpty)
    }

    @Test("Both tones may sound together; the LED blinks until the last of them is over")
    func together() throws {
        let scene = try alerted(1)
        scene.run(.seconds(3))
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        let lines = history(scene, for: .seconds(12))
        #expect(lines.contains { $0.hasSuffix("lit [\"high\"]") } && lines.contains { $0.hasSuffix("dark [\"high\"]") })
        #expect(lines.last?.hasSuffix("dark []") == true)
    }

    @Test("In the app's source the LED goes out when the first of two tones is over")
    func togetherInSource() throws {
        let scene = try alerted(1, source: .alertLength)
        scene.run(.seconds(3))
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        let lines = history(scene, for: .seconds(8))
        let end = try #require(lines.firstIndex { $0.hasSuffix("dark [\"high\"]") && !$0.contains("low") })
        #expect(lines[(end + 1)...].count == 1, "nothing blinks any more: \(lines)")
        #expect(lines.last?.hasSuffix("dark []") == true)
    }

    @Test("A tone that sounds already is not begun again")
    func again() throws {
        let scene = try alerted(1)
        scene.run(.seconds(9))
        #expect(try scene.write([1], 0x2A06, in: 0x1802) == .written)
        scene.run(.seconds(1))
        #expect(scene.fob.screen.tones.isEmpty)
    }

    @Test("Levels above 2 are accepted and have no effect", arguments: [3, 255] as [UInt8])
    func otherLevels(level: UInt8) throws {
        let scene = try alerted(level)
        #expect(scene.fob.screen.tones.isEmpty && !scene.fob.screen.alertLED)
        #expect(try scene.write([1], 0x2A06, in: 0x1802) == .written)
        #expect(try scene.write([level], 0x2A06, in: 0x1802) == .written)
        #expect(scene.fob.screen.tones == .low)
    }

    @Test("The left button quiets an alert, both tones, and hides the LED; the right one does not")
    func leftButton() throws {
        let scene = try alerted(1)
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        scene.touch { $0.touchDown(.right) }
        #expect(scene.fob.screen.tones == [.low, .high])
        scene.touch { $0.touchDown(.left) }
        #expect(scene.fob.screen.tones.isEmpty && !scene.fob.screen.alertLED)
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        #expect(scene.fob.screen.tones == .high, "and the next alert sounds")
    }

    @Test("In the app's source the left button silences the low tone and hides the LED, but the high tone goes on")
    func leftButtonInSource() throws {
        let scene = try alerted(1, source: .all)
        #expect(try scene.write([2], 0x2A06, in: 0x1802) == .written)
        scene.touch { $0.touchDown(.right) }
        #expect(scene.fob.screen.tones == [.low, .high])
        scene.touch { $0.touchDown(.left) }
        #expect(scene.fob.screen.tones == .high && !scene.fob.screen.alertLED)
        scene.run(.seconds(5))
        #expect(scene.fob.screen.tones.isEmpty)
    }

    @Test("A write without response arrives; on iOS 6 it did not")
    func writeWithoutResponse() throws {
        for limits: IOS6Limits in [[], .writeWithoutResponse] {
            let scene = FobScene(limits: limits)
            try scene.connect()
            try scene.writeWithoutResponse([2], 0x2A06, in: 0x1802)
            #expect(scene.fob.screen.tones == (limits.isEmpty ? .high : []))
            #expect(try scene.read(0x2A19) == .value([80]), "the connection goes on")
        }
    }
}

@Suite("What the phone's app does when a central is gone")
struct FobLinkLossTests {
    private func protected(_ level: UInt8, limits: IOS6Limits = []) throws -> FobScene {
        let scene = FobScene(limits: limits)
        try scene.connect()
        #expect(try scene.write([level], 0x2A06, in: 0x1803) == .written)
        #expect(try scene.read(0x2A06, in: 0x1803) == .value([level]))
        #expect(scene.fob.screen.tones.isEmpty)
        return scene
    }

    /// Until the phone has noticed.
    private func lose(_ scene: FobScene) {
        scene.goOutOfReach()
        scene.world.run(for: .seconds(60)) { !scene.fob.screen.tones.isEmpty }
    }

    @Test("Out of reach: the level written to Link Loss sounds", arguments: [1, 2] as [UInt8])
    func lost(level: UInt8) throws {
        let scene = try protected(level)
        lose(scene)
        #expect(scene.fob.screen.tones == (level == 1 ? .low : .high) && scene.fob.screen.alertLED)
        #expect(scene.fob.alertCause == .linkLoss)
        scene.comeBack()
        scene.run(.seconds(10))
        #expect(scene.fob.screen.tones.isEmpty)
        // The level stays.
        try scene.connect()
        #expect(try scene.read(0x2A06, in: 0x1803) == .value([level]))
    }

    @Test(
        "A frame that cannot be decrypted, and that ends the link, does not keep the phone silent",
        arguments: [0x3D, 0x13] as [UInt8]
    )
    func forged(reason: UInt8) throws {
        let scene = try protected(2)
        // Disconnection Complete.
        scene.world.perform(on: scene.phone.device) { host, now, actions in
            host.receive(hci: [0x04, 0x05, 0x04, 0, 0, 0, reason], at: now, into: &actions)
        }
        scene.run(.milliseconds(10))
        #expect(scene.fob.screen.tones == (reason == 0x3D ? .high : []))
    }

    @Test("A central that comes back silences it as soon as it does anything")
    func reconnected() throws {
        let scene = try protected(1)
        scene.world.run(for: .seconds(1))
        lose(scene)
        #expect(scene.fob.screen.tones == .low)
        scene.comeBack()
        scene.world.run(for: .seconds(60)) { scene.central.connection == nil }
        try scene.central.connect(to: scene.phone.device)
        #expect(try scene.read(0x2A19) == .value([80]))
        #expect(scene.fob.screen.tones.isEmpty)
    }

    @Test("A level of 0, and a farewell, are no alarm")
    func silence() throws {
        let scene = try protected(0)
        scene.goOutOfReach()
        scene.run(.seconds(40))
        #expect(scene.central.connection == nil && scene.fob.screen.tones.isEmpty)
        let other = try protected(2)
        try other.central.disconnect()
        other.run(.seconds(5))
        #expect(other.fob.screen.tones.isEmpty)
    }

    @Test("Values other than 0, 1 and 2 are accepted and change nothing")
    func otherLevels() throws {
        let scene = try protected(1)
        #expect(try scene.write([3], 0x2A06, in: 0x1803) == .written)
        #expect(try scene.read(0x2A06, in: 0x1803) == .value([1]))
    }

    @Test("An alert ends when its central disconnects, subscribed or not; on iOS 6 it went on")
    func alertEnds() throws {
        for limits: IOS6Limits in [[], .linkLoss] {
            let scene = FobScene(limits: limits)
            try scene.connect()
            #expect(try scene.write([1], 0x2A06, in: 0x1802) == .written)
            try scene.central.disconnect()
            #expect(scene.fob.screen.tones == (limits.isEmpty ? [] : .low))
        }
    }

    @Test("To know when a central goes, the phone asks nothing of it, and does not look for it afterwards")
    func unobtrusive() throws {
        let scene = try protected(2)
        #expect(scene.central.questions == 0)
        try scene.central.disconnect()
        scene.run(.seconds(20))
        #expect(scene.central.connection == nil)
        try scene.connect()
        #expect(try scene.read(0x2A19) == .value([80]))
    }
}
