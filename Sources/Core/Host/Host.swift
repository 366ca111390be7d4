internal import BluethroatHCI
public import BluethroatVirtualTime

/// A Bluetooth LE host over one controller: GAP, L2CAP, ATT and GATT.
///
/// It meets the controller as HCI packets only, so that any controller will do: a virtual one, a foreign simulator, a
/// dongle. Its caller reports what happened and when, and it answers with actions; it has no threads and no clock.
/// Orders that cannot be taken throw; orders that were taken are answered by events.
///
/// This class is the way in and out, and `HostCore` is the machine: every call that can change something goes through
/// `enter` or `change`.
public final class Host {
    // One access for each call from outside. Debug builds check that no two overlap; release builds rely on the tests
    // having found none.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private(set) var core: HostCore

    public var configuration: HostConfiguration { core.configuration }

    /// What was learned about the controller; nil unless the host is up.
    public var identity: HostIdentity? { core.identity }

    /// Why the bonds could not be read when the host came up; nil if they were.
    public var bondStoreError: BondStoreError? { core.bonds.storeError }

    /// A host that is switched off. It reads its bonds when it comes up and knows who it is.
    public init(configuration: HostConfiguration, bonds: any BondStore = MemoryBondStore()) {
        core = HostCore(configuration: configuration, bonds: bonds)
    }

    /// Brings the controller up from whatever state it is in. Ends with `poweredOn` or `startFailed`. A host that is up
    /// is switched off first.
    public func powerOn(at now: Instant, into actions: inout HostActions) {
        enter(at: now, into: &actions) { core, actions in core.powerOn(at: now, into: &actions) }
    }

    /// Ends everything, with an event each, and leaves the controller reset and silent.
    public func powerOff(at now: Instant, into actions: inout HostActions) {
        enter(at: now, into: &actions) { core, actions in core.powerOff(at: now, into: &actions) }
    }

    /// Takes note that the controller is gone, and with it all that was under way. `powerOn` tries another one.
    public func loseController(at now: Instant, into actions: inout HostActions) {
        enter(at: now, into: &actions) { core, actions in core.loseController(at: now, into: &actions) }
    }

    /// Receives a packet from the controller, with its H4 indicator as the first byte. Whatever it holds, the host goes on;
    /// bytes that make no sense are reported and ignored.
    public func receive(hci packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        enter(at: now, into: &actions) { core, actions in
            switch packet.first {
            case PacketIndicator.acl.rawValue: core.handleACLData(packet, at: now, into: &actions)
            case PacketIndicator.event.rawValue: core.handleEvent(packet, at: now, into: &actions)
            case PacketIndicator.synchronous.rawValue, PacketIndicator.isochronous.rawValue: break
            case let other: actions.events.append(.malformedPacket(.packetType(other)))
            }
        }
    }

    /// When `expire` is to be called next, if nothing else happens before.
    public var nextDeadline: Instant? { core.nextDeadline }

    /// Does what is due at `now`.
    public func expire(at now: Instant, into actions: inout HostActions) {
        enter(at: now, into: &actions) { core, actions in core.expire(at: now, into: &actions) }
    }

    /// Gives back what is kept only to be filled again: nothing is to be expected of this host for some time.
    package func giveBackStorage() { change { $0.giveBackStorage() } }

    /// The way in, and out again: whatever was done, and be it refused, addresses and scans are brought to what is
    /// requested now, and the controller is sent the next command if it takes one.
    @inline(__always)
    func enter<Answer, Failure: Error>(
        at now: Instant,
        into actions: inout HostActions,
        _ body: (inout HostCore, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        defer { core.leave(at: now, into: &actions) }
        return try body(&core, &actions)
    }

    /// The way in for what concerns neither controller nor peers at the moment: settings, stored values, listeners.
    @inline(__always)
    func change<Answer, Failure: Error>(
        _ body: (inout HostCore) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try body(&core)
    }
}

/// The same class under a name that stays clear where Foundation, which has a `Host` of its own, is imported too.
public typealias BluetoothHost = Host
