import BluethroatAppEnvironment
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@testable import BluethroatWorkstationLogin

/// Two phones in virtual time: a server's screen on one, a client's on the other.
struct TextScene {
    let world: World
    let serverPhone: Phone
    let clientPhone: Phone
    let server: TextServer
    let client: TextClient

    /// - Parameters:
    ///   - serverMTU: the longest ATT PDU that the server's phone takes, in bytes.
    ///   - loss: the share of all packets that are lost, in percent.
    init(
        seed: UInt64 = 1,
        mtu: Int = 517,
        loss: Int32 = 0,
        offersFramedMode: Bool = true,
        usesFramedMode: Bool = true
    ) {
        let world = World(seed: seed)
        self.world = world
        world.setLossEverywhere(.percent(loss))
        func phone(_ name: String, at metres: Double) -> Phone {
            var host = HostConfiguration(seed: seed, device: UInt64(world.nextID.rawValue))
            host.maximumATTMTU = mtu
            return Phone(named: name, in: world, at: .metres(x: metres), host: host)
        }
        serverPhone = phone("server", at: 0)
        clientPhone = phone("client", at: 2)
        server = serverPhone.addApp().run {
            TextServer(offersFramedMode: offersFramedMode, clock: .of(world), random: .seeded(seed))
        }
        client = clientPhone.addApp().run {
            TextClient(usesFramedMode: usesFramedMode, clock: .of(world), random: .seeded(seed &+ 1))
        }
    }

    @discardableResult
    func run(for span: TimeSpan = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        world.run(for: span, until: condition)
    }

    /// From both apps just launched to a connection over which text goes.
    func connect() throws {
        try #require(run(until: { server.state == .poweredOn && client.state == .poweredOn }))
        server.switchAdvertising(true)
        client.search()
        try #require(run(until: { client.found != nil }))
        // Where much is lost a connection may end before it has begun; its person tries again.
        for _ in 0..<5 where client.mode == nil {
            client.connect()
            run(for: .seconds(20)) { client.mode != nil || client.found?.state == .disconnected }
        }
        try #require(client.mode != nil, "seed \(world.seed): \(client.pad.lines)")
    }

    /// What a screen shows of texts that have come, without the words before them.
    static func texts(_ pad: TextPad) -> [String] {
        pad.lines.compactMap { line in
            for word in ["READ: ", "WRITE request: "] where line.hasPrefix(word) {
                let text = String(line.dropFirst(word.count))
                return text == "some identificator" ? nil : text
            }
            return nil
        }
    }

    var atServer: [String] { Self.texts(server.pad) }
    var atClient: [String] { Self.texts(client.pad) }
}
