import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Two phones: an app on one publishes channels, an app on the other is connected to it.
struct ChannelScene {
    let world: World
    let serverPhone: Phone
    let clientPhone: Phone
    let server: ChannelServer
    let client: ChannelClient

    init(seed: UInt64 = 60, encryption: [Bool] = [false], settings: PhoneSettings = PhoneSettings()) throws {
        world = World(seed: seed)
        serverPhone = Phone(named: "server", in: world, settings: settings)
        clientPhone = Phone(named: "client", in: world, settings: settings)
        server = ChannelServer(serverPhone.addApp().environment, encryption: encryption)
        client = ChannelClient(clientPhone.addApp().environment)
        let client = client
        try wait("connected") { client.heard.contains("connected") }
        // The MTU, the services and longer packets are agreed upon.
        run(.seconds(2))
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    func wait(_ what: String, within limit: TimeSpan = .seconds(30), _ condition: () -> Bool) throws {
        world.run(for: .zero)
        let isMet = world.run(for: limit, until: condition)
        try #require(isMet, "not \(what): \(server.heard), \(client.heard), \(client.errors)")
    }

    /// Opens a channel, and its streams at both ends.
    @discardableResult
    func open(_ psm: CBL2CAPPSM? = nil) throws -> (client: Correspondent, server: Correspondent) {
        let (client, server) = (client, server)
        let before = (client.peers.count, server.peers.count)
        try #require(client.peripheral).openL2CAPChannel(psm ?? server.psm)
        try wait("opened") { client.peers.count > before.0 && server.peers.count > before.1 }
        return (client.peers[before.0], server.peers[before.1])
    }

    func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededRandom(seed: seed, purpose: "payload")
        var data = Data(capacity: count + 8)
        while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }
}
