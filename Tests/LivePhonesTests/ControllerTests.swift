import BluethroatHCIServing
import BluethroatHCITransports
import BluethroatLivePhones
import BluethroatLivePhonesPort
import CoreBluetooth
import Foundation
import Testing

@testable import app_peer

@Suite("Phones on controllers behind HCI", .timeLimit(.minutes(2)))
struct ControllerTests {
    private func port() throws -> HostPort { try HostPort(parsing: "127.0.0.1:0") }

    @Test("Two apps on two controllers behind TCP pass 4 kB both ways")
    func exchange() async throws {
        let elsewhere = LiveAir(seed: 1)
        let server = try await elsewhere.serveControllers(on: port())
        let (left, right) = (Listener(), Listener())
        let here = LiveAir()
        let one = here.addPhone(named: "one", onController: .tcp(server.address))
        let two = here.addPhone(named: "two", onController: .tcp(server.address))
        let publisher = one.addApp().run { PublishingPeer(Plan(), queue: nil, tell: left.story) }
        let central = two.addApp().run {
            CentralPeer(Plan(), queue: DispatchQueue(label: "central"), tell: right.story)
        }
        try await right.wait(for: "done")
        try await left.wait(for: "received")
        for end in [left, right] {
            #expect(end.events.first { $0.name == "received" }?.details["intact"] as? Bool == true)
        }
        withExtendedLifetime((publisher, central)) {}
        here.end()
        await server.close()
    }

    @Test("What cannot be reached is one line, and there is no Bluetooth")
    func nobody() async throws {
        let (app, complaints) = (StateWatcher(), Listener())
        let phone = LiveAir().addPhone(
            named: "phone",
            onController: try HCIEndpoint(parsing: "tcp:127.0.0.1:1"),
            complain: { complaints.note($0) }
        )
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: nil) }
        try await app.listener.wait(for: "state 2")
        #expect(manager.state == .unsupported)
        #expect(complaints.events.count == 1)
        #expect(complaints.events.first?.name.contains("127.0.0.1:1") == true)
    }

    @Test("A controller that is lost is looked for while the state is resetting, and used again when it is back")
    func comingBack() async throws {
        let elsewhere = LiveAir(seed: 2)
        let first = try await elsewhere.serveControllers(on: port())
        let (app, complaints) = (StateWatcher(), Listener())
        let phone = LiveAir().addPhone(
            named: "phone",
            onController: .tcp(first.address),
            complain: { complaints.note($0) }
        )
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: nil) }
        try await app.listener.wait(for: "state 5")
        await first.close()
        try await app.listener.wait(for: "state 1")
        let second = try await elsewhere.serveControllers(on: first.address)
        try await app.listener.wait(for: "state 5", times: 2)
        #expect(app.listener.events.map(\.name).filter { $0.hasPrefix("state") } == ["state 5", "state 1", "state 5"])
        #expect(complaints.events.count == 1)
        withExtendedLifetime(manager) {}
        await second.close()
    }

    @Test("A controller that does not come back leaves no Bluetooth")
    func stayingAway() async throws {
        let elsewhere = LiveAir(seed: 3)
        let server = try await elsewhere.serveControllers(on: port())
        let (app, complaints) = (StateWatcher(), Listener())
        let phone = LiveAir().addPhone(
            named: "phone",
            onController: .tcp(server.address),
            patience: 1,
            complain: { complaints.note($0) }
        )
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: nil) }
        try await app.listener.wait(for: "state 5")
        await server.close()
        try await app.listener.wait(for: "state 2")
        #expect(app.listener.events.map(\.name).filter { $0.hasPrefix("state") } == ["state 5", "state 1", "state 2"])
        #expect(complaints.events.count == 2)
        withExtendedLifetime(manager) {}
    }
}
