import BluethroatBluetoothValues
import BluethroatPhoneService
import Foundation
import Synchronization
import Testing

@testable import BluethroatLivePhones

@Suite("What a process leaves for the next one")
struct RestorationTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "restoration-\(UUID()).json").path

    /// A phone that answers when the test says so.
    private final class ScriptedPort: ServicePort {
        let orders = Mutex<[PeripheralCommand]>([])
        private let sinks = Mutex<[@Sendable ([SessionEvent]) -> Void]>([])

        var authorization: Authorization { .allowedAlways }

        func open(
            _ session: SessionDescription,
            events: @escaping @Sendable ([SessionEvent]) -> Void
        ) -> SessionID {
            sinks.withLock { sinks in
                sinks.append(events)
                return SessionID(number: UInt32(sinks.count))
            }
        }

        func submit(_ command: SessionCommand, from session: SessionID) {
            if case .peripheral(let order) = command { orders.withLock { $0.append(order) } }
        }

        func close(_ session: SessionID) {}

        func say(_ events: SessionEvent..., to number: Int = 1) { sinks.withLock { $0[number - 1] }(events) }

        var words: [String] { orders.withLock { $0.map(\.word) } }
    }

    /// One process with one manager.
    private final class Run: Sendable {
        let phone = ScriptedPort()
        let port: RestoringPort
        let session: SessionID
        private let heard: Heard

        private final class Heard: Sendable {
            let words = Mutex<[String]>([])
            let restored = Mutex<PeripheralRestoration?>(nil)
        }

        init(_ path: String, identifier: String? = "tag") throws {
            let heard = Heard()
            self.heard = heard
            port = RestoringPort(phone, file: try RestorationFile(path))
            session = port.open(SessionDescription(role: .peripheral, restoreIdentifier: identifier)) { events in
                for event in events {
                    if case .peripheral(.restored(let restoration)) = event {
                        heard.restored.withLock { $0 = restoration }
                    }
                    heard.words.withLock { $0.append(event.word) }
                }
            }
        }

        var words: [String] { heard.words.withLock(\.self) }
        var restored: PeripheralRestoration? { heard.restored.withLock(\.self) }

        func order(_ orders: PeripheralCommand...) {
            for order in orders { port.submit(.peripheral(order), from: session) }
        }
    }

    private static let characteristic = LocalCharacteristic(
        id: LocalCharacteristicID(number: 2),
        uuid: 0xFFE1,
        properties: 0x0A,
        permissions: 3,
        value: [1, 2],
        descriptors: [LocalDescriptor(uuid: 0x2901, value: Array("Grüße".utf8))]
    )
    private static let service = LocalService(
        id: LocalServiceID(number: 1),
        uuid: 0xFFE0,
        isPrimary: true,
        characteristics: [characteristic]
    )
    private static let advertisement = AdvertisementRequest(localName: "Tag", services: [0xFFE0])

    /// A process that publishes and advertises, and is killed.
    private func publish() throws {
        let run = try Run(path)
        run.phone.say(.peripheral(.updateWindow(4)), .state(.poweredOn))
        run.order(.add(Self.service), .startAdvertising(Self.advertisement))
        run.phone.say(.peripheral(.serviceAdded(Self.service.id, nil)), .peripheral(.advertisingStarted(nil)))
        #expect(run.words == ["window", "on", "added 1", "advertising"])
        #expect(run.phone.words == ["add 1", "advertise"])
    }

    @Test("The next process is told of services and advertisement first, and both are there again before it is on")
    func twoRuns() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try publish()
        let again = try Run(path)
        again.phone.say(.peripheral(.updateWindow(4)), .state(.unknown))
        #expect(again.words == ["window", "restored", "unknown"] && again.phone.words.isEmpty)
        again.phone.say(.state(.poweredOn))
        #expect(again.phone.words == ["add 1", "advertise"])
        // The manager has not ordered that, and hears of no answers.
        again.phone.say(.peripheral(.serviceAdded(Self.service.id, nil)), .peripheral(.advertisingStarted(nil)))
        #expect(again.words == ["window", "restored", "unknown", "on"])
        let restored = try #require(again.restored)
        #expect(restored.advertisement == Self.advertisement && restored.subscriptions.isEmpty)
        let service = try #require(restored.services.first)
        #expect((service.id, service.uuid) == (Self.service.id, Self.service.uuid) && service.isPrimary)
        let characteristic = try #require(service.characteristics.first)
        #expect((characteristic.id, characteristic.uuid) == (Self.characteristic.id, Self.characteristic.uuid))
        #expect((characteristic.properties, characteristic.permissions) == (0x0A, 3))
        #expect(characteristic.value == [1, 2] && characteristic.descriptors == Self.characteristic.descriptors)
        // What it orders itself it hears of.
        again.order(.stopAdvertising, .startAdvertising(Self.advertisement))
        again.phone.say(.peripheral(.advertisingStarted(nil)))
        #expect(again.words.last == "advertising")
    }

    @Test("A third process finds what the second has left: nothing that was removed, ended or refused")
    func changes() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try publish()
        let second = try Run(path)
        second.phone.say(.state(.poweredOn))
        second.order(.stopAdvertising, .add(LocalService(id: LocalServiceID(number: 9), uuid: 0x180F, isPrimary: true)))
        second.phone.say(.peripheral(.serviceAdded(LocalServiceID(number: 9), .local(.uuidNotAllowed))))
        let third = try Run(path)
        third.phone.say(.state(.poweredOn))
        #expect(third.restored?.services.map(\.id.number) == [1] && third.restored?.advertisement == nil)
        third.order(.removeAllServices)
        let fourth = try Run(path)
        fourth.phone.say(.state(.poweredOn))
        #expect(fourth.words == ["on"] && fourth.phone.words.isEmpty)
    }

    @Test(
        "An advertisement that is on the air is left to the next process, also where another one was refused beside it"
    )
    func refusedAdvertisement() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try publish()
        let second = try Run(path)
        second.phone.say(.state(.poweredOn))
        // As apps do that begin with each start. The refusal may come before what was ordered here has begun.
        second.order(.startAdvertising(AdvertisementRequest(localName: "Other", services: [])))
        second.phone.say(.peripheral(.advertisingStarted(.local(.alreadyAdvertising))))
        #expect(second.words.last == "advertising")
        let count = second.words.count
        second.phone.say(.peripheral(.serviceAdded(Self.service.id, nil)), .peripheral(.advertisingStarted(nil)))
        #expect(second.words.count == count, "\(second.words)")
        let third = try Run(path)
        third.phone.say(.state(.poweredOn))
        #expect(third.restored?.advertisement == Self.advertisement)
        third.phone.say(.peripheral(.advertisingStarted(.local(.unknown))))
        let fourth = try Run(path)
        fourth.phone.say(.state(.poweredOn))
        #expect(fourth.restored?.advertisement == nil)
    }

    @Test("Nothing is left by a manager that is gone, that has another identifier or none, or whose controller failed")
    func nothing() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try publish()
        for identifier in ["other", nil] {
            let run = try Run(path, identifier: identifier)
            run.phone.say(.state(.poweredOn))
            #expect(run.words == ["on"])
        }
        let closing = try Run(path)
        closing.phone.say(.state(.poweredOn))
        closing.port.close(closing.session)
        let next = try Run(path)
        next.phone.say(.state(.poweredOn))
        #expect(next.words == ["on"])
        next.order(.add(Self.service))
        next.phone.say(.state(.resetting))
        let last = try Run(path)
        last.phone.say(.state(.poweredOn))
        #expect(last.words == ["on"])
    }

    @Test("Of two managers with one identifier the first is restored")
    func two() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try publish()
        let run = try Run(path)
        let words = Mutex<[String]>([])
        _ = run.port.open(SessionDescription(role: .peripheral, restoreIdentifier: "tag")) { events in
            words.withLock { $0 += events.map(\.word) }
        }
        run.phone.say(.state(.poweredOn))
        run.phone.say(.state(.poweredOn), to: 2)
        #expect(run.words == ["restored", "on"] && words.withLock(\.self) == ["on"])
    }

    @Test(
        "A file that is none is one line that names the variable and says what to do",
        arguments: [
            "", "{", "[]", #"{"version":2,"peripheralManagers":[]}"#,
            RestorationTests.file(#""number":1,"uuid":"zz","includes":[]"#),
            RestorationTests.file(#""number":0,"uuid":"FFE0","includes":[]"#),
            RestorationTests.file(#""number":4294967295,"uuid":"FFE0","includes":[]"#),
            RestorationTests.file(#""number":1,"uuid":"FFE0","includes":[]"#, again: true),
            String(repeating: " ", count: 1 << 20 | 1),
        ]
    )
    func hostile(_ text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(text, mode: 0o600)
        let error = #expect(throws: ProcessSettingsError.self) { try RestorationFile(path) }
        #expect(error?.description.hasPrefix("BLUETHROAT_RESTORATION: ") == true)
        #expect(error?.description.contains("remove it, or name another") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8), "the file is as it was")
    }

    @Test("Others neither read what an app publishes nor say what is restored: the file is its user's alone")
    func others() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let kept = Self.file(#""number":1,"uuid":"FFE0","includes":[]"#)
        for mode in [0o644, 0o666, 0o620] {
            try write(kept, mode: mode)
            let error = #expect(throws: ProcessSettingsError.self) { try RestorationFile(path) }
            #expect(error?.description.contains("is open to others") == true)
        }
        let link = path + ".link"
        try write(kept, mode: 0o600)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        let error = #expect(throws: ProcessSettingsError.self) { try RestorationFile(link) }
        #expect(error?.description.contains("is a symbolic link") == true)
        try FileManager.default.removeItem(atPath: path)
        _ = try RestorationFile(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    private func write(_ text: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("A file that cannot be written is told of at the start")
    func nowhere() {
        let error = #expect(throws: ProcessSettingsError.self) { try RestorationFile("/nowhere/restoration.json") }
        #expect(error?.description.contains("cannot be written") == true)
    }

    private static func file(_ fields: String, again: Bool = false) -> String {
        let service = #"{\#(fields),"isPrimary":true,"characteristics":[]}"#
        let services = again ? "\(service),\(service)" : service
        return #"{"version":1,"peripheralManagers":[{"identifier":"tag","services":[\#(services)]}]}"#
    }
}

extension PeripheralCommand {
    fileprivate var word: String {
        switch self {
        case .add(let service): "add \(service.id.number)"
        case .startAdvertising: "advertise"
        case .stopAdvertising: "stop"
        default: "\(self)"
        }
    }
}

extension SessionEvent {
    fileprivate var word: String {
        switch self {
        case .state(.poweredOn): "on"
        case .state(let state): "\(state)"
        case .peripheral(.restored): "restored"
        case .peripheral(.updateWindow): "window"
        case .peripheral(.serviceAdded(let id, _)): "added \(id.number)"
        case .peripheral(.advertisingStarted): "advertising"
        default: "\(self)"
        }
    }
}
