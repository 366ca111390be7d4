/// The sending half of a channel: the SDUs that wait, and the credits that the peer has given. Core 6.0, Vol 3,
/// Part A, 3.4.3 and 10.1.
struct ChannelSender {
    private(set) var peerMTU: Int
    private(set) var peerMPS: Int
    /// Frames that may be sent.
    private(set) var credits: Int
    /// Bytes that may wait.
    private let limit: Int
    /// The longest payload of a frame that is made use of: as near to what the peer takes as fills packets.
    private var frameLimit: Int
    private let packetLength: Int

    private var sdus: [[UInt8]] = []
    /// The first SDU that has not left altogether; those before it are empty.
    private var head = 0
    /// How much of it has left, or is leaving; nil before its first frame.
    private var offset: Int?
    /// Bytes of SDUs that wait.
    private(set) var queuedBytes = 0
    /// Whether the application could not send since there is no room, and waits for an event.
    private var hasPendingReady = false

    /// `packetLength` is the length of the packets to be filled.
    init(options: ChannelOptions, packetLength: Int) {
        peerMTU = 0
        peerMPS = 0
        credits = 0
        limit = options.sendBuffer
        frameLimit = 0
        self.packetLength = min(packetLength, 251)
    }

    /// What the peer takes, as it has said.
    mutating func configure(mtu: Int, mps: Int) {
        peerMTU = mtu
        peerMPS = mps
        // Frames that fill whole packets, headers included, and keep others waiting no longer than eight of them.
        let packets = min((mps + OutgoingPDU.headerLength) / packetLength, 8)
        frameLimit = packets > 0 ? packets * packetLength - OutgoingPDU.headerLength : mps
    }

    /// The peer has given credits; false if it has given more than there may be.
    mutating func add(credits more: Int) -> Bool {
        guard credits + more <= 0xFFFF else { return false }
        credits += more
        return true
    }

    /// Whether a frame could be sent.
    var isReady: Bool { credits > 0 && head < sdus.count }
    var isEmpty: Bool { head == sdus.count }

    /// Lets an SDU wait its turn; false if there is no room. `takeReady` reports the end of that.
    mutating func append(_ sdu: consuming [UInt8]) -> Bool {
        guard queuedBytes < limit, sdus.count - head < limit else {
            hasPendingReady = true
            return false
        }
        queuedBytes += sdu.count
        sdus.append(sdu)
        return true
    }

    /// Begins the next frame. There must be an SDU and a credit.
    mutating func nextFrame(to channel: UInt16) -> ChannelFrame {
        credits -= 1
        let start = offset ?? 0
        let left = sdus[head].count - start
        let prefix = offset == nil ? ChannelFrame.sduLengthBytes : 0
        let payload = min(frameLimit - prefix, left)
        let frame = ChannelFrame(channel: channel, sdu: sdus[head], start: start, count: payload, isFirst: prefix > 0)
        queuedBytes -= payload
        if payload == left {
            sdus[head] = []
            head += 1
            offset = nil
            compact()
        } else {
            offset = start + payload
        }
        return frame
    }

    /// Whether there is room again and the application waits to hear of it; true once.
    mutating func takeReady() -> Bool {
        guard hasPendingReady, queuedBytes <= limit / 2, sdus.count - head <= limit / 2 else { return false }
        hasPendingReady = false
        return true
    }

    /// Forgets all that waits.
    mutating func removeAll() {
        sdus = []
        head = 0
        offset = nil
        queuedBytes = 0
    }

    private mutating func compact() {
        if head == sdus.count {
            sdus.removeAll(keepingCapacity: true)
            head = 0
        } else if head == 64 {
            sdus.removeFirst(head)
            head = 0
        }
    }
}
