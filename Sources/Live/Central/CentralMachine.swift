import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHCITransports
import BluethroatHost
import BluethroatLiveLoop
import BluethroatSimulation
import BluethroatVirtualTime

/// What a central has to react to, in the order in which it happened.
enum CentralInput: Sendable {
    case host(HostEvent, at: Instant)
    /// The alarm with this number has gone off.
    case alarm(Int)
    /// The link to the controller is no more.
    case linkEnded(HCITransportEnd)
    /// A line of standard input; nil at its end.
    case line(String?)
    /// The command is asked to end.
    case askedToEnd
    /// A piece of standard input; an empty one is its end.
    case input([UInt8])
    /// A capture cannot be written any more.
    case captureFailed(OperationFailure)
}

/// Our host on a controller outside of this process, as a machine that a live loop can run.
final class CentralMachine: TimedMachine {
    let host: Host
    /// Where bonds are kept, if they are.
    let bonds: NamedBonds?
    private(set) var present = Instant.zero
    private var actions = HostActions()
    private var send: ([UInt8]) -> Void = { _ in }
    private let captures: Captures?
    private let tell: (CentralInput) -> Void
    private var alarm: (instant: Instant, number: Int)?

    /// `tell` receives everything that happens.
    init(
        _ configuration: HostConfiguration,
        bonds: NamedBonds? = nil,
        captures: Captures? = nil,
        tell: @escaping (CentralInput) -> Void
    ) {
        host = bonds.map { Host(configuration: configuration, bonds: $0) } ?? Host(configuration: configuration)
        self.bonds = bonds
        self.captures = captures
        captures?.loggedDevice = Self.device
        self.tell = tell
    }

    /// Says where packets for the controller go.
    func attach(_ send: @escaping ([UInt8]) -> Void) {
        self.send = send
        captures?.begin()
    }

    /// No controller was found.
    func discardCaptures() { captures?.discard() }

    /// What captures call this side.
    private static let device = DeviceID(rawValue: 0)

    var nextEventInstant: Instant? {
        [host.nextDeadline, alarm?.instant, captures?.flushDeadline].compactMap(\.self).min()
    }

    /// Says `alarm` after so long; there is one alarm at a time.
    func setAlarm(_ number: Int, in patience: TimeSpan) { alarm = (present + patience, number) }

    func cancelAlarm() { alarm = nil }

    func run(until instant: Instant) {
        while let next = nextEventInstant, next <= instant {
            present = max(present, next)
            if let alarm, alarm.instant <= present {
                self.alarm = nil
                tell(.alarm(alarm.number))
            } else if let flush = captures?.flushDeadline, flush <= present {
                captures?.flush()
            } else {
                host.expire(at: present, into: &actions)
                carryOut()
            }
        }
        present = max(present, instant)
    }

    /// Processes packets from the controller.
    func receive(_ packets: [[UInt8]]) {
        for packet in packets {
            captures?.hci(packet, fromHost: false, of: Self.device, at: present)
            host.receive(hci: packet, at: present, into: &actions)
        }
        carryOut()
    }

    /// Gives the host an order.
    func order<Answer, Failure: Error>(
        _ order: (Host, Instant, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        defer { carryOut() }
        return try order(host, present, &actions)
    }

    /// Nothing more is recorded. Answers why what was is not whole.
    func closeCaptures() -> OperationFailure? {
        captures?.close()
        return captures?.failure.map { OperationFailure("\($0)") }
    }

    private func carryOut() {
        for packet in actions.packets {
            captures?.hci(packet, fromHost: true, of: Self.device, at: present)
            send(packet)
        }
        for event in actions.events { tell(.host(event, at: present)) }
        actions.removeAll()
    }
}
