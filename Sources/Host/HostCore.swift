internal import BluetoothCrypto
internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// The machine behind a `Host`: its layers, and what passes between them.
///
/// It cannot be copied, so that looking at it never costs a copy of it.
struct HostCore: ~Copyable {
    /// How far the controller is.
    enum Phase: Equatable {
        case off
        case starting
        case up
        case failed
    }

    let configuration: HostConfiguration

    var phase = Phase.off
    var gap: GAPMachines
    var pipeline: CommandPipeline
    var connections = ConnectionTable()
    var buffers = ControllerBuffers(packetLength: 0, count: 0)
    var att: ATTLayer
    /// What the ATT layer wants done; kept for its storage, empty between calls.
    var attActions = ATTActions()
    var security: SecurityLayer
    /// What the Security Manager wants done; empty between calls.
    var securityActions = SecurityActions()
    /// When the first pairing is given up that rests.
    var securityDeadline = Instant.distantFuture
    /// The slot whose turn it is when buffers come free.
    var turn = 0
    /// When the first answer on any signalling channel is overdue.
    var signallingDeadline = Instant.distantFuture

    /// The services that peers may open L2CAP channels to.
    var channelListeners: [ChannelListener] = []

    var startup: Startup
    var findings: ControllerFindings
    let staticAddress: DeviceAddress

    let bondStore: any BondStore
    /// The bonds of this host's identity, in the order of their peers; empty unless the host is up.
    var knownBonds: [Bond] = []
    var resolver = AddressResolver()
    /// Why the bonds could not be read when the host came up; nil if they were.
    var bondStoreError: BondStoreError?
    /// What makes this host's private addresses.
    let identityResolvingKey: Block128

    var lastCommand: UInt32 = 0

    /// What was learned about the controller; nil unless the host is up.
    var identity: HostIdentity? { phase == .up ? findings.identity : nil }

    init(configuration: HostConfiguration, bonds: any BondStore) {
        self.configuration = configuration
        staticAddress = configuration.staticAddress ?? Self.drawStaticAddress(configuration)
        bondStore = bonds
        identityResolvingKey = configuration.identityResolvingKey ?? configuration.drawIdentityResolvingKey()
        pipeline = CommandPipeline(timeout: configuration.commandTimeout)
        let random = RandomAddress(
            staticAddress: staticAddress,
            resolvingKey: identityResolvingKey,
            random: configuration.secretRandom(for: .privateAddresses)
        )
        gap = GAPMachines(privacy: PrivacyMachine(random: random), rotation: configuration.privacy.rotation)
        startup = Startup(
            staticAddress: staticAddress,
            prefersStaticAddress: configuration.prefersStaticAddress,
            usesResolvingList: configuration.privacy.usesResolvingList,
            defaultPHYs: configuration.defaultPHYs
        )
        findings = startup.findings
        security = SecurityLayer(configuration)
        att = ATTLayer(maximumMTU: min(max(configuration.maximumATTMTU, 23), 517))
    }

    mutating func powerOn(at now: Instant, into actions: inout HostActions) {
        endEverything(.switchedOff, at: now, into: &actions)
        start(at: now, into: &actions)
    }

    mutating func powerOff(at now: Instant, into actions: inout HostActions) {
        guard phase != .off else { return }
        endEverything(.switchedOff, at: now, into: &actions)
        phase = .off
        pipeline.submit(Command.reset.packet(), for: .nobody)
    }

    mutating func loseController(at now: Instant, into actions: inout HostActions) {
        guard phase == .up || phase == .starting else { return }
        fail(.controllerLost, at: now, into: &actions)
    }

    mutating func receive(hci packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        switch packet.first {
        case PacketIndicator.acl.rawValue: receive(acl: packet, at: now, into: &actions)
        case PacketIndicator.event.rawValue: receive(event: packet, at: now, into: &actions)
        case PacketIndicator.synchronous.rawValue, PacketIndicator.isochronous.rawValue: break
        case let other: actions.events.append(.malformedPacket(.packetType(other)))
        }
    }

    /// When `expire` wants to be called next; nil for never.
    var nextDeadline: Instant? {
        var earliest = pipeline.deadline ?? .distantFuture
        if phase == .up {
            earliest = min(earliest, gap.nextDeadline, signallingDeadline, securityDeadline, att.earliestDeadline())
        }
        return earliest == .distantFuture ? nil : earliest
    }

    mutating func expire(at now: Instant, into actions: inout HostActions) {
        if let (opcode, owners) = pipeline.skipOverdue(at: now) {
            for owner in owners { noAnswer(for: owner, opcode: Opcode(rawValue: opcode), at: now, into: &actions) }
        }
        if let opcode = pipeline.overdue(at: now) {
            return fail(.commandTimeout(opcode: opcode), at: now, into: &actions)
        }
        guard phase == .up else { return }
        gap.expire(at: now, commands: &pipeline, events: &actions.events)
        expireAnswer(at: now, into: &actions)
        expireSignalling(at: now, into: &actions)
        expireSecurity(at: now, into: &actions)
        att.expire(at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }

    /// The last thing of every call from outside.
    @inline(__always)
    mutating func leave(at now: Instant, into actions: inout HostActions) {
        if !gap.isSettled {
            settle(at: now, into: &actions)
            gap.isSettled = true
        }
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
