import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What apps send to subscribers")
struct PublishedUpdatesTests {
    private let value = CBMutableCharacteristic("FFE1", [.notify, .indicate], [])

    private static func bytes(_ number: Int) -> Data { Data([UInt8(number & 0xFF), UInt8(number >> 8)]) }

    private func subscribed(
        _ kind: Subscription = .notifications,
        settings: PhoneSettings = PhoneSettings()
    ) throws -> (PublishingScene, RemoteCharacteristic) {
        let scene = PublishingScene(settings: settings, [CBMutableService("FFE0", [value])])
        try scene.connect()
        let remote = try #require(try scene.central.database().characteristic(0xFFE1))
        #expect(try scene.central.subscribe(remote, kind) == .written)
        scene.run(.milliseconds(100))
        scene.central.forget()
        return (scene, remote)
    }

    @Test("The queue takes as many updates as the setting says, then says no, and then that it is ready [H; D]")
    func full() throws {
        var settings = PhoneSettings()
        settings.updateWindow = 5
        let (scene, _) = try subscribed(settings: settings)
        var taken = 0
        while taken < 100, scene.app.manager.updateValue(Data([UInt8(taken)]), for: value, onSubscribedCentrals: nil) {
            taken += 1
        }
        #expect(taken == 5)
        #expect(!scene.app.heard.contains("ready"))
        scene.run(.seconds(1))
        #expect(scene.app.heard.filter { $0 == "ready" }.count == 1)
        #expect(scene.central.notifications == (0..<5).map { [$0] }, "what was refused was not queued")
    }

    @Test("An app that sends whenever it may fills the link, and everything arrives in its order")
    func stream() throws {
        let (scene, _) = try subscribed()
        var next = 0
        let manager = scene.app.manager!
        let value = value
        scene.app.ready = {
            while next < 400,
                manager.updateValue(
                    Data([UInt8(next & 0xFF), UInt8(next >> 8)]),
                    for: value,
                    onSubscribedCentrals: nil
                )
            { next += 1 }
        }
        scene.app.ready?()
        #expect(next == 16)
        scene.run(.seconds(20))
        #expect(next == 400)
        #expect(scene.central.notifications == (0..<400).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }

    @Test("The queue stays full while a central is out of reach")
    func stuck() throws {
        let (scene, _) = try subscribed()
        scene.world.setLossEverywhere(.always)
        var taken = 0
        for _ in 0..<100 {
            while scene.app.manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil) { taken += 1 }
            scene.run(.milliseconds(10))
        }
        #expect((32...80).contains(taken), "\(taken)")
        // The link is lost, and nobody is left to send anything to.
        scene.run(.seconds(40))
        #expect(scene.app.heard.suffix(2).contains("unsubscribed FFE1"))
        #expect(scene.app.manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil))
    }

    @Test("A central that wants indications gets them, each after it has confirmed the last [H]")
    func indications() throws {
        let (scene, remote) = try subscribed(.indications)
        for number in 0..<3 {
            #expect(scene.app.manager.updateValue(Data([UInt8(number)]), for: value, onSubscribedCentrals: nil))
        }
        scene.run(.seconds(2))
        #expect(scene.central.indications == [[0], [1], [2]])
        #expect(scene.central.received == (0..<3).map { [0x1D, UInt8(remote.valueHandle.rawValue), 0, $0] })
        #expect(scene.central.sent == [[0x1E], [0x1E], [0x1E]])
    }

    @Test("A value is cut to what a central takes: 20 bytes, or three less than the MTU, or 512 [H; D]")
    func lengths() throws {
        let (scene, _) = try subscribed()
        let central = try #require(value.subscribedCentrals?.first)
        #expect(central.maximumUpdateValueLength == 20)
        let long = Data((0..<100).map { UInt8($0) })
        #expect(scene.app.manager.updateValue(long, for: value, onSubscribedCentrals: [central]))
        scene.run(.seconds(1))
        #expect(scene.central.notifications == [(0..<20).map { UInt8($0) }])
        _ = try scene.central.ask { try $0.exchangeMTU($1, at: $2, into: &$3) }
        scene.run(.milliseconds(100))
        #expect(central.maximumUpdateValueLength == 512)
        #expect(scene.app.manager.updateValue(long, for: value, onSubscribedCentrals: nil))
        scene.run(.seconds(1))
        #expect(scene.central.notifications.last?.count == 100)
    }

    @Test("Updates go to the centrals that are meant, and to nobody who has not subscribed [H; D]")
    func chosen() throws {
        let (scene, remote) = try subscribed()
        let other = CentralProbe(in: scene.world, named: "other")
        try other.connect(to: scene.phone.device)
        #expect(scene.app.manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil))
        scene.run(.seconds(1))
        #expect(other.notifications.isEmpty && scene.central.notifications == [[1]])

        let theirs = try #require(try other.database().characteristic(0xFFE1))
        #expect(try other.subscribe(theirs) == .written)
        scene.run(.milliseconds(100))
        let centrals = try #require(value.subscribedCentrals)
        #expect(centrals.count == 2)
        #expect(scene.app.manager.updateValue(Data([2]), for: value, onSubscribedCentrals: [centrals[1]]))
        scene.run(.seconds(1))
        #expect(other.notifications == [[2]] && scene.central.notifications == [[1]])

        #expect(try scene.central.subscribe(remote, []) == .written)
        scene.run(.milliseconds(100))
        #expect(scene.app.heard.last == "unsubscribed FFE1")
        #expect(value.subscribedCentrals?.count == 1)
    }

    @Test("An app may ask for a faster or slower connection [H]")
    func latency() throws {
        let (scene, _) = try subscribed()
        let central = try #require(value.subscribedCentrals?.first)
        scene.app.manager.setDesiredConnectionLatency(.low, for: central)
        scene.run(.seconds(3))
        #expect(scene.central.parameters?.interval.steps == 12)
        scene.app.manager.setDesiredConnectionLatency(.high, for: central)
        scene.run(.seconds(5))
        #expect((396...408).contains(scene.central.parameters?.interval.steps ?? 0))
    }
}
