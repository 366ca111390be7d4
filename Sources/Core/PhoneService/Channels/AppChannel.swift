import BluethroatHost
import DequeModule

/// A channel that is open for an app.
struct AppChannel {
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
    var isClosing = false

    init(_ description: ChannelDescription, id: AppChannelID, session: SessionID) {
        self.id = id
        self.session = session
        channel = description.id
        psm = description.spsm.rawValue
        isIncoming = description.isIncoming
        sduLength = Self.sduLength(peerMTU: description.peerMTU, peerMPS: description.peerMPS)
    }

    /// The longest SDU of whole frames up to some four and a half kilobytes, the two bytes in front of it included: longer
    /// ones make others wait, and what is left over for a last frame does not fill packets.
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
