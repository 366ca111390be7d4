/// The Attribute Protocol of one host, without HCI: a GATT server, a GATT client, and a bearer for each connection.
///
/// A host drives it so:
///
/// - `open(_:)` when a connection has come, `close(_:into:)` when it has gone: procedures under way end with
///   `disconnected`, subscriptions are forgotten.
/// - `receive(_:on:at:into:)` with each whole PDU that L2CAP channel 0x0004 has received.
/// - `nextDeadline` and `expire(at:into:)` as with every machine.
/// - After each call, carry out the `ATTActions`: send the packets, hand on the events, disconnect what has timed out.
///
/// Notifications and write commands go past the actions: they are built by `notification` and `writeCommand` and
/// handed to L2CAP directly, after asking whether the connection's queue has room. For that `Host+Server.swift` and
/// `Host+Client.swift` need of the host:
///
/// - `var att: ATTLayer`
/// - `func hasRoom(on connection: ConnectionID) -> Bool`: whether a connection's queue takes another PDU of the
///   application's; false also promises a `readyToSend` event later.
/// - `func sendATT(_ packet: consuming [UInt8], on connection: ConnectionID, at now: Instant, into: inout HostActions)`:
///   sends or queues a PDU with its headroom.
/// - `func carryOut(_ att: inout ATTActions, at now: Instant, into actions: inout HostActions)`, which also empties it.
/// - `var attActions: ATTActions`, the list to reuse.
struct ATTLayer {
    /// The longest PDU this host takes, 23 to 517 bytes.
    let maximumMTU: Int

    init(maximumMTU: Int) {
        precondition((23...517).contains(maximumMTU), "an ATT MTU lies between 23 and 517 bytes")
        self.maximumMTU = maximumMTU
    }
}
