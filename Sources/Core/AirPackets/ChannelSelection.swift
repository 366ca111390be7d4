public import BluethroatBluetoothValues

/// Channel Selection Algorithm #1: a fixed hop from event to event. Core 6.0, Vol 6, Part B, 4.5.8.2.
public struct ChannelSelection1: Hashable, Sendable {
    /// How far apart two events' channels are.
    public let hopIncrement: HopIncrement
    /// The channel of the last event before the channel map was looked at, 0 to 36; 0 before the first event.
    public private(set) var lastUnmappedChannel: UInt8

    public init(hopIncrement: HopIncrement) {
        self.hopIncrement = hopIncrement
        lastUnmappedChannel = 0
    }

    /// Moves on by so many connection events, at least one, and answers the channel of the event arrived at.
    public mutating func advance(by events: Int = 1, channelMap: ChannelMap) -> ChannelIndex {
        precondition(events >= 1, "a connection goes forward")
        let hops = Int(hopIncrement.channels) * (events % 37)
        lastUnmappedChannel = UInt8((Int(lastUnmappedChannel) + hops) % 37)
        if channelMap.contains(lastUnmappedChannel) { return channelMap.dataChannel(lastUnmappedChannel) }
        return channelMap.used(at: Int(lastUnmappedChannel) % channelMap.count)
    }
}

/// Channel Selection Algorithm #2: a channel for each event counter, seemingly at random.
/// Core 6.0, Vol 6, Part B, 4.5.8.3.
public struct ChannelSelection2: Hashable, Sendable {
    /// Both halves of the access address folded into one.
    public let channelIdentifier: UInt16

    public init(accessAddress: AccessAddress) {
        channelIdentifier = UInt16(truncatingIfNeeded: accessAddress.rawValue >> 16 ^ accessAddress.rawValue)
    }

    /// The channel of the event with the given counter.
    public func channel(event counter: UInt16, channelMap: ChannelMap) -> ChannelIndex {
        let random = pseudoRandomNumber(event: counter)
        let unmapped = UInt8(random % 37)
        if channelMap.contains(unmapped) { return channelMap.dataChannel(unmapped) }
        return channelMap.used(at: (channelMap.count * Int(random)) >> 16)
    }

    /// prn_e: the number that decides an event's channel. 4.5.8.3.2.
    public func pseudoRandomNumber(event counter: UInt16) -> UInt16 {
        var number = counter ^ channelIdentifier
        for _ in 0..<3 { number = Self.permute(number) &* 17 &+ channelIdentifier }
        return number ^ channelIdentifier
    }

    /// Turns each of the two bytes round, bit by bit.
    private static func permute(_ number: UInt16) -> UInt16 {
        var turned = number >> 4 & 0x0F0F | (number & 0x0F0F) << 4
        turned = turned >> 2 & 0x3333 | (turned & 0x3333) << 2
        return turned >> 1 & 0x5555 | (turned & 0x5555) << 1
    }
}

extension ChannelMap {
    /// The used channel at a place in the ascending list of used channels: the remapping table.
    func used(at place: Int) -> ChannelIndex {
        var rest = bits
        for _ in 0..<place { rest &= rest &- 1 }
        return dataChannel(UInt8(rest.trailingZeroBitCount))
    }

    func dataChannel(_ channel: UInt8) -> ChannelIndex {
        guard let index = ChannelIndex(channel) else { preconditionFailure("\(channel) is no channel") }
        return index
    }
}
