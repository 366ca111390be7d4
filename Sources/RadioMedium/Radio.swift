import BluetoothValues
import VirtualTime

/// What the medium keeps of one radio.
struct Radio: Sendable {
    var position: Position
    var listening: Listening?
    /// Counts listenings, so that the end of an old one is told from the end of the present one.
    var generation: UInt32 = 0
    var isRemoved = false

    init(position: Position) { self.position = position }

    mutating func beginListening(_ listening: Listening) -> UInt32 {
        precondition(!isRemoved, "a radio that was taken off the air listens")
        generation &+= 1
        self.listening = listening
        return generation
    }
}

/// What a radio listens for.
struct Listening: Sendable {
    let channel: ChannelIndex
    let phy: PHY
    let syncWord: UInt32
    let since: Instant
    let until: Instant
    /// Whether a frame is being received.
    var isLocked = false

    init(channel: ChannelIndex, phy: PHY, syncWord: UInt32, since: Instant, until: Instant) {
        self.channel = channel
        self.phy = phy
        self.syncWord = syncWord
        self.since = since
        self.until = until
    }

    /// Whether the frame's sync word is one that this listening waits for, and comes in time.
    func hears(_ frame: borrowing Transmission) -> Bool {
        syncWord == frame.syncWord && phy == frame.phy && frame.start + Self.preamble >= since && frame.start <= until
    }

    /// One byte at 1 Msym/s, two at 2 Msym/s. Core 6.0, Vol 6, Part B, 2.1.1.
    private static let preamble = TimeSpan.microseconds(8)
}

/// A frame that a radio has locked on to.
struct OngoingReception: Sendable {
    let receiver: RadioID
    let slot: Int
    /// In dBm.
    let strength: Int
    /// When another signal began to spoil it.
    var spoiltFrom: Instant?
}

/// What happens on one of the 40 channels.
struct Channel: Sendable {
    var listeners: [RadioID] = []
    /// Slots of the transmissions in flight.
    var onAir: [Int] = []
    var receptions: [OngoingReception] = []
}

extension [Radio] {
    subscript(radio: RadioID) -> Radio {
        get { self[Int(radio.rawValue)] }
        _modify { yield &self[Int(radio.rawValue)] }
    }
}

extension [Channel] {
    subscript(channel: ChannelIndex) -> Channel {
        get { self[Int(channel.index)] }
        _modify { yield &self[Int(channel.index)] }
    }
}

extension Array where Element: Equatable {
    mutating func removeFirst(equalTo element: Element) {
        if let index = firstIndex(of: element) { remove(at: index) }
    }
}
