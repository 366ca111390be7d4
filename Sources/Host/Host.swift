internal import BluetoothCrypto
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

    // What every packet touches. Debug builds check that no two accesses to one of these overlap; release builds,
    // where the checks would cost a third of a packet's time, rely on the tests having found none.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var phase = Phase.off
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var gap: GAPMachines {
        didSet { gapDeadline = gap.deadlineInPlace() }
    }
    /// When GAP has something to do by itself; kept, since it is asked for far more often than it changes.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var gapDeadline = Instant.distantFuture
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var pipeline: CommandPipeline
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var connections = ConnectionTable()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var buffers = ControllerBuffers(packetLength: 0, count: 0)
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var att: ATTLayer
    /// What the ATT layer wants done; kept for its storage, empty between calls.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var attActions = ATTActions()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var security: SecurityLayer
    /// What the Security Manager wants done; empty between calls.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var securityActions = SecurityActions()
    /// When the first pairing is given up that rests.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var securityDeadline = Instant.distantFuture
    /// The slot whose turn it is when buffers come free.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var turn = 0
    /// When the first answer on any signalling channel is overdue.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
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
    public internal(set) var bondStoreError: BondStoreError?
    /// What makes this host's private addresses.
    let identityResolvingKey: Block128

    var lastCommand: UInt32 = 0

    /// A host that is switched off. It reads its bonds when it comes up and knows who it is.
    public init(configuration: HostConfiguration, bonds: any BondStore = MemoryBondStore()) {
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

    /// Takes note that the controller is gone, and with it all that was under way. `powerOn` tries another one.
    public func loseController(at now: Instant, into actions: inout HostActions) {
        guard phase == .up || phase == .starting else { return }
        fail(.controllerLost, at: now, into: &actions)
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
            earliest = min(earliest, gapDeadline, signallingDeadline, securityDeadline, att.earliestDeadline())
        }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Does what is due at `now`.
    public func expire(at now: Instant, into actions: inout HostActions) {
        if let (opcode, owners) = pipeline.skipOverdue(at: now) {
            for owner in owners { noAnswer(for: owner, opcode: Opcode(rawValue: opcode), at: now, into: &actions) }
        }
        if let opcode = pipeline.overdue(at: now) {
            return fail(.commandTimeout(opcode: opcode), at: now, into: &actions)
        }
        guard phase == .up else { return }
        gap.expire(at: now, commands: &pipeline, events: &actions.events)
        expireAnswer(at: now, into: &actions)
        settle(at: now, into: &actions)
        expireSignalling(at: now, into: &actions)
        expireSecurity(at: now, into: &actions)
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
