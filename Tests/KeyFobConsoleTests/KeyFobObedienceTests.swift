import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("A fob does what words say")
struct KeyFobObedienceTests {
    private let host = Host(configuration: KeyFobDevice.hostConfiguration(seed: 1))
    private let device = KeyFobDevice()

    private func obey(_ word: KeyFobWord, at now: Instant = .zero) -> KeyFobDevice.Obedience {
        var actions = HostActions()
        return device.obey(word, host: host, at: now, into: &actions)
    }

    private init() {
        var actions = HostActions()
        device.start(host: host, at: .zero, into: &actions)
    }

    @Test("Keys move, one click after the other")
    func keys() {
        #expect(obey(.hold(.left)) == .done)
        #expect(device.model.value(of: .keys) == 1)
        #expect(obey(.release(.left)) == .done)
        #expect(device.model.value(of: .keys) == 0)
        #expect(obey(.click(.right)) == .done)
        #expect(device.model.value(of: .keys) == 2)
        var actions = HostActions()
        device.expire(host: host, at: Instant(nanoseconds: 200_000_000), into: &actions)
        #expect(device.model.value(of: .keys) == 0)
        for _ in 0..<1_000 { _ = obey(.click(.left)) }
        #expect(obey(.click(.left)) == .tooManyKeys)
    }

    @Test("The sensor and the battery follow")
    func sensors() {
        #expect(obey(.tilt(Acceleration(x: 1, y: 2, z: 3))) == .done)
        #expect(device.model.sensedAcceleration == Acceleration(x: 1, y: 2, z: 3))
        #expect(obey(.tiltInG(x: 1, y: 0, z: -1)) == .done)
        #expect(device.model.sensedAcceleration == Acceleration(x: 56, y: 0, z: -56))
        #expect(obey(.battery(percent: 80)) == .done)
        var actions = HostActions()
        device.expire(host: host, at: Instant(nanoseconds: 20_000_000_000), into: &actions)
        #expect(device.takeNotices().map(\.change).contains(.battery(percent: 80)))
        #expect(obey(.toggleAdvertising) == .done)
    }

    @Test("Distance and the end are for the world")
    func world() {
        #expect(obey(.distance(metres: 3)) == .notForTheFob)
        #expect(obey(.quit) == .notForTheFob)
    }
}
