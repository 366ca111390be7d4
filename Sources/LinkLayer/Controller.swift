import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
public import RadioMedium
public import VirtualTime

/// A Bluetooth LE controller: HCI packets in and out on one side, radio orders and receptions on the other.
///
/// It has no clock: every call brings the instant, on the controller's own clock, and the caller calls `expire` when
/// `nextDeadline` comes. It has one radio, which its activities share by the rules in `RadioSchedule`.
public final class Controller {
    public let configuration: ControllerConfiguration

    @exclusivity(unchecked)
    var random: ControllerRandom
    @exclusivity(unchecked)
    var masks = EventMasks()
    @exclusivity(unchecked)
    var randomAddress: DeviceAddress?
    @exclusivity(unchecked)
    var filterAcceptList = FilterAcceptList()
    @exclusivity(unchecked)
    var resolvingList = ResolvingList()
    /// Channels the host has not called bad.
    @exclusivity(unchecked)
    var hostChannels = ChannelMap.all
    /// What new connections begin with: LE Write Suggested Default Data Length.
    @exclusivity(unchecked)
    var suggestedTransmitOctets = DataLength.leastOctets
    @exclusivity(unchecked)
    var suggestedTransmitTime = DataLength.leastTime

    /// What new connections begin with: LE Set Default PHY.
    @exclusivity(unchecked)
    var defaultPHYs = PHYPreference()

    /// Connections by slot; a connection's handle is its slot.
    @exclusivity(unchecked)
    var connections: [ConnectionBox?] = []
    @exclusivity(unchecked)
    var connectionCount = 0
    /// Packets of the host that are in the buffers, over all connections.
    @exclusivity(unchecked)
    var bufferedPackets = 0

    /// The pair that LE Read Local P-256 Public Key made last.
    @exclusivity(unchecked)
    var keyPair: P256KeyPair?

    @exclusivity(unchecked)
    var advertiser = Advertiser()
    @exclusivity(unchecked)
    var scanner: Scanner?
    @exclusivity(unchecked)
    var scanParameters = ScanParameters()
    @exclusivity(unchecked)
    var initiator: Initiator?
    /// How far scanning and initiating are, while they have the radio.
    @exclusivity(unchecked)
    var observation = Observation.listening
    /// When scanning or initiating had the radio last.
    @exclusivity(unchecked)
    var lastObserved = Instant.zero
    /// What the radio is used for.
    @exclusivity(unchecked)
    var agenda = RadioAgenda()
    @exclusivity(unchecked)
    var deadlines = Deadlines<ControllerTimer>()

    public init(configuration: ControllerConfiguration, seed: UInt64, device: UInt64) {
        precondition(1...32 ~= configuration.connectionLimit, "a controller has 1 to 32 connections")
        self.configuration = configuration
        random = ControllerRandom(seed: seed, device: device, secret: configuration.secret)
    }

    // MARK: From the host

    /// An HCI packet of the host, H4 indicator first. Whatever its bytes, the worst that comes of it is an error event.
    public func receive(hci packet: [UInt8], at now: Instant, into actions: inout ControllerActions) {
        switch packet.first.flatMap(PacketIndicator.init(rawValue:)) {
        case .acl:
            receiveData(packet, at: now, into: &actions)
        case .command:
            receiveCommand(packet, at: now, into: &actions)
        case .synchronous, .isochronous, .event, nil:
            // No such traffic goes from a host to an LE controller without isochronous channels.
            break
        }
    }

    // MARK: From the radio

    /// The frame ordered last has gone out.
    public func transmitted(at now: Instant, into actions: inout ControllerActions) {
        agenda.holder?.transmitted(in: self, at: now, into: &actions)
    }

    /// A frame came while listening.
    public func received(_ reception: Reception, at now: Instant, into actions: inout ControllerActions) {
        agenda.holder?.received(reception, in: self, at: now, into: &actions)
    }

    /// The time to listen passed without a frame.
    public func heardNothing(at now: Instant, into actions: inout ControllerActions) {
        agenda.holder?.heardNothing(in: self, at: now, into: &actions)
    }

    // MARK: Time

    /// When `expire` must be called; nil if nothing is waiting. It is the earliest of what the tables of the controller's
    /// parts hold.
    public var nextDeadline: Instant? {
        var next = deadlines.next ?? .distantFuture
        // Not by way of a method of the advertiser, which would copy it, data and all.
        if let deadline = advertiser.deadlines.next, deadline < next { next = deadline }
        for index in connections.indices {
            if let deadline = connections[index]?.connection.deadlines.next, deadline < next { next = deadline }
        }
        if agenda.isExtended, let deadline = agenda.nextDeadline(in: self), deadline < next { next = deadline }
        return next == .distantFuture ? nil : next
    }

    /// Does what is due.
    public func expire(at now: Instant, into actions: inout ControllerActions) {
        while let timer = deadlines.popExpired(at: now) {
            switch timer {
            case .turnaround: agenda.holder?.takeTurn(in: self, at: now, into: &actions)
            // Below, since other activities have the radio first.
            case .observation: break
            }
        }
        for slot in connections.indices {
            while let timer = connections[slot]?.connection.popExpired(at: now) {
                switch timer {
                case .event: requestEvent(connection: slot, at: now, into: &actions)
                case .supervision, .localProcedure, .remoteProcedure, .authenticatedPayload:
                    expire(timer, connection: slot, at: now, into: &actions)
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
    func send(_ event: Event, into actions: inout ControllerActions) {
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
    /// Private addresses: whoever sees one must not be able to tell the next.
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
