import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// The machine behind a `Controller`: what it knows, and what its activities do.
///
/// It cannot be copied, so that looking at it never costs a copy of it.
struct ControllerCore: ~Copyable {
    let configuration: ControllerConfiguration

    var random: ControllerRandom
    var masks = EventMasks()
    var randomAddress: DeviceAddress?
    var filterAcceptList = FilterAcceptList()
    var resolvingList = ResolvingList()
    /// Channels the host has not called bad.
    var hostChannels = ChannelMap.all
    /// What new connections begin with: LE Write Suggested Default Data Length.
    var suggestedTransmitOctets = DataLength.leastOctets
    var suggestedTransmitTime = DataLength.leastTime

    /// What new connections begin with: LE Set Default PHY.
    var defaultPHYs = PHYPreference()

    /// Connections by slot; a connection's handle is its slot.
    var connections: [ConnectionBox?] = []
    var connectionCount = 0
    /// Packets of the host that are in the buffers, over all connections.
    var bufferedPackets = 0

    /// The pair that LE Read Local P-256 Public Key made last.
    var keyPair: P256KeyPair?

    var advertiser = Advertiser()
    var scanner: Scanner?
    var scanParameters = ScanParameters()
    var initiator: Initiator?
    /// How far scanning and initiating are, while they have the radio.
    var observation = Observation.listening
    /// When scanning or initiating had the radio last.
    var lastObserved = Instant.zero
    /// What the radio is used for.
    var agenda = RadioAgenda()
    var deadlines = Deadlines<ControllerTimer>()

    init(configuration: ControllerConfiguration, random: ControllerRandom) {
        self.configuration = configuration
        self.random = random
    }

    // MARK: Time

    /// When `expire` must be called; nil if nothing is waiting. It is the earliest of what the tables of the controller's
    /// parts hold.
    ///
    /// Nothing changes; but the optimizer copies a value that a getter borrows.
    var nextDeadline: Instant? {
        mutating get {
            var next = deadlines.next ?? .distantFuture
            if let deadline = advertiser.deadlines.next, deadline < next { next = deadline }
            for index in connections.indices {
                if let deadline = connections[index]?.connection.deadlines.next, deadline < next { next = deadline }
            }
            if agenda.isExtended {
                let agenda = agenda
                if let deadline = agenda.nextDeadline(in: &self), deadline < next { next = deadline }
            }
            return next == .distantFuture ? nil : next
        }
    }

    /// Does what is due.
    mutating func expire(at now: Instant, into actions: inout ControllerActions) {
        while let timer = deadlines.popExpired(at: now) {
            switch timer {
            case .turnaround: agenda.holder?.takeTurn(in: &self, at: now, into: &actions)
            // Below, since other activities have the radio first.
            case .observation: break
            }
        }
        for slot in connections.indices {
            while let box = connections[slot], let timer = box.connection.popExpired(at: now) {
                switch timer {
                case .event: requestEvent(of: box, at: now, into: &actions)
                case .supervision, .localProcedure, .remoteProcedure, .authenticatedPayload:
                    expire(timer, of: box, at: now, into: &actions)
                }
            }
        }
        serveAdded(at: now, into: &actions)
        advertiser.popExpired(at: now)
        goOnAdvertising(at: now, into: &actions)
        if agenda.isFree { observe(at: now, into: &actions) }
    }

    // MARK: To the host

    /// Sends an event unless the host has masked it.
    mutating func send(_ event: Event, into actions: inout ControllerActions) {
        guard masks.allow(event) else { return }
        actions.packets.append(event.packet())
    }
}

/// The timers of a controller beside those of its advertiser and its connections.
enum ControllerTimer: Comparable, Sendable {
    /// The space between two frames is over: it is our turn to transmit.
    case turnaround
    /// A window for scanning or initiating opens, and the radio has nothing else to do.
    case observation
}

/// A controller's streams of random numbers, one for each purpose.
struct ControllerRandom: Sendable {
    var advertisingDelay: SeededRandom
    var backoff: SeededRandom
    var connection: SeededRandom
    /// Session keys, private keys, and what the host is given.
    var secret: CipherRandom
    /// Private addresses: a device that sees one must not be able to compute the next.
    var addresses: CipherRandom

    init(seed: UInt64, device: UInt64, secret: Block128?) {
        advertisingDelay = SeededRandom(seed: seed, device: device, purpose: "advertising delay")
        backoff = SeededRandom(seed: seed, device: device, purpose: "scan backoff")
        connection = SeededRandom(seed: seed, device: device, purpose: "new connections")
        var seeded = SeededRandom(seed: seed, device: device, purpose: "secrets of a controller")
        self.secret = secret.map { CipherRandom(key: $0) } ?? CipherRandom(from: &seeded)
        addresses = CipherRandom(from: &self.secret)
    }
}
