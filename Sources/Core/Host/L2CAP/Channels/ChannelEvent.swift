public import BluethroatBluetoothValues

/// Events of L2CAP channels.
public enum ChannelEvent: Sendable {
    /// A channel is open, opened by either side: SDUs may go both ways.
    indirect case opened(ChannelDescription)
    /// What `openChannel` began has failed.
    case openFailed(L2CAPChannelID, ChannelOpenFailure)
    /// A peer asks for channels to a service that lets the application decide: answer with `answer(_:accept:)` within
    /// 30 s.
    indirect case requested(ChannelRequest)
    /// A whole SDU has come.
    case received(L2CAPChannelID, [UInt8])
    /// A channel whose buffer was full has room for more again.
    case readyToSend(L2CAPChannelID)
    /// The answer to `reconfigure`.
    case reconfigured([L2CAPChannelID], ReconfigureOutcome)
    /// The peer takes other lengths from now on.
    case peerReconfigured(L2CAPChannelID, mtu: Int, mps: Int)
    /// The channel is closed; nothing more comes from it. Bytes that waited to be sent are lost.
    case closed(L2CAPChannelID, ChannelCloseReason)
}

/// An open channel.
public struct ChannelDescription: Hashable, Sendable {
    public let id: L2CAPChannelID
    public let spsm: SPSM
    /// Whether the peer asked for it.
    public let isIncoming: Bool
    /// Whether it was opened with the enhanced procedure. Core 6.0, Vol 3, Part A, 4.25.
    public let isEnhanced: Bool
    /// The longest SDU that the peer takes, in bytes.
    public let peerMTU: Int
    /// The longest payload of a frame that the peer takes, in bytes.
    public let peerMPS: Int
    /// The longest SDU that this end takes, in bytes.
    public let mtu: Int
    /// The longest payload of a frame that this end takes, in bytes.
    public let mps: Int
}

/// A peer's request for channels.
public struct ChannelRequest: Hashable, Sendable {
    public let id: ChannelRequestID
    public let spsm: SPSM
    /// How many channels, 1 to 5.
    public let count: Int
    /// The longest SDU that the peer takes, in bytes.
    public let peerMTU: Int
    /// The longest payload of a frame that the peer takes, in bytes.
    public let peerMPS: Int
}

/// Why a channel did not come about.
public enum ChannelOpenFailure: Hashable, Sendable {
    case refused(ChannelRefusal)
    /// The peer does not know such channels.
    case notUnderstood
    /// The peer did not answer in time.
    case timeout
    /// The peer's answer made no sense.
    case malformedResponse
    case disconnected(ControllerError)
}

/// Why a channel was closed.
public enum ChannelCloseReason: Hashable, Sendable {
    /// The application closed it.
    case closedHere
    case closedByPeer
    /// The peer broke a rule, upon which this end closed the channel.
    case violation(ChannelViolation)
    /// The connection is gone.
    case disconnected(ControllerError)
}

/// A rule that a peer broke, for each of which a channel is closed. Core 6.0, Vol 3, Part A, 3.4.3 and 10.1.
public enum ChannelViolation: Hashable, Sendable {
    /// A frame for which it had no credit.
    case frameWithoutCredit
    /// A frame with more bytes than this end's MPS.
    case frameTooLong
    /// A first frame that is too short for the SDU's length.
    case frameTooShort
    /// An SDU with more bytes than this end's MTU.
    case sduTooLong
    /// More bytes than the SDU's length announced.
    case sduOverrun
    /// More than 65535 credits.
    case tooManyCredits
    /// A channel number of the peer's given to two channels.
    case channelAllocatedTwice
}

/// The result of a request for other lengths.
public enum ReconfigureOutcome: Hashable, Sendable {
    case answered(ReconfigureResult)
    case notUnderstood
    case timeout
    case disconnected
}
