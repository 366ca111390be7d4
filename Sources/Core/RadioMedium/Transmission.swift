public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// A radio's number in its medium, in the order of arrival: it prints in traces and names no other radio later.
public struct RadioID: RawRepresentable, Hashable, Comparable, Sendable {
    package let arrival: Arrival

    public var rawValue: UInt32 { arrival.number }

    public init(rawValue: UInt32) { arrival = Arrival(number: rawValue) }

    init(_ arrival: Arrival) { self.arrival = arrival }

    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Bytes on the air: who sends them, where, how loudly, from when to when.
public struct Transmission: Sendable {
    public let radio: RadioID
    public let channel: ChannelIndex
    public let phy: PHY
    public let power: SignalStrength
    /// What receivers' correlators look for; the first four bytes of `frame`.
    public let syncWord: UInt32
    /// When the preamble begins.
    public let start: Instant
    /// When the last bit of the CRC has gone out.
    public let end: Instant
    /// Access address to CRC, not whitened; opaque here.
    public let frame: [UInt8]

    public init(
        radio: RadioID,
        channel: ChannelIndex,
        phy: PHY,
        power: SignalStrength,
        syncWord: UInt32,
        start: Instant,
        end: Instant,
        frame: [UInt8]
    ) {
        self.radio = radio
        self.channel = channel
        self.phy = phy
        self.power = power
        self.syncWord = syncWord
        self.start = start
        self.end = end
        self.frame = frame
    }
}

/// A frame as one receiver got it.
public struct Reception: Sendable {
    public let channel: ChannelIndex
    public let phy: PHY
    /// When the preamble began, and when the last bit arrived.
    public let start: Instant
    public let end: Instant
    public let strength: SignalStrength
    /// The bytes; some of them flipped where another signal spoilt them.
    public let frame: [UInt8]
    /// Whether form and CRC are known to be right, so that nobody need look again: of a frame that went from one controller
    /// of a link to the other with nothing between them. False says nothing.
    package let hasKnownCRC: Bool

    public init(
        channel: ChannelIndex,
        phy: PHY,
        start: Instant,
        end: Instant,
        strength: SignalStrength,
        frame: [UInt8]
    ) {
        self.init(
            channel: channel,
            phy: phy,
            start: start,
            end: end,
            strength: strength,
            frame: frame,
            hasKnownCRC: false
        )
    }

    package init(
        channel: ChannelIndex,
        phy: PHY,
        start: Instant,
        end: Instant,
        strength: SignalStrength,
        frame: [UInt8],
        hasKnownCRC: Bool
    ) {
        self.channel = channel
        self.phy = phy
        self.start = start
        self.end = end
        self.strength = strength
        self.frame = frame
        self.hasKnownCRC = hasKnownCRC
    }

    /// The same with its instants as a drifting clock shows them.
    public func seen(through drift: ClockDrift) -> Self {
        guard drift != .none else { return self }
        return Self(
            channel: channel,
            phy: phy,
            start: drift.local(from: start),
            end: drift.local(from: end),
            strength: strength,
            frame: frame,
            hasKnownCRC: hasKnownCRC
        )
    }
}
