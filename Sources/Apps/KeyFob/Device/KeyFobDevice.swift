public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// TI's key fob on a Bluetooth host: the model's effects become orders for the host, the host's events become the
/// model's, and the observer gets a notice of each change.
///
/// The host's owner passes every one of its events to `handle`, calls `expire` when `nextDeadline` has come, and
/// carries out the actions that each call appends.
public final class KeyFobDevice: HostApplication {
    public let options: KeyFobOptions
    /// The fob itself, for those who want to look.
    public internal(set) var model: KeyFobModel
    /// What has changed since the notices were taken last.
    public private(set) var notices: [KeyFobNotice] = []
    /// The central, if one is connected.
    public internal(set) var connection: ConnectionDescription?

    var hand = KeyFobHand()
    var requester = ParameterRequester()
    var handles: ValueHandles?

    /// A fob without power.
    public init(options: KeyFobOptions = KeyFobOptions()) {
        self.options = options
        model = KeyFobModel(options: options)
    }

    /// What a fob's host is like: its radio is older than long packets and asks for none, it pairs as TI's does, and
    /// its ATT MTU is that of TI's stack if no other is given.
    public static func hostConfiguration(
        seed: UInt64,
        device: UInt64 = 0,
        pairing: KeyFobPairing = KeyFobPairing(),
        attMTU: Int = KeyFobOptions.stackMTU
    ) -> HostConfiguration {
        var configuration = HostConfiguration(seed: seed, device: device)
        configuration.asksForLongPackets = false
        configuration.maximumATTMTU = attMTU
        configuration.pairing = PairingSettings(pairing)
        return configuration
    }

    /// The public address of a world's first fob (0), which is the article's, or of another: TI's 78:C5:E5, then
    /// 24 bits that count on from 9B:76:0D.
    public static func address(number: Int = 0) -> DeviceAddress {
        let low = (0x9B_760D + UInt64(truncatingIfNeeded: number)) & 0xFF_FFFF
        return DeviceAddress(value: 0x78C5_E500_0000 | low, kind: .public)
    }

    /// The power with which the fob transmits, as its left key has set it: 0 or -6 dBm.
    public var transmitPower: SignalStrength? { SignalStrength(dBm: model.txPower) }

    /// Empties the list of notices.
    public func takeNotices() -> [KeyFobNotice] {
        defer { notices.removeAll(keepingCapacity: true) }
        return notices
    }

    /// Puts the battery in. The fob builds its attributes, and brings its host up half a second later.
    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        installTable(on: host, at: now, into: &actions)
        feed(.powerUp, host: host, at: now, into: &actions)
    }

    /// When `expire` has something to do next.
    public var nextDeadline: Instant? {
        // Asked for after every packet, so without a list.
        var next = model.nextDeadline ?? .distantFuture
        if let deadline = hand.deadline { next = min(next, deadline) }
        if let deadline = requester.deadline { next = min(next, deadline) }
        return next == .distantFuture ? nil : next
    }

    /// Does what is due.
    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        moveHand(host: host, at: now, into: &actions)
        var effects: [KeyFobEffect] = []
        model.expire(at: now, into: &effects)
        carryOut(effects, host: host, at: now, into: &actions)
        askForParameters(host: host, at: now, into: &actions)
    }

    func tell(_ change: KeyFobNotice.Change, at now: Instant) {
        notices.append(KeyFobNotice(time: now, change: change))
    }
}
