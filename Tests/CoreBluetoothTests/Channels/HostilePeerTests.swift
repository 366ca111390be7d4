import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Peers that break the rules of L2CAP channels")
struct HostilePeerTests {
    private static let lies: [HostileHost.Lie] = [
        .init(credits: 1_000), .init(mtu: 60_000, mps: 60_000), .init(mps: 4_000), .init(mtu: 8_000, credits: 500),
    ]

    @Test("Their channel ends for the app as any other does, and nothing else suffers", arguments: 0..<4)
    func violation(index: Int) throws {
        let world = World(seed: 70)
        let phone = Phone(named: "phone", in: world)
        let app = ChannelServer(phone.addApp().environment)
        app.open = { channel in
            let peer = Correspondent(channel)
            peer.reads = false
            return peer
        }
        world.run(for: .seconds(1))
        let hostile = HostileHost(in: world, Self.lies[index], psm: app.psm)
        world.run(for: .seconds(1))
        hostile.connect(to: phone.device)
        world.run(for: .seconds(5)) { hostile.connection != nil }
        world.run(for: .seconds(2))
        hostile.open()
        world.run(for: .seconds(30)) { hostile.closed != nil }
        #expect(hostile.closed == .closedByPeer)
        let peer = try #require(app.peer)
        #expect(peer.heardOut.last == "end" && peer.input.streamError == nil)
        peer.pull()
        world.run(for: .zero)
        #expect(peer.heardIn.last == "end" && peer.received.count <= 32_000)
        #expect(peer.received.allSatisfy { $0 == 0xAA })
        #expect(hostile.connection != nil)
        hostile.askForName()
        world.run(for: .seconds(5)) { hostile.result != nil }
        guard case .values? = hostile.result else {
            Issue.record("the phone does not answer any more")
            return
        }
    }
}
