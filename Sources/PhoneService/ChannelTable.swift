import DequeModule
import Host

/// What the service keeps for L2CAP channels.
struct ChannelTable {
    /// A channel that is open for an app.
    struct Entry {
        let id: AppChannelID
        let session: SessionID
        let channel: L2CAPChannelID
        let psm: UInt16
        let isIncoming: Bool
        /// The lengths of the SDUs that are made of the app's bytes.
        var sduLength: Int
        var unsent = ByteQueue()
        /// The host has no room, and will say when it has.
        var isBlocked = false
        /// The app has closed it; what waits is still sent.
        var isLeaving = false
    }

    /// A channel that a peer was asked for.
    struct Opening {
        let channel: L2CAPChannelID
        let session: SessionID
        let psm: UInt16
        /// Whether the link was encrypted at that time.
        let wasEncrypted: Bool
        /// Whether the link has been secured for the sake of it.
        let isSecondTry: Bool
    }

    /// A service that an app has published.
    struct Published {
        let spsm: SPSM
        let session: SessionID
    }

    /// In the order in which they were opened.
    var entries: [Entry] = []
    var openings: [Opening] = []
    var published: [Published] = []
    private var count: UInt32 = 0

    func index(of id: AppChannelID) -> Int? { entries.firstIndex { $0.id == id } }
    func index(of channel: L2CAPChannelID) -> Int? { entries.firstIndex { $0.channel == channel } }

    /// The opening of this channel, which is over.
    mutating func takeOpening(of channel: L2CAPChannelID) -> Opening? {
        openings.firstIndex { $0.channel == channel }.map { openings.remove(at: $0) }
    }

    /// A channel is an app's from now on.
    mutating func add(_ description: ChannelDescription, for session: SessionID) -> AppChannelID {
        count += 1
        entries.append(
            Entry(
                id: AppChannelID(number: count),
                session: session,
                channel: description.id,
                psm: description.spsm.rawValue,
                isIncoming: description.isIncoming,
                sduLength: Self.sduLength(peerMTU: description.peerMTU, peerMPS: description.peerMPS)
            )
        )
        return AppChannelID(number: count)
    }

    /// The longest SDU of whole frames up to some four and a half kilobytes, the two bytes in front of it included: longer ones
    /// make others wait, and what is left over for a last frame does not fill packets.
    static func sduLength(peerMTU: Int, peerMPS: Int) -> Int {
        let packets = min((peerMPS + 4) / 251, 8)
        let frame = packets > 0 ? packets * 251 - 4 : peerMPS
        let frames = min(peerMTU + 2, 4_608) / frame
        return frames > 0 ? min(frames * frame - 2, peerMTU) : peerMTU
    }
}

/// Bytes that wait.
struct ByteQueue {
    private var bytes: Deque<UInt8> = []

    var count: Int { bytes.count }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    func prefix(_ length: Int) -> [UInt8] { Array(bytes.prefix(length)) }

    mutating func removeFirst(_ length: Int) {
        bytes.removeFirst(length)
        // Most channels are idle most of the time.
        if bytes.isEmpty { bytes = [] }
    }
}
