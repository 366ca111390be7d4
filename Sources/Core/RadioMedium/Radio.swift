import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What the medium keeps of one radio.
struct Radio: Sendable {
    var position: Position
    /// The weakest signal that it can follow; nil is as the propagation says.
    var sensitivity: SignalStrength?
    /// The channel on which it listens, and its place among those who do; nil while it does not.
    var listening: (channel: Int, index: Int)?
    /// Counts listenings, so that the end of an old one can be distinguished from the end of the present one.
    var generation: UInt32 = 0
    /// Frames of it that have begun and not been ended, those included that were broken off.
    var framesInFlight: UInt32 = 0
    /// It is kept only until its last frame has ended.
    var isRemoved = false

    init(position: Position) { self.position = position }

    mutating func beginListening(on channel: Int, index: Int) -> UInt32 {
        generation &+= 1
        listening = (channel, index)
        return generation
    }

    /// One of its frames has ended. True if that was the last one of a radio that was removed.
    mutating func endFrame() -> Bool {
        framesInFlight -= 1
        return isRemoved && framesInFlight == 0
    }
}

/// A frame in flight without its bytes: what each receiver in reach asks about.
struct FrameOnAir: Sendable {
    let slot: Int
    let radio: RadioID
    /// Where the radio is now; on an air with a delay, where the frame began.
    var position: Position
    let phy: PHY
    let power: SignalStrength
    let syncWord: UInt32
    let start: Instant
    /// Whether a radio has locked on to it. If none has, its end is a matter of its sender alone.
    var hasReceivers = false

    init(_ transmission: borrowing Transmission, slot: Int, position: Position) {
        self.slot = slot
        radio = transmission.radio
        self.position = position
        phy = transmission.phy
        power = transmission.power
        syncWord = transmission.syncWord
        start = transmission.start
    }
}

/// A frame that a radio has locked on to.
struct OngoingReception: Sendable {
    let receiver: RadioID
    /// Where the receiver is.
    var place: Position
    let slot: Int
    /// In dBm.
    let strength: Int
    /// When another signal began to spoil it.
    var spoiltFrom: Instant?
}

/// What happens on one of the 40 channels.
struct Channel: Sendable {
    var listeners = ListenerList()
    /// The frames in flight, in the order in which they began.
    var onAir: [FrameOnAir] = []
    /// In the order in which they began.
    var receptions: [OngoingReception] = []

    /// A radio that is receiving a frame is elsewhere.
    mutating func moveReceiver(_ radio: RadioID, to place: Position) {
        for index in receptions.indices where receptions[index].receiver == radio { receptions[index].place = place }
    }

    /// The frames in flight that began no earlier than an instant.
    func frames(since start: Instant) -> Range<Int> {
        var first = onAir.count
        // Few did, and they are the last ones.
        while first > 0, onAir[first - 1].start >= start { first -= 1 }
        return first..<onAir.count
    }

    /// Takes out the receptions of a frame and puts them behind others, in the order in which they began.
    mutating func takeReceptions(of slot: Int, into ended: inout [OngoingReception]) {
        guard let first = receptions.firstIndex(where: { $0.slot == slot }) else { return }
        var left = first
        for index in first..<receptions.count {
            if receptions[index].slot == slot {
                ended.append(receptions[index])
            } else {
                receptions[left] = receptions[index]
                left += 1
            }
        }
        // One by one: the list's own way for several is a hundred instructions dearer, and mostly it is one.
        while receptions.count > left { receptions.removeLast() }
    }

    /// Takes a frame off the air, and answers what matters at its end; one that was broken off is not there any more.
    @discardableResult
    mutating func removeFromAir(_ slot: Int) -> (position: Position, hasReceivers: Bool)? {
        // Frames end about as they began, so that it is one of the first.
        guard let index = onAir.firstIndex(where: { $0.slot == slot }) else { return nil }
        let frame = (onAir[index].position, onAir[index].hasReceivers)
        // Mostly it is the only one.
        if onAir.count == 1 { onAir.removeLast() } else { onAir.remove(at: index) }
        return frame
    }
}
