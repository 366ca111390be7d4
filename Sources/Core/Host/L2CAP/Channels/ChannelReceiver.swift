internal import BluethroatByteCoding

/// The receiving half of a channel: puts SDUs together and gives the peer credits. Core 6.0, Vol 3, Part A, 3.4.3
/// and 10.1.
struct ChannelReceiver {
    /// What a frame led to.
    enum Outcome: Equatable {
        case incomplete
        case sdu([UInt8])
        case violation(ChannelViolation)
    }

    /// The longest SDU, in bytes.
    private(set) var mtu: Int
    /// The longest payload of a frame, in bytes.
    private(set) var mps: Int
    private let window: Int
    private let crediting: ChannelCrediting

    /// Frames that the peer may send.
    private(set) var credits: Int
    /// Of the SDU under way: its bytes so far, its length, and its frames. Nothing is under way without a frame.
    private var sdu: [UInt8] = []
    private var sduLength = 0
    private var sduFrames = 0
    /// Frames of SDUs that the application has and has not consumed, and how many each took, the oldest first.
    private var unconsumed = 0
    private var framesOfSDUs: [Int] = []

    init(_ options: ChannelOptions) {
        mtu = options.mtu
        mps = options.mps
        window = options.window
        crediting = options.crediting
        credits = options.firstCredits
    }

    /// Handles the payload of a frame.
    mutating func handleFrame(_ frame: RawSpan) -> Outcome {
        guard credits > 0 else { return .violation(.frameWithoutCredit) }
        guard frame.byteCount <= mps else { return .violation(.frameTooLong) }
        credits -= 1
        var payload = frame
        if sduFrames == 0 {
            guard let length = try? payload.takeUInt16() else { return .violation(.frameTooShort) }
            guard length <= mtu else { return .violation(.sduTooLong) }
            guard payload.byteCount <= length else { return .violation(.sduOverrun) }
            sduLength = Int(length)
            sdu.reserveCapacity(sduLength)
        } else {
            guard payload.byteCount <= sduLength - sdu.count else { return .violation(.sduOverrun) }
        }
        sdu.append(contentsOf: payload)
        sduFrames += 1
        guard sdu.count == sduLength else { return .incomplete }
        if crediting == .whenConsumed {
            unconsumed += sduFrames
            framesOfSDUs.append(sduFrames)
        }
        sduFrames = 0
        var finished: [UInt8] = []
        swap(&finished, &sdu)
        return .sdu(finished)
    }

    /// The application has worked off so many SDUs.
    mutating func consume(_ count: Int) {
        let count = min(count, framesOfSDUs.count)
        for frames in framesOfSDUs[..<count] { unconsumed -= frames }
        framesOfSDUs.removeFirst(count)
    }

    /// The credits that the peer should be given now; they count as given. They come in lots of half a window, or as
    /// soon as the peer has none.
    mutating func takeGrant() -> Int {
        let owed = wanted - credits
        guard owed > 0, credits == 0 || owed >= (window + 1) / 2 else { return 0 }
        credits += owed
        return owed
    }

    /// How many frames the peer should be able to send: as many as fit in the window beside what has come, but always
    /// enough for the SDU under way, which cannot be consumed before it is whole.
    private var wanted: Int {
        guard crediting == .whenConsumed else { return window }
        let missing = sduFrames > 0 ? (sduLength - sdu.count + mps - 1) / mps : 0
        return min(max(window - unconsumed - sduFrames, missing), 0xFFFF)
    }

    /// The peer has agreed to other lengths.
    mutating func reconfigure(mtu: Int, mps: Int) {
        self.mtu = mtu
        self.mps = mps
    }
}
