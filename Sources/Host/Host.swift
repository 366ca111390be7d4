internal import BluetoothValues
internal import HCI
public import VirtualTime

/// A Bluetooth LE host over one controller: GAP, L2CAP, ATT and GATT.
///
/// It meets the controller as HCI packets only, so that any controller will do: a virtual one, a foreign
/// simulator, a dongle. It is told what happened and when, and answers with actions; it has no threads and no
/// clock. Orders that cannot be taken throw; orders that were taken are answered by events.
public final class Host {
    /// How far the controller is.
    enum Phase: Equatable {
        case off
        case starting
        case up
        case failed
    }

    public let configuration: HostConfiguration

    /// What was learned about the controller; nil unless the host is up.
    public var identity: HostIdentity? { phase == .up ? findings.identity : nil }

    var phase = Phase.off
    var pipeline: CommandPipeline
    var startup: Startup
    var findings: ControllerFindings
    let staticAddress: DeviceAddress

    var advertiser = Advertiser()
    var scanner = Scanner()
    var initiator = Initiator()
    var filterAcceptList = FilterAcceptList()

    var connections = ConnectionTable()
    var buffers = ControllerBuffers(packetLength: 0, count: 0)
    /// The slot whose turn it is when buffers come free.
    var turn = 0

    var att: ATTLayer
    /// What the ATT layer wants done; kept for its storage, empty between calls.
    var attActions = ATTActions()

    var lastCommand: UInt32 = 0

    /// A host that is switched off.
    public init(configuration: HostConfiguration) {
        self.configuration = configuration
        staticAddress = configuration.staticAddress ?? Self.drawStaticAddress(configuration)
        pipeline = CommandPipeline(timeout: configuration.commandTimeout)
        startup = Startup(staticAddress: staticAddress)
        findings = startup.findings
        att = ATTLayer(maximumMTU: min(max(configuration.maximumATTMTU, 23), 517))
    }

    /// Brings the controller up from whatever state it is in. Ends with `poweredOn` or `startFailed`. A host that is up
    /// is switched off first.
    public func powerOn(at now: Instant, into actions: inout HostActions) {
        endEverything(.switchedOff, at: now, into: &actions)
        start(at: now, into: &actions)
    }

    /// Ends everything, with an event each, and leaves the controller reset and silent.
    public func powerOff(at now: Instant, into actions: inout HostActions) {
        guard phase != .off else { return }
        endEverything(.switchedOff, at: now, into: &actions)
        phase = .off
        pipeline.submit(Command.reset.packet(), for: .nobody)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Takes in a packet from the controller, with its H4 indicator as the first byte. Whatever it holds, the host goes
    /// on; bytes that make no sense are told of and ignored.
    public func receive(hci packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        switch packet.first {
        case PacketIndicator.acl.rawValue: receive(acl: packet, at: now, into: &actions)
        case PacketIndicator.event.rawValue: receive(event: packet, at: now, into: &actions)
        case PacketIndicator.synchronous.rawValue, PacketIndicator.isochronous.rawValue: break
        case let other: actions.events.append(.malformedPacket(.packetType(other)))
        }
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// When `expire` wants to be called next, if nothing else happens before.
    public var nextDeadline: Instant? {
        var earliest = pipeline.deadline ?? .distantFuture
        if phase == .up {
            if let deadline = advertiser.deadline { earliest = min(earliest, deadline) }
            if let deadline = scanner.deadline { earliest = min(earliest, deadline) }
            if let deadline = initiator.deadline { earliest = min(earliest, deadline) }
            if let deadline = connections.deadline { earliest = min(earliest, deadline) }
            if let deadline = att.nextDeadline { earliest = min(earliest, deadline) }
        }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Does what is due at `now`.
    public func expire(at now: Instant, into actions: inout HostActions) {
        if let opcode = pipeline.overdue(at: now) {
            return fail(.commandTimeout(opcode: opcode), at: now, into: &actions)
        }
        guard phase == .up else { return }
        advertiser.expire(at: now, commands: &pipeline)
        scanner.expire(at: now, commands: &pipeline)
        initiator.expire(at: now, commands: &pipeline, events: &actions.events)
        for slot in 0..<connections.slotCount where connections.isOpen(slot) {
            if connections[slot].signalling.expire(at: now) {
                actions.events.append(.parameterUpdateCompleted(connections[slot].id, .timeout))
            }
        }
        att.expire(at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// A static random address from the seed. Core 6.0, Vol 6, Part B, 1.3.2.1.
    private static func drawStaticAddress(_ configuration: HostConfiguration) -> DeviceAddress {
        var random = SeededRandom(seed: configuration.seed, device: configuration.device, purpose: "static address")
        // The 46 random bits may be neither all zeroes nor all ones.
        let bits = 1 + random.next(below: (1 << 46) - 2)
        return DeviceAddress(value: 0b11 << 46 | bits, kind: .random)
    }
}

/// The same class under a name that stays clear where Foundation, which has a `Host` of its own, is imported too.
public typealias BluetoothHost = Host
