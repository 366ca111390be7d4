import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

/// A controller between two testers: the upper one sends HCI packets and reads events, the lower one puts frames on the
/// air at exact instants and sees every frame that the controller sends.
///
/// Time moves only in `run` and in what calls it. The air has no noise: a frame arrives if the controller listens on its
/// channel, to its access address, at the right time.
final class Bench {
    static let address = DeviceAddress(value: 0xB20E_0000_0001, kind: .public)
    static let testerAddress = DeviceAddress(value: 0xB20E_0000_0002, kind: .public)

    let controller: Controller
    private(set) var now = Instant.zero
    /// What the controller has told its host, and nobody has looked at yet.
    private(set) var packets: [[UInt8]] = []
    /// What the controller has sent, and nobody has looked at yet.
    private(set) var frames: [SentFrame] = []
    /// What the radio was told last.
    private(set) var radio = RadioState.idle
    /// The listening orders so far.
    private(set) var listenings: [ListenOrder] = []

    private var incoming: [IncomingFrame] = []
    private var stepsAtInstant = 0

    init(
        configuration: ControllerConfiguration = ControllerConfiguration(publicAddress: Bench.address),
        seed: UInt64 = 1,
        events: Bool = true
    ) throws {
        controller = Controller(configuration: configuration, seed: seed, device: 0)
        if events { try enableEvents() }
    }

    /// Lets every event through, but for those named.
    func enableEvents(except masked: LEEventMask = [.enhancedConnectionComplete]) throws {
        try succeed(.setEventMask(SetEventMask(mask: EventMask(rawValue: .max))))
        let mask = LEEventMask(rawValue: 0xF_FFFF).subtracting(masked)
        try succeed(.leSetEventMask(LESetEventMask(mask: mask)))
    }

    // MARK: Upper tester

    /// Sends bytes to the controller.
    func send(_ packet: [UInt8]) {
        var actions = ControllerActions()
        controller.receive(hci: packet, at: now, into: &actions)
        perform(actions)
    }

    /// Sends a command and answers the event that must come of it at once: Command Complete or Command Status.
    @discardableResult
    func command(_ command: Command) throws -> Event {
        let count = packets.count
        send(command.packet())
        try #require(packets.count > count, "no answer to \(command.opcode)")
        let answer = try Event(parsing: packets.remove(at: count))
        switch answer {
        case .commandComplete(let complete): try #require(complete.opcode == command.opcode)
        case .commandStatus(let status): try #require(status.opcode == command.opcode)
        default: Issue.record("\(answer) instead of an answer to \(command.opcode)")
        }
        return answer
    }

    /// The status with which a command is answered.
    func status(of command: Command) throws -> ControllerError {
        switch try self.command(command) {
        case .commandComplete(let complete): try #require(complete.status)
        case .commandStatus(let status): status.status
        default: .unspecifiedError
        }
    }

    func succeed(_ command: Command, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let status = try status(of: command)
        try #require(status == .success, "\(command.opcode)", sourceLocation: sourceLocation)
    }

    /// Takes the oldest packet for the host if it is an event.
    func nextEvent(sourceLocation: SourceLocation = #_sourceLocation) throws -> Event {
        try #require(!packets.isEmpty, "no event", sourceLocation: sourceLocation)
        return try Event(parsing: packets.removeFirst())
    }

    /// Runs until the host is told something, and takes the first of it.
    func nextEvent(within span: TimeSpan, sourceLocation: SourceLocation = #_sourceLocation) throws -> Event {
        run(for: span) { !packets.isEmpty }
        return try nextEvent(sourceLocation: sourceLocation)
    }

    /// All events that nobody has looked at.
    func takeEvents() throws -> [Event] {
        defer { packets.removeAll() }
        return try packets.filter { $0[0] == PacketIndicator.event.rawValue }.map { try Event(parsing: $0) }
    }

    /// The same without Number Of Completed Packets.
    func takeNews() throws -> [Event] {
        try takeEvents().filter { if case .numberOfCompletedPackets = $0 { false } else { true } }
    }

    func takePackets() -> [[UInt8]] {
        defer { packets.removeAll() }
        return packets
    }

    // MARK: Lower tester

    /// Puts a frame on the air at an instant to come.
    func transmit(
        _ frame: [UInt8],
        on channel: ChannelIndex,
        phy: PHY = .le1M,
        at start: Instant,
        strength: Int8 = -50
    ) {
        precondition(start >= now, "a frame cannot begin in the past")
        let end = start + AirTime.span(ofFrame: frame, phy: phy)
        incoming.append(
            IncomingFrame(channel: channel, phy: phy, start: start, end: end, strength: strength, frame: frame)
        )
        incoming.sort { $0.start < $1.start }
    }

    /// Runs until the controller has sent a frame, and takes the oldest.
    func nextFrame(within span: TimeSpan, sourceLocation: SourceLocation = #_sourceLocation) throws -> SentFrame {
        if frames.isEmpty { run(for: span) { !frames.isEmpty } }
        try #require(!frames.isEmpty, "no frame within \(span)", sourceLocation: sourceLocation)
        return frames.removeFirst()
    }

    /// Runs until the controller has sent a frame of a connection that began by an instant; nil if there is none.
    func nextFrame(of accessAddress: AccessAddress, startingBy limit: Instant) -> SentFrame? {
        while true {
            if let index = frames.firstIndex(where: { $0.accessAddress == accessAddress }) {
                return frames.remove(at: index)
            }
            if case .transmitting(let sent) = radio, sent.accessAddress == accessAddress {
                run(until: sent.end)
            } else if let next = nextInstant, next <= limit {
                step(to: next)
            } else {
                now = max(now, limit)
                return nil
            }
        }
    }

    func takeFrames() -> [SentFrame] {
        defer { frames.removeAll() }
        return frames
    }

    func forgetListenings() { listenings.removeAll() }

    // MARK: Time

    func run(for span: TimeSpan) { run(until: now + span) }

    func run(until end: Instant) {
        while let next = nextInstant, next <= end { step(to: next) }
        now = max(now, end)
    }

    @discardableResult
    func run(for span: TimeSpan, until condition: () -> Bool) -> Bool {
        let end = now + span
        while !condition() {
            guard let next = nextInstant, next <= end else {
                now = end
                return false
            }
            step(to: next)
        }
        return true
    }

    private var nextInstant: Instant? {
        var next = controller.nextDeadline ?? .distantFuture
        switch radio {
        case .idle: break
        case .transmitting(let sent): next = min(next, sent.end)
        case .receiving(let frame): next = min(next, frame.end)
        case .listening(let order):
            next = min(next, order.until)
            if let frame = incoming.first(where: { order.hears($0) }) { next = min(next, frame.start) }
        }
        return next == .distantFuture ? nil : max(next, now)
    }

    private func step(to instant: Instant) {
        stepsAtInstant = instant == now ? stepsAtInstant + 1 : 0
        precondition(stepsAtInstant < 1_000, "time stands still at \(now): radio \(radio)")
        now = instant
        var actions = ControllerActions()
        switch radio {
        case .transmitting(let sent) where sent.end <= now:
            radio = .idle
            frames.append(sent)
            controller.transmitted(at: now, into: &actions)
        case .receiving(let frame) where frame.end <= now:
            radio = .idle
            controller.received(frame.reception, at: now, into: &actions)
        case .listening(let order):
            if let index = incoming.firstIndex(where: { order.hears($0) && $0.start <= now }) {
                radio = .receiving(incoming.remove(at: index))
            } else if order.until <= now {
                radio = .idle
                controller.heardNothing(at: now, into: &actions)
            }
        default: break
        }
        perform(actions)
        if let deadline = controller.nextDeadline, deadline <= now {
            var actions = ControllerActions()
            controller.expire(at: now, into: &actions)
            perform(actions)
        }
        incoming.removeAll { $0.end < now }
    }

    private func perform(_ actions: ControllerActions) {
        packets += actions.packets
        for order in actions.radio {
            switch order {
            case .stop: radio = .idle
            case .transmit(let channel, let phy, _, let frame):
                let end = now + AirTime.span(ofFrame: frame, phy: phy)
                radio = .transmitting(SentFrame(channel: channel, phy: phy, start: now, end: end, frame: frame))
            case .listen(let channel, let phy, let accessAddress, let since, let until):
                let order = ListenOrder(
                    channel: channel,
                    phy: phy,
                    accessAddress: accessAddress,
                    since: since,
                    until: until
                )
                listenings.append(order)
                radio = .listening(order)
            }
        }
    }
}

/// What the radio under the controller does.
enum RadioState {
    case idle
    case transmitting(SentFrame)
    case listening(ListenOrder)
    case receiving(IncomingFrame)

    var isIdle: Bool { if case .idle = self { true } else { false } }
}

/// A frame that the controller has sent.
struct SentFrame {
    let channel: ChannelIndex
    let phy: PHY
    let start: Instant
    let end: Instant
    let frame: [UInt8]

    var accessAddress: AccessAddress { AirFrame.accessAddress(of: frame) }

    /// The frame as an advertising PDU, its CRC checked.
    func advertisingPDU(sourceLocation: SourceLocation = #_sourceLocation) throws -> AdvertisingPDU {
        try #require(accessAddress == .advertising, sourceLocation: sourceLocation)
        try #require(AirFrame.isWellFormed(frame), sourceLocation: sourceLocation)
        try #require(AirFrame.hasValidCRC(frame, crcInit: .advertising), sourceLocation: sourceLocation)
        return try AdvertisingPDU(frame: frame)
    }
}

struct ListenOrder {
    let channel: ChannelIndex
    let phy: PHY
    let accessAddress: AccessAddress
    let since: Instant
    let until: Instant

    func hears(_ frame: IncomingFrame) -> Bool {
        frame.channel == channel && frame.phy == phy && AirFrame.accessAddress(of: frame.frame) == accessAddress
            && frame.start >= since && frame.start <= until
    }
}

struct IncomingFrame {
    let channel: ChannelIndex
    let phy: PHY
    let start: Instant
    let end: Instant
    let strength: Int8
    let frame: [UInt8]

    var reception: Reception {
        Reception(
            channel: channel,
            phy: phy,
            start: start,
            end: end,
            strength: SignalStrength(dBm: strength),
            frame: frame
        )
    }
}
