/// Names one L2CAP channel of an app. The service numbers all channels of a phone, and uses no number again.
public struct AppChannelID: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}

/// A channel that has been opened, by this end or by the peer.
public struct OpenChannel: Hashable, Sendable {
    public var id: AppChannelID
    /// The number of the service that it leads to.
    public var psm: UInt16
    /// How many bytes of the app may wait for the peer, and for the radio.
    public var sendBuffer: Int

    public init(id: AppChannelID, psm: UInt16, sendBuffer: Int) {
        self.id = id
        self.psm = psm
        self.sendBuffer = sendBuffer
    }
}

/// What happens to a channel.
public enum AppChannelEvent: Sendable {
    /// A block has come. The peer may send as much again once the app has read it.
    case received([UInt8])
    /// So many bytes have left the send buffer.
    case sent(Int)
    /// The channel is no more. Nil if that was wanted: this end, the peer, or the phone because the peer did not
    /// keep to the rules.
    case closed(ServiceFault?)
    /// The answer to the command of that name.
    case echo
}

/// What an app wants of a channel.
public enum AppChannelCommand: Sendable {
    /// Bytes for the peer. There was room for them in the send buffer.
    case send([UInt8])
    /// The oldest so many blocks have been read.
    case consumed(Int)
    /// The channel is of no use any more. What was to be sent still is.
    case close
    /// Comes back as an event at once. Streams have what the app itself caused reported through this, in virtual time: at the
    /// same instant, but not before the app's call has returned.
    case echo
}
