import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Centrals as a peripheral manager sees them. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What centrals are to an app that publishes")
struct CentralsTests {
    private let value = CBMutableCharacteristic(
        "FFE1",
        [.read, .write, .writeWithoutResponse, .notify],
        [.readable, .writeable]
    )

    private func connected() throws -> (PublishingScene, RemoteCharacteristic) {
        let scene = PublishingScene([CBMutableService("FFE0", [value])])
        try scene.connect()
        let remote = try #require(try scene.central.database().characteristic(0xFFE1))
        scene.central.forget()
        return (scene, remote)
    }

    @Test("That a central connects or goes is not told; its first request reveals it [O]")
    func unseen() throws {
        let (scene, remote) = try connected()
        let heard = scene.app.heard
        #expect(heard == ["state 5", "added FFE0", "advertising"])
        scene.app.value = Data([1])
        _ = try scene.central.read(remote)
        #expect(scene.app.reads.count == 1 && scene.app.reads[0].central.maximumUpdateValueLength == 20)
        try scene.central.disconnect()
        #expect(scene.app.heard == heard)
    }

    @Test(
        "A central that goes has unsubscribed, whether it says so or is lost [product decision]",
        arguments: [true, false]
    )
    func gone(saysSo: Bool) throws {
        let (scene, remote) = try connected()
        #expect(try scene.central.subscribe(remote) == .written)
        scene.run(.seconds(1))
        #expect(scene.app.heard.last == "subscribed FFE1" && value.subscribedCentrals?.count == 1)
        if saysSo { try scene.central.disconnect() } else { scene.world.setLossEverywhere(.always) }
        scene.run(.seconds(40))
        #expect(scene.app.heard.last == "unsubscribed FFE1" && value.subscribedCentrals == [])
        #expect(scene.app.manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil))
    }

    @Test("Of a flood of centrals a phone forgets those that have gone, and nobody but the app keeps their objects")
    func flood() throws {
        var settings = PhoneSettings()
        settings.knownPeers = 8
        let scene = PublishingScene(settings: settings, [CBMutableService("FFE0", [value])])
        let other = CentralApp(scene.phone.apps[0].environment)
        let app = ForgetfulApp()
        scene.app.manager.delegate = app
        for number in 0..<24 {
            let probe = CentralProbe(in: scene.world, named: "central \(number)")
            try probe.connect(to: scene.phone.device)
            let remote = try #require(try probe.database().characteristic(0xFFE1))
            #expect(try probe.read(remote) == .value([]))
            let met = try #require(app.identifiers.last)
            #expect(other.manager.retrievePeripherals(withIdentifiers: [met]).count == 1)
            try probe.disconnect()
            scene.run(.seconds(1))
            #expect(app.central == nil)
        }
        #expect(Set(app.identifiers).count == 24)
        let known = other.manager.retrievePeripherals(withIdentifiers: app.identifiers).map(\.identifier)
        #expect((1...8).contains(known.count) && known.last == app.identifiers.last)
    }

    @Test("The value of a read request is empty, a write request has the bytes and where they belong [H; G]")
    func requests() throws {
        let (scene, remote) = try connected()
        let app = WaitingApp()
        scene.app.manager.delegate = app
        _ = try scene.central.ask(for: .seconds(1)) { try $0.read($1, remote.valueHandle, at: $2, into: &$3) }
        let request = try #require(app.reads.first)
        #expect(request.value == nil && request.offset == 0 && request.characteristic === value)
        request.value = Data([1, 2])
        scene.app.manager.respond(to: request, withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.central.result == .value([1, 2]))
    }

    @Test("An offset past the end is refused by the app with invalidOffset, which the central is told [H; G]")
    func invalidOffset() throws {
        let (scene, remote) = try connected()
        scene.app.value = Data(count: 50)
        try scene.world.perform(on: scene.central.device) { host, now, actions in
            _ = try host.read(scene.central.connection!, remote.valueHandle, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(5)) { scene.app.reads.count == 1 }
        // The value becomes shorter while it is read.
        scene.app.value = Data([1])
        scene.run(.seconds(2))
        #expect(scene.app.reads.map(\.offset) == [0, 22])
        #expect(scene.central.received.last == [0x01, 0x0C, UInt8(remote.valueHandle.rawValue), 0, 0x07])
    }

    @Test("A value longer than a packet is read in parts, though the app hands over all of it [H; G]")
    func cut() throws {
        let (scene, remote) = try connected()
        scene.app.value = Data((0..<22).map { UInt8($0) })
        #expect(try scene.central.read(remote) == .value((0..<22).map { UInt8($0) }))
        #expect(scene.central.received.first?.count == 23, "no packet is longer than the MTU")
    }

    @Test("What is not answered is not answered by the system; after 30 s the central gives up [product decision]")
    func unanswered() throws {
        let (scene, remote) = try connected()
        scene.app.verdict = nil
        let early = try scene.central.ask(for: .seconds(29)) {
            try $0.write([1], $1, remote.valueHandle, at: $2, into: &$3)
        }
        #expect(early == nil && scene.central.received.isEmpty)
        scene.run(.seconds(2))
        #expect(scene.central.result == .failed(.timedOut))
        #expect(scene.app.writes.count == 1)
        // Too late: the answer does no harm.
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.app.manager.state == .poweredOn)
    }

    @Test("Of writes that belong together all are answered at once, by the first of them [D; G]")
    func batch() throws {
        let (scene, remote) = try connected()
        scene.app.verdict = .writeNotPermitted
        let writes = [[1], [2]].enumerated().map { index, bytes in
            AttributeWrite(handle: remote.valueHandle, offset: index, value: bytes.map { UInt8($0) })
        }
        _ = try scene.central.ask { try $0.reliableWrite(writes, $1, at: $2, into: &$3) }
        #expect(scene.app.writes.map(\.count) == [2] && scene.app.writes[0].map(\.offset) == [0, 1])
        #expect(scene.central.received.last == [0x01, 0x18, UInt8(remote.valueHandle.rawValue), 0, 0x03])
        // The other of the two has been answered with it.
        scene.app.manager.respond(to: scene.app.writes[0][1], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.phone.service.misuse.count == 1)
    }

    @Test("A long write of a central arrives as one batch of parts, as ATT cuts it [H; O]")
    func longWrite() throws {
        let pair = try PhonePair([CBMutableService("FFE0", [value])])
        let remote = try #require(pair.app.characteristic("FFE1"))
        let bytes = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
        pair.peripheral.writeValue(bytes, for: remote, type: .withResponse)
        try pair.wait(for: "written")
        #expect(pair.publisher.writes.count == 1)
        let batch = try #require(pair.publisher.writes.first)
        var whole = Data(count: 512)
        for part in batch {
            let part = (part.offset, try #require(part.value))
            whole.replaceSubrange(part.0..<(part.0 + part.1.count), with: part.1)
        }
        #expect(whole == bytes)
    }

    @Test(
        "An app's own code reaches the app at the other end; code 15 is asked again once, encrypted [O; G]",
        arguments: [(0x80, 1), (15, 2)]
    )
    func codes(code: Int, count: Int) throws {
        let pair = try PhonePair([CBMutableService("FFE0", [value])])
        let remote = try #require(pair.app.characteristic("FFE1"))
        pair.publisher.verdict = CBATTError.Code(rawValue: code)
        pair.peripheral.writeValue(Data([1]), for: remote, type: .withResponse)
        try pair.wait(for: "written failed")
        let error = try #require(pair.app.errors.last as? CBATTError)
        #expect(error.code.rawValue == code)
        #expect(error.localizedDescription == (code == 15 ? "Encryption is insufficient." : "Unknown ATT error."))
        #expect(pair.publisher.writes.count == count && pair.app.errors.count == 1)
        #expect(pair.peripheral.state == .connected)
    }

    @Test("Ready comes only to those who were refused [H; D]")
    func ready() throws {
        let (scene, remote) = try connected()
        #expect(try scene.central.subscribe(remote) == .written)
        scene.run(.seconds(1))
        for _ in 0..<3 {
            for number in 0..<16 {
                #expect(scene.app.manager.updateValue(Data([UInt8(number)]), for: value, onSubscribedCentrals: nil))
            }
            scene.run(.seconds(2))
        }
        #expect(!scene.app.heard.contains("ready") && scene.central.notifications.count == 48)
    }

    @Test("One update is cut for each central to what that one takes [H; D]")
    func cutForEach() throws {
        let (scene, remote) = try connected()
        #expect(try scene.central.subscribe(remote) == .written)
        let other = CentralProbe(in: scene.world, named: "other")
        try other.connect(to: scene.phone.device)
        _ = try other.ask { try $0.exchangeMTU($1, at: $2, into: &$3) }
        let theirs = try #require(try other.database().characteristic(0xFFE1))
        #expect(try other.subscribe(theirs) == .written)
        scene.run(.seconds(1))
        #expect(Set((value.subscribedCentrals ?? []).map(\.maximumUpdateValueLength)) == [20, 512])
        let bytes = (0..<100).map { UInt8($0) }
        #expect(scene.app.manager.updateValue(Data(bytes), for: value, onSubscribedCentrals: nil))
        scene.run(.seconds(2))
        #expect(scene.central.notifications == [Array(bytes[..<20])] && other.notifications == [bytes])
        // The whole value can be read.
        scene.app.value = Data(bytes)
        #expect(try scene.central.read(remote) == .value(bytes))
    }
}

/// An app that answers nothing by itself.
private final class WaitingApp: NSObject, CBPeripheralManagerDelegate {
    private(set) var reads: [CBATTRequest] = []

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        reads.append(request)
    }
}

/// An app that answers, and keeps no central.
private final class ForgetfulApp: NSObject, CBPeripheralManagerDelegate {
    private(set) weak var central: CBCentral?
    private(set) var identifiers: [UUID] = []

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        central = request.central
        identifiers.append(request.central.identifier)
        request.value = Data()
        peripheral.respond(to: request, withResult: .success)
    }
}
