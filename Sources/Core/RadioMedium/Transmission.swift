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
    /// Whether the receiver need not check length and CRC: the frame came straight from the other controller of its link.
    package var hasKnownCRC = false

    public init(
        channel: ChannelIndex,
        phy: PHY,
        start: Instant,
        end: Instant,
        strength: SignalStrength,
        frame: [UInt8]
    ) {
        self.channel = channel
        self.phy = phy
        self.start = start
        self.end = end
        self.strength = strength
        self.frame = frame
    }

    /// The same with its instants as a drifting clock shows them.
    public func seen(through drift: ClockDrift) -> Self {
        guard drift != .none else { return self }
        var seen = Self(
            channel: channel,
            phy: phy,
            start: drift.local(from: start),
            end: drift.local(from: end),
            strength: strength,
            frame: frame
        )
        seen.hasKnownCRC = hasKnownCRC
        return seen
    }
}
