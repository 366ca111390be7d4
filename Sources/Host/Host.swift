public import VirtualTime

/// A Bluetooth LE host over one controller: GAP, L2CAP, ATT and GATT.
///
/// It meets the controller as HCI packets only, so that any controller will do: a virtual one, a foreign
/// simulator, a dongle. It is told what happened and when, and answers with actions; it has no threads and no
/// clock. Orders that cannot be taken throw; orders that were taken are answered by events.
public final class Host {
    public let configuration: HostConfiguration

    /// A host that is switched off.
    public init(configuration: HostConfiguration) {
        self.configuration = configuration
    }

    /// What was learned about the controller; nil unless the host is up.
    public private(set) var identity: HostIdentity?

    /// Brings the controller up from whatever state it is in. Ends with `poweredOn` or `startFailed`.
    public func powerOn(at now: Instant, into actions: inout HostActions) {
    }

    /// Takes in a packet from the controller, with its H4 indicator as the first byte.
    public func receive(hci packet: [UInt8], at now: Instant, into actions: inout HostActions) {
    }

    /// When `expire` wants to be called next, if nothing else happens before.
    public var nextDeadline: Instant? { nil }

    /// Does what is due at `now`.
    public func expire(at now: Instant, into actions: inout HostActions) {
    }
}
