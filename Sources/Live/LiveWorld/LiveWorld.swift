package import BluethroatBluetoothCrypto
package import BluethroatLinkLayer
package import BluethroatLiveLoop
package import BluethroatSimulation
package import BluethroatVirtualTime

/// What every world in a live loop has besides its devices: captures that are written in time, secrets of controllers,
/// and hosts outside of the process, each of which has a controller in the world.
package final class LiveWorld {
    package let world: World
    /// What records the world. The former captures are complete.
    package var captures: Captures? {
        willSet { if newValue !== captures { captures?.close() } }
        didSet { record(captures) }
    }

    private let record: (Captures?) -> Void
    private let drawsSecrets: Bool
    private var clients: [Int: DeviceID] = [:]

    /// - Parameters:
    ///   - drawsSecrets: whether keys are drawn from the system rather than from the seed, which is for tests.
    ///   - record: has the world observed by captures, or by none.
    package init(_ world: World, drawsSecrets: Bool = true, record: @escaping (Captures?) -> Void) {
        self.world = world
        self.drawsSecrets = drawsSecrets
        self.record = record
    }

    // MARK: Time

    /// When something is to be done: an event of the world, or captures that are to be written out.
    package var nextEventInstant: Instant? {
        guard let flush = captures?.flushDeadline else { return world.nextEventInstant }
        return min(world.nextEventInstant ?? flush, flush)
    }

    /// Writes captures out if it is time for that.
    package func flushCaptures(at instant: Instant) {
        if let flush = captures?.flushDeadline, flush <= instant { captures?.flush() }
    }

    // MARK: Controllers

    /// A secret for one more controller or host; nil where secrets come from the seed.
    package var freshSecret: Block128? { drawsSecrets ? .fromSystem() : nil }

    /// The controller of the next device: with the address that is its turn.
    package var nextController: ControllerConfiguration {
        var configuration = ControllerConfiguration(publicAddress: world.defaultAddress(of: world.nextID.rawValue))
        configuration.secret = freshSecret
        return configuration
    }

    // MARK: Hosts outside

    /// What a host outside sends. With its first packet it gets a controller of its own: one that only connects costs
    /// the world nothing. `add` puts that controller into the world.
    package func receive(_ packets: [[UInt8]], from client: Int, add: () -> DeviceID) {
        if clients[client] == nil { clients[client] = add() }
        receive(packets, from: client)
    }

    /// A host outside has this controller.
    package func attach(_ client: Int, to controller: DeviceID) { clients[client] = controller }

    /// What a host sends that has a controller; without one it is lost.
    package func receive(_ packets: [[UInt8]], from client: Int) {
        guard let id = clients[client] else { return }
        for packet in packets { world.receive(hci: packet, for: id) }
    }

    /// A host outside has gone. Its controller ends its connections, as a phone does for an app that is gone; with
    /// `silently` it vanishes in the middle of them, as a device without power. `remove` takes it out of the world then;
    /// nothing is called if the host never had one.
    package func detach(_ client: Int, silently: Bool = false, remove: @escaping (DeviceID) -> Void) {
        guard let id = clients.removeValue(forKey: client) else { return }
        if silently { remove(id) } else { world.loseHost(of: id) { _ in remove(id) } }
    }

    /// The captures are complete.
    package func close() { captures = nil }
}
