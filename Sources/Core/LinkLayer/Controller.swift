import BluethroatBluetoothValues
import BluethroatHCI
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// A Bluetooth LE controller: HCI packets in and out on one side, radio orders and receptions on the other.
///
/// It has no clock: every call brings the instant, on the controller's own clock, and the caller calls `expire` when
/// `nextDeadline` comes. It has one radio, which its activities share by the rules in `RadioSchedule`.
///
/// This class is the way in and out, and `ControllerCore` is the machine.
public final class Controller {
    public var configuration: ControllerConfiguration { core.configuration }
    // One access for each call from outside. Debug builds check that no two overlap; release builds rely on the tests
    // having found none.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var core: ControllerCore

    public init(configuration: ControllerConfiguration, seed: UInt64, device: UInt64) {
        precondition(1...32 ~= configuration.connectionLimit, "a controller has 1 to 32 connections")
        core = ControllerCore(
            configuration: configuration,
            random: ControllerRandom(seed: seed, device: device, secret: configuration.secret)
        )
    }

    // MARK: From the host

    /// An HCI packet of the host, H4 indicator first. Whatever its bytes, the worst that comes of it is an error event.
    public func receive(hci packet: [UInt8], at now: Instant, into actions: inout ControllerActions) {
        switch packet.first.flatMap(PacketIndicator.init(rawValue:)) {
        case .acl:
            core.receiveData(packet, at: now, into: &actions)
        case .command:
            core.receiveCommand(packet, at: now, into: &actions)
        case .synchronous, .isochronous, .event, nil:
            // No such traffic goes from a host to an LE controller without isochronous channels.
            break
        }
    }

    /// The host has gone without a word. As if it had asked for that, advertising, scanning and connecting end, and so do
    /// all connections, for the reason that a user ended them (0x13).
    public func loseHost(at now: Instant, into actions: inout ControllerActions) {
        let answers = actions.packets.count
        var orders: [Command] = [
            .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)),
            .leSetScanEnable(LESetScanEnable(isEnabled: false, filtersDuplicates: false)),
            .leCreateConnectionCancel,
        ]
        for handle in core.connectedHandles {
            orders.append(.disconnect(Disconnect(connection: handle, reason: .remoteUserTerminatedConnection)))
        }
        for order in orders { core.receiveCommand(order.packet(), at: now, into: &actions) }
        // Nobody has asked.
        actions.packets.removeLast(actions.packets.count - answers)
    }

    /// Whether there is a connection, be it one that is being ended.
    public var isConnected: Bool { !core.connectedHandles.isEmpty }

    // MARK: From the radio

    /// The frame ordered last has gone out.
    public func transmitted(at now: Instant, into actions: inout ControllerActions) {
        core.agenda.holder?.transmitted(in: &core, at: now, into: &actions)
    }

    /// A frame came while listening.
    public func received(_ reception: Reception, at now: Instant, into actions: inout ControllerActions) {
        core.agenda.holder?.received(reception, in: &core, at: now, into: &actions)
    }

    /// The time to listen passed without a frame.
    public func heardNothing(at now: Instant, into actions: inout ControllerActions) {
        core.agenda.holder?.heardNothing(in: &core, at: now, into: &actions)
    }

    // MARK: Time

    /// When `expire` must be called; nil if nothing is waiting.
    public var nextDeadline: Instant? { core.nextDeadline }

    /// Does what is due.
    public func expire(at now: Instant, into actions: inout ControllerActions) {
        core.expire(at: now, into: &actions)
    }
}

extension ControllerCore {
    /// Data of the host. What no buffer has room for is dropped, and the host has a Data Buffer Overflow event of it.
    /// What is for no connection is dropped without one: where the connection has ended, Disconnection Complete says
    /// that its packets are gone, and its buffers are free. Vol 4, Part E, 4.1.1, 7.7.26.
    mutating func receiveData(_ packet: [UInt8], at now: Instant, into actions: inout ControllerActions) {
        var bytes = packet.span.bytes
        guard let header = try? ACLHeader(parsing: &bytes), let box = connection(header.handle) else { return }
        guard header.dataLength <= Int(configuration.aclDataLength),
            bufferedPackets < Int(configuration.aclPacketCount)
        else { return send(.dataBufferOverflow(DataBufferOverflow(link: .acl)), into: &actions) }
        bufferedPackets += 1
        guard header.dataLength > 0 else {
            // Nothing of it goes on the air: it is done with.
            box.connection.queue.discardData()
            return reportCompleted(box, into: &actions)
        }
        // Nor does anything of it where the connection is ending, which Disconnection Complete says of it. A host that heard of
        // completed packets before could send new ones for ever.
        guard !box.connection.isTerminating, !box.connection.procedures.isPeerTerminating else {
            return box.connection.queue.withholdData()
        }
        box.connection.queue.append(data: packet)
        box.connection.wake(at: now)
    }
}
