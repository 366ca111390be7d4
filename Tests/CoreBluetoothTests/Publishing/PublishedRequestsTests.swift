import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What centrals want of published values")
struct PublishedRequestsTests {
    private let value = CBMutableCharacteristic(
        "FFE1",
        [.read, .write, .writeWithoutResponse],
        [.readable, .writeable]
    )
    private let other = CBMutableCharacteristic("FFE2", .write, .writeable)

    /// A scene in which the central is connected and knows the two characteristics.
    private func connected() throws -> (PublishingScene, RemoteCharacteristic, RemoteCharacteristic) {
        let scene = PublishingScene([CBMutableService("FFE0", [value, other])])
        try scene.connect()
        let database = try scene.central.database()
        scene.central.forget()
        return (
            scene, try #require(database.characteristic(0xFFE1)), try #require(database.characteristic(0xFFE2))
        )
    }

    @Test("A dynamic value is read by asking the app, a long one again with an offset [H; G]")
    func reads() throws {
        let (scene, first, _) = try connected()
        scene.app.value = Data((0..<50).map { UInt8($0) })
        #expect(try scene.central.read(first) == .value((0..<50).map { UInt8($0) }))
        #expect(scene.app.reads.map(\.offset) == [0, 22, 44])
        let low = UInt8(first.valueHandle.rawValue)
        #expect(scene.central.sent == [[0x0A, low, 0], [0x0C, low, 0, 22, 0], [0x0C, low, 0, 44, 0]])
        #expect(scene.app.reads.first?.characteristic === value)
    }

    @Test("An offset past the end is refused by the app, a permission that is missing by the system [H]")
    func refusals() throws {
        let (scene, first, second) = try connected()
        let low = UInt8(first.valueHandle.rawValue)
        scene.app.value = Data([1])
        let read = try scene.central.ask { try $0.read($1, second.valueHandle, at: $2, into: &$3) }
        #expect(
            read
                == .failed(
                    .refused(.readNotPermitted, request: .readRequest, handle: second.valueHandle.rawValue)
                )
        )
        #expect(scene.app.reads.isEmpty)
        #expect(scene.central.received.last == [0x01, 0x0A, UInt8(second.valueHandle.rawValue), 0, 0x02])
        scene.app.verdict = CBATTError.Code(rawValue: 0x80)!
        _ = try scene.central.write([1, 2], first)
        #expect(scene.central.received.last == [0x01, 0x12, low, 0, 0x80])
    }

    @Test("A write comes as a batch of one, is answered once, and again is misuse [H; D]")
    func write() throws {
        let (scene, first, _) = try connected()
        #expect(try scene.central.write([1, 2, 3], first) == .written)
        let batch = try #require(scene.app.writes.first)
        #expect(batch.count == 1 && batch[0].value == Data([1, 2, 3]) && batch[0].offset == 0)
        #expect(scene.central.received == [[0x13]])
        scene.app.manager.respond(to: batch[0], withResult: .unlikelyError)
        scene.run(.seconds(1))
        #expect(scene.central.received == [[0x13]])
        #expect(scene.phone.service.misuse.count == 1)
    }

    @Test("What is removed while a central waits for its app is refused, and an answer that comes late is no misuse")
    func removedMeanwhile() throws {
        let (scene, first, _) = try connected()
        scene.app.verdict = nil
        let low = UInt8(first.valueHandle.rawValue)
        #expect(
            try scene.central.ask(for: .milliseconds(500)) {
                try $0.write([1], $1, first.valueHandle, at: $2, into: &$3)
            } == nil
        )
        scene.app.manager.removeAllServices()
        scene.run(.seconds(1))
        #expect(scene.central.received.first == [0x01, 0x12, low, 0, 0x0E])
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.phone.service.misuse.isEmpty && scene.central.connection != nil)
        // The second answer is one too many.
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.phone.service.misuse.map(\.kind) == [.requestNotAwaited])
    }

    @Test("Nor is the answer to a central that has gone meanwhile, which an app cannot know")
    func goneMeanwhile() throws {
        let (scene, first, _) = try connected()
        scene.app.verdict = nil
        _ = try scene.central.ask(for: .milliseconds(500)) {
            try $0.write([1], $1, first.valueHandle, at: $2, into: &$3)
        }
        try scene.central.disconnect()
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.phone.service.misuse.isEmpty)
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.phone.service.misuse.map(\.kind) == [.requestNotAwaited])
    }

    @Test("A write command comes the same way; the answer to it produces no packet [H; product decision]")
    func command() throws {
        let (scene, first, _) = try connected()
        try scene.central.command([9], first)
        #expect(scene.app.writes.first?.first?.value == Data([9]))
        #expect(scene.central.received.isEmpty && scene.phone.service.misuse.isEmpty)
    }

    @Test("Write commands need no answer: nothing of them is kept that an answer would be too late for")
    func unansweredCommands() throws {
        let (scene, first, _) = try connected()
        scene.app.verdict = nil
        for number in 0..<100 { try scene.central.command([UInt8(number)], first) }
        #expect(scene.app.writes.count == 100)
        for write in scene.app.writes { scene.app.manager.respond(to: write[0], withResult: .success) }
        scene.app.manager.respond(to: scene.app.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.central.received.isEmpty && scene.phone.service.misuse.isEmpty)
    }

    @Test("Prepared writes come together when they are executed, with their offsets, and are answered once [H; G]")
    func prepared() throws {
        let (scene, first, second) = try connected()
        let writes = [
            AttributeWrite(handle: first.valueHandle, offset: 0, value: [1, 2]),
            AttributeWrite(handle: first.valueHandle, offset: 2, value: [3]),
            AttributeWrite(handle: second.valueHandle, offset: 0, value: [4]),
        ]
        let written = try scene.central.ask { try $0.reliableWrite(writes, $1, at: $2, into: &$3) }
        #expect(written == .written)
        let batch = try #require(scene.app.writes.first)
        #expect(scene.app.writes.count == 1)
        #expect(batch.map(\.offset) == [0, 2, 0])
        #expect(batch.map(\.value) == [Data([1, 2]), Data([3]), Data([4])])
        #expect(scene.central.received.last == [0x19])

        // The one that the app answers is the culprit.
        scene.app.verdict = nil
        let id = try scene.central.ask(for: .milliseconds(500)) {
            try $0.reliableWrite(writes, $1, at: $2, into: &$3)
        }
        #expect(id == nil)
        scene.app.manager.respond(to: scene.app.writes[1][2], withResult: .invalidAttributeValueLength)
        scene.run(.seconds(1))
        #expect(scene.central.received.last == [0x01, 0x18, UInt8(second.valueHandle.rawValue), 0, 0x0D])
    }

    @Test("Writes to two apps at once are carried out when both have said yes")
    func twoApps() throws {
        let (scene, first, _) = try connected()
        let theirs = scene.install(
            [CBMutableService("FFA0", [CBMutableCharacteristic("FFA1", .write, .writeable)])]
        )
        theirs.verdict = nil
        let foreign = try #require(try scene.central.database().characteristic(0xFFA1))
        let writes = [first, foreign].map { AttributeWrite(handle: $0.valueHandle, value: [7]) }
        let early = try scene.central.ask(for: .milliseconds(500)) {
            try $0.reliableWrite(writes, $1, at: $2, into: &$3)
        }
        #expect(early == nil && scene.app.writes.count == 1 && theirs.writes.count == 1)
        theirs.manager.respond(to: theirs.writes[0][0], withResult: .success)
        scene.run(.seconds(1))
        #expect(scene.central.result == .written)
        let mine = scene.app.writes[0][0].central.identifier
        #expect(mine != theirs.writes[0][0].central.identifier, "each app knows the central under another name")
    }

    @Test("A central has the same identifier each time it comes, in every run [H]")
    func identifiers() throws {
        var seen: [UUID] = []
        for _ in 0..<2 {
            let (scene, first, _) = try connected()
            #expect(try scene.central.write([1], first) == .written)
            try scene.central.disconnect()
            try scene.connect()
            #expect(try scene.central.write([1], first) == .written)
            seen += scene.app.writes.map { $0[0].central.identifier }
            scene.app.manager.remove(value.service as! CBMutableService)
        }
        #expect(seen.count == 4 && Set(seen).count == 1)
    }

    @Test("What needs encryption is refused until the central has paired, and then the operation goes through [H]")
    func encryption() throws {
        let secret = CBMutableCharacteristic("FFE1", [.read, .notifyEncryptionRequired], .readEncryptionRequired)
        let fixed = CBMutableCharacteristic("FFE2", .read, .readEncryptionRequired, value: Data([5]))
        let control = CBMutableCharacteristic("FFE3", .write, .writeEncryptionRequired)
        let scene = PublishingScene([CBMutableService("FFE0", [secret, fixed, control])])
        scene.app.value = Data([42])
        try scene.connect()
        let database = try scene.central.database()
        let remote = try [0xFFE1, 0xFFE2, 0xFFE3].map { number in
            try #require(database.characteristic(BluetoothUUID(UInt16(number))))
        }
        #expect(remote[0].properties == [.read, .notify])
        for characteristic in remote[0...1] {
            let error = ProcedureError.refused(
                .insufficientAuthentication,
                request: .readRequest,
                handle: characteristic.valueHandle.rawValue
            )
            #expect(try scene.central.read(characteristic) == .failed(error))
        }
        #expect(try scene.central.subscribe(remote[0]) != .written)
        #expect(try scene.central.write([1], remote[2]) != .written)
        #expect(scene.app.reads.isEmpty && scene.app.writes.isEmpty)

        try scene.central.pair()
        #expect(try scene.central.read(remote[0]) == .value([42]))
        #expect(try scene.central.read(remote[1]) == .value([5]))
        #expect(try scene.central.subscribe(remote[0]) == .written)
        #expect(try scene.central.write([1], remote[2]) == .written)
        #expect(scene.app.heard.last == "subscribed FFE1")
    }

    @Test("A central that has lost its bond makes another one if the phone's person agrees", arguments: [false, true])
    func lostBond(_ agrees: Bool) throws {
        let secret = CBMutableCharacteristic("FFE1", .notifyEncryptionRequired, [])
        let scene = PublishingScene([CBMutableService("FFE0", [secret])])
        try scene.connect()
        try scene.central.pair()
        try scene.central.disconnect()
        let old = try #require(scene.world.perform(on: scene.phone.device) { host, _, _ in host.bonds })
        #expect(old.count == 1)
        try scene.central.loseBonds()
        try scene.connect()
        var questions: [PairingQuestion.Kind] = []
        scene.phone.onPairingDialogue = { dialogue in
            questions.append(dialogue.kind)
            if agrees { dialogue.accept() } else { dialogue.refuse() }
        }
        try scene.central.pair()
        let new = try #require(scene.world.perform(on: scene.phone.device) { host, _, _ in host.bonds })
        #expect(scene.central.isEncrypted == agrees && questions == [.consent])
        #expect((new == old) == !agrees && new.count == 1)
    }

    @Test("A dialogue answers what it asks, once, and not what is asked after it on the same connection")
    func staleDialogue() throws {
        let scene = PublishingScene([CBMutableService("FFE0", [])])
        try scene.connect()
        scene.world.perform(on: scene.phone.device) { host, _, _ in host.pairingSettings.inputOutput = .displayYesNo }
        var dialogues: [PairingDialogue] = []
        scene.phone.onPairingDialogue = { dialogues.append($0) }
        func order(_ body: (BluetoothHost, ConnectionID, Instant, inout HostActions) throws -> Void) throws {
            let connection = try #require(scene.central.connection)
            _ = try scene.world.perform(on: scene.central.device) { try body($0, connection, $1, &$2) }
            scene.run(.seconds(1))
        }
        var settings = PairingSettings()
        settings.inputOutput = .displayYesNo
        try order { try $0.pair($1, settings: settings, at: $2, into: &$3) }
        #expect(dialogues.map(\.kind) == [.consent])
        // The central gives up, and begins anew while the person still looks at the first dialogue.
        try order { try $0.answer(.refuse, on: $1, at: $2, into: &$3) }
        try order { try $0.pair($1, settings: settings, at: $2, into: &$3) }
        #expect(dialogues.count == 2 && !dialogues[0].accept())
        scene.run(.seconds(1))
        #expect(dialogues.count == 2)
        #expect(dialogues[1].accept())
        scene.run(.seconds(1))
        try #require(dialogues.count == 3)
        // A second press on the button is no yes to the digits.
        #expect(!dialogues[1].accept())
        try order { try $0.answer(.agree, on: $1, at: $2, into: &$3) }
        #expect(!scene.central.isEncrypted)
        #expect(dialogues[2].accept())
        scene.run(.seconds(1))
        #expect(scene.central.isEncrypted && !dialogues[2].refuse())
    }

    @Test("A bonded central that comes again is subscribed as before, and has its identifier")
    func bonded() throws {
        let secret = CBMutableCharacteristic("FFE1", .notifyEncryptionRequired, [])
        let scene = PublishingScene([CBMutableService("FFE0", [secret])])
        try scene.connect()
        let remote = try #require(try scene.central.database().characteristic(0xFFE1))
        try scene.central.pair()
        #expect(try scene.central.subscribe(remote) == .written)
        try scene.central.disconnect()
        #expect(scene.app.heard.last == "unsubscribed FFE1")
        #expect(secret.subscribedCentrals?.isEmpty == true)
        try scene.connect()
        #expect(scene.app.heard.last == "subscribed FFE1")
        #expect(scene.app.centrals.count == 2)
        #expect(scene.app.centrals[0].identifier == scene.app.centrals[1].identifier)
        scene.central.forget()
        #expect(scene.app.manager.updateValue(Data([1]), for: secret, onSubscribedCentrals: nil))
        scene.run(.seconds(1))
        #expect(scene.central.notifications == [[1]])
    }
}
