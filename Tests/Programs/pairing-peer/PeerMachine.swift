import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHCITransports
import BluethroatHost
import BluethroatKeyFobConsole
import BluethroatLiveLoop
import BluethroatVirtualTime

/// The host, as a machine that a live loop can run. Everything that happens becomes a line.
final class PeerMachine: TimedMachine {
    let host: Host
    var options: PeerOptions
    private(set) var present = Instant.zero
    /// The last connection that was made, while there is one.
    var connection: ConnectionID?
    private var actions = HostActions()
    private var send: ([UInt8]) -> Void = { _ in }
    private let tell: (String) -> Void

    init(_ options: PeerOptions, tell: @escaping (String) -> Void) {
        self.options = options
        self.tell = tell
        host = Host(configuration: options.configuration)
    }

    func attach(_ send: @escaping ([UInt8]) -> Void) { self.send = send }

    func start() {
        order { host, now, actions in
            _ = try host.addServices([Self.service], at: now, into: &actions)
            host.powerOn(at: now, into: &actions)
        }
    }

    var nextEventInstant: Instant? { host.nextDeadline }

    func run(until instant: Instant) {
        while let next = host.nextDeadline, next <= instant {
            present = max(present, next)
            host.expire(at: present, into: &actions)
            carryOut()
        }
        present = max(present, instant)
    }

    func receive(_ packets: [[UInt8]]) {
        for packet in packets { host.receive(hci: packet, at: present, into: &actions) }
        carryOut()
    }

    /// Gives the host an order. A refusal is a line.
    func order(_ order: (Host, Instant, inout HostActions) throws -> Void) {
        do { try order(host, present, &actions) } catch { say("error") { $0.add("message", "\(error)") } }
        carryOut()
    }

    func say(_ event: String, _ more: (inout JSONLine) -> Void = { _ in }) {
        var line = JSONLine(event: event, time: present)
        more(&line)
        tell(line.text)
    }

    private func carryOut() {
        for packet in actions.packets { send(packet) }
        let events = actions.events
        actions.removeAll()
        for event in events { tell(of: event) }
    }

    /// A value for each way to be guarded, readable and writable, from handle 3 on, two handles apart; then one that is
    /// written with a signature.
    private static var service: ServiceDefinition {
        let guards: [AttributeAccess] = [
            .open, .encrypted, .authenticated, .secureConnections, .authorized,
            AttributeAccess(security: .encrypted, minimumKeySize: 16),
        ]
        let guarded = guards.enumerated().map { number, access in
            CharacteristicDefinition(
                BluetoothUUID(UInt16(0xAA01 + number)),
                properties: [.read, .write],
                permissions: AttributePermissions(read: access, write: access),
                value: Array("value \(number)".utf8)
            )
        }
        let signed = CharacteristicDefinition(0xAA10, properties: .authenticatedSignedWrites, value: [0])
        return ServiceDefinition(0xAA00, characteristics: guarded + [signed])
    }
}
