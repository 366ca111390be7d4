/// How one end of a channel receives, and how much it lets wait. Core 6.0, Vol 3, Part A, 10.1.
///
/// The usual lengths fill Link Layer packets: a frame of 1502 bytes with its L2CAP header is six times 251 bytes, and
/// the longest SDU is three frames, the two bytes in front of it included.
public struct ChannelOptions: Hashable, Sendable {
    /// The longest SDU that this end takes, 23 (64 for enhanced channels) to 65535 bytes.
    public var mtu: Int
    /// The longest payload of a frame that this end takes, 23 (64 for enhanced channels) to 65533 bytes.
    public var mps: Int
    /// How many frames the peer may have on their way, 1 to 65535: the receive buffer.
    public var window: Int
    /// How many of them it may send at once, before this end has given it credits; nil for the whole window.
    public var initialCredits: Int?
    /// When frames that have come make room for others.
    public var crediting: ChannelCrediting
    /// How many bytes may wait to be sent before the application has to wait.
    public var sendBuffer: Int

    public init(
        mtu: Int = 4_504,
        mps: Int = 1_502,
        window: Int = 24,
        initialCredits: Int? = nil,
        crediting: ChannelCrediting = .automatic,
        sendBuffer: Int = 32_768
    ) {
        self.mtu = mtu
        self.mps = mps
        self.window = window
        self.initialCredits = initialCredits
        self.crediting = crediting
        self.sendBuffer = sendBuffer
    }

    /// Whether all numbers are in their ranges.
    func isValid(enhanced: Bool) -> Bool {
        let least = enhanced ? 64 : 23
        return (least...0xFFFF).contains(mtu) && (least...0xFFFD).contains(mps) && (1...0xFFFF).contains(window)
            && (0...window).contains(initialCredits ?? 0) && sendBuffer > 0
    }

    /// The credits that the peer begins with.
    var firstCredits: Int { initialCredits ?? window }
}

/// When the peer gets credits back for the frames that it has sent.
public enum ChannelCrediting: Hashable, Sendable {
    /// As they come.
    case automatic
    /// When the application has called `consume` for the SDU that they brought: a peer that sends more than is worked
    /// off must wait.
    case whenConsumed
}

/// On which terms peers may open channels to a service.
public struct ChannelListenerOptions: Hashable, Sendable {
    /// This end of every channel.
    public var channel: ChannelOptions
    /// What the link must be like; a peer whose link is not receives an error that says what is missing.
    public var access: AttributeAccess
    /// Whether the application is asked, by `requested`, before a channel is opened.
    public var asks: Bool
    /// How many channels one connection may have open to the service.
    public var maximumChannels: Int

    public init(
        channel: ChannelOptions = ChannelOptions(),
        access: AttributeAccess = .open,
        asks: Bool = false,
        maximumChannels: Int = 32
    ) {
        self.channel = channel
        self.access = access
        self.asks = asks
        self.maximumChannels = maximumChannels
    }
}
