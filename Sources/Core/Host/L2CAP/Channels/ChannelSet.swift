internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The channels of one connection.
struct ChannelSet {
    /// The numbers of channels that are opened and closed, on LE links. Core 6.0, Vol 3, Part A, 2.1.
    static let numbers: ClosedRange<UInt16> = 0x0040...0x007F
    /// Requests of the peer that may wait for the application.
    private static let mostRequests = 8
    /// How long the application may take to decide.
    static let patience = TimeSpan.seconds(30)

    /// In the order in which they were opened.
    var channels: [Channel] = []
    /// The requests of the peer that wait for the application.
    private(set) var requests: [PendingChannelRequest] = []
    /// The frame that is leaving; nothing may come between its packets. It outlives its channel.
    private var frame: ChannelFrame?
    /// The longest frame that any channel takes, in bytes.
    private(set) var longestFrame = 0
    /// Where the search for a channel with something to send begins.
    private var turn = 0
    private var lastNumber = numbers.upperBound
    private var lastGeneration: UInt32 = 0
    private var lastRequest: UInt32 = 0

    var isEmpty: Bool { channels.isEmpty }

    /// The place of the channel with this number.
    func index(of number: UInt16) -> Int? {
        for index in channels.indices where channels[index].id.number == number { return index }
        return nil
    }

    /// The place of this very channel; nil once it is closed.
    func index(of id: L2CAPChannelID) -> Int? {
        for index in channels.indices where channels[index].id == id { return index }
        return nil
    }

    /// The place of the channel with this number at the peer's end.
    func index(ofPeer number: UInt16) -> Int? {
        for index in channels.indices where channels[index].peerNumber == number { return index }
        return nil
    }

    func count(of spsm: SPSM) -> Int {
        var count = 0
        for index in channels.indices where channels[index].isIncoming && channels[index].spsm == spsm { count += 1 }
        return count
    }

    /// Room for a new channel: its name; nil if all numbers are taken. Numbers that were used lately come last.
    mutating func nextID(on connection: ConnectionID) -> L2CAPChannelID? {
        for _ in Self.numbers {
            lastNumber = lastNumber == Self.numbers.upperBound ? Self.numbers.lowerBound : lastNumber + 1
            guard index(of: lastNumber) == nil else { continue }
            lastGeneration &+= 1
            return L2CAPChannelID(connection: connection, number: lastNumber, generation: lastGeneration)
        }
        return nil
    }

    mutating func append(_ channel: consuming Channel) {
        longestFrame = max(longestFrame, channel.receiver.mps)
        channels.append(channel)
    }

    /// Forgets a channel; its number is free.
    @discardableResult
    mutating func remove(at index: Int) -> Channel {
        let channel = channels.remove(at: index)
        if turn > index { turn -= 1 }
        noteLongestFrame()
        return channel
    }

    mutating func noteLongestFrame() {
        longestFrame = 0
        for index in channels.indices { longestFrame = max(longestFrame, channels[index].receiver.mps) }
    }

    // MARK: Sending

    /// Whether a frame has left in part.
    var isMidFrame: Bool { frame != nil }

    /// Whether any channel has a frame to send, and the credit for it.
    var isReady: Bool {
        for index in channels.indices where channels[index].isReady { return true }
        return false
    }

    /// The next packet of the frame under way, or of the next channel in turn; nil if none has anything to send.
    mutating func nextPacket(handle: ConnectionHandle, maximumLength: Int) -> [UInt8]? {
        if frame == nil {
            for _ in channels.indices {
                turn = turn + 1 < channels.count ? turn + 1 : 0
                guard channels[turn].isReady else { continue }
                frame = channels[turn].sender.nextFrame(to: channels[turn].peerNumber)
                break
            }
        }
        guard let packet = frame?.nextPacket(handle: handle, maximumLength: maximumLength) else { return nil }
        if frame?.isFinished == true { frame = nil }
        return packet
    }

    // MARK: Requests of the peer

    /// Lets a request wait for the application; nil if too many do.
    mutating func ask(
        _ proposal: ChannelProposal,
        on connection: ConnectionID,
        identifier: UInt8,
        at now: Instant,
        timers: inout Deadlines<LinkTimer>
    ) -> ChannelRequestID? {
        guard requests.count < Self.mostRequests else { return nil }
        lastRequest &+= 1
        let id = ChannelRequestID(connection: connection, number: lastRequest)
        requests.append(PendingChannelRequest(id: id, identifier: identifier, proposal: proposal))
        timers.arm(.channelRequest(number: lastRequest), at: now + Self.patience)
        return id
    }

    /// The request with this ID, which waits no longer; nil if it does not.
    mutating func take(
        _ id: ChannelRequestID,
        timers: inout Deadlines<LinkTimer>
    ) -> PendingChannelRequest? {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
        timers.disarm(.channelRequest(number: id.number))
        return requests.remove(at: index)
    }

    /// The request with this number, for whose answer it is too late.
    mutating func giveUpRequest(number: UInt32) -> PendingChannelRequest? {
        guard let index = requests.firstIndex(where: { $0.id.number == number }) else { return nil }
        return requests.remove(at: index)
    }
}

/// What a peer requests: one channel, or up to five with the enhanced procedure.
struct ChannelProposal: Equatable {
    var spsm: SPSM
    /// The peer's ends.
    var sources: [UInt16]
    var mtu: UInt16
    var mps: UInt16
    var credits: UInt16
    var isEnhanced: Bool
}

/// A peer's request that waits for the application, and whose `LinkTimer.channelRequest` is armed.
struct PendingChannelRequest {
    var id: ChannelRequestID
    var identifier: UInt8
    var proposal: ChannelProposal
}
