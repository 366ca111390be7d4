public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// What runs on a host: a device's behaviour. The owner of both passes it the host's events and calls it at its
/// deadline; it answers with orders to the host.
public protocol HostApplication: AnyObject {
    /// The host is there and switched off; usually answered with `host.powerOn`.
    func start(host: Host, at now: Instant, into actions: inout HostActions)

    /// Something happened.
    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions)

    /// When `expire` is to be called next; nil for never.
    var nextDeadline: Instant? { get }

    /// Does what is due.
    func expire(host: Host, at now: Instant, into actions: inout HostActions)

    /// The power with which the device's radio is to transmit; nil for the controller's own. HCI has no command for it,
    /// so the owner of host and controller reads it here.
    var transmitPower: SignalStrength? { get }
}

extension HostApplication {
    public var transmitPower: SignalStrength? { nil }
}
