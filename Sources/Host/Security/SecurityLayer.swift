internal import BluetoothCrypto
internal import BluetoothValues
internal import VirtualTime

/// All that a host keeps for the security of its links: the Security Manager with its pairings, and the keys in use.
struct SecurityLayer {
    var manager: SecurityManager
    private(set) var links: [SecuredLink] = []

    init(_ configuration: HostConfiguration) {
        manager = SecurityManager(
            settings: configuration.pairing,
            identity: nil,
            random: CipherRandom(configuration)
        )
    }

    func index(of connection: ConnectionID) -> Int? { links.firstIndex { $0.id == connection } }

    func link(of connection: ConnectionID) -> SecuredLink? { index(of: connection).map { links[$0] } }

    // `get` and not `_read`: in debug builds the compiler reads an optional on the left of `??` from what a `_read`
    // accessor has freed already.
    subscript(index: Int) -> SecuredLink {
        get { links[index] }
        _modify { yield &links[index] }
    }

    mutating func open(_ link: SecuredLink) {
        links.append(link)
        manager.open(
            link.id,
            role: link.role,
            own: link.own,
            peer: link.peer,
            peerIdentity: link.identity == link.peer ? nil : link.identity
        )
    }

    mutating func close(_ connection: ConnectionID, at now: Instant, into actions: inout SecurityActions) {
        links.removeAll { $0.id == connection }
        manager.close(connection, at: now, into: &actions)
    }
}

extension CipherRandom {
    /// From the secret of a host, and where it has none from its seed. The seed counts in either case: a device that
    /// keeps its secret for years never draws the same numbers twice as long as it starts with another seed each time.
    init(_ configuration: HostConfiguration) {
        var random = SeededRandom(seed: configuration.seed, device: configuration.device, purpose: "pairing")
        let seeded = Block128(high: random.next(), low: random.next())
        self.init(key: configuration.secret.map { AESBlock.encrypt(key: $0, plaintext: seeded) } ?? seeded)
    }
}
