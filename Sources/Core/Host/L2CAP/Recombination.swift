internal import BluethroatByteCoding

/// Puts the fragments of one connection's incoming L2CAP frames together. Core 6.0, Vol 3, Part A, 7.2.2.
///
/// A frame that comes in one piece never gets here. Memory is bounded by the longest frame that the channel takes,
/// whatever lengths the peer announces: of longer frames only the beginning is kept.
struct Recombination {
    /// What a fragment led to.
    enum Outcome: Equatable {
        case incomplete
        /// A whole L2CAP frame, header included.
        case complete([UInt8])
        /// A frame longer than its channel takes has been passed over; its first bytes, header included, eight at most.
        case tooLong([UInt8])
        /// The fragment fits nothing and was dropped, with what came before of its frame.
        case malformed
    }

    private enum State {
        case idle
        case collecting
        /// So many bytes are still to be passed over.
        case skipping(Int)
    }

    private var state = State.idle
    /// The beginning of the frame.
    private var frame: [UInt8] = []

    /// Bytes kept of a frame that is too long: the L2CAP header and a signalling command's header.
    private static let kept = 8

    /// Whether a frame has begun and not ended.
    var isUnderWay: Bool {
        if case .idle = state { false } else { true }
    }

    /// Bytes held.
    var byteCount: Int { frame.count }

    /// The first fragment of a frame. What was under way is dropped: the peer's controller has flushed it.
    mutating func begin(_ fragment: RawSpan, attLimit: Int, channelLimit: Int = 0) -> Outcome {
        reset()
        state = .collecting
        return absorb(fragment, attLimit: attLimit, channelLimit: channelLimit)
    }

    /// A continuing fragment.
    mutating func proceed(_ fragment: RawSpan, attLimit: Int, channelLimit: Int = 0) -> Outcome {
        switch state {
        case .idle: return .malformed
        case .collecting: return absorb(fragment, attLimit: attLimit, channelLimit: channelLimit)
        case .skipping(let missing):
            guard fragment.byteCount <= missing else { return fail() }
            if frame.count < Self.kept {
                frame.append(contentsOf: fragment.extracting(first: Self.kept - frame.count))
            }
            guard fragment.byteCount == missing else {
                state = .skipping(missing - fragment.byteCount)
                return .incomplete
            }
            return .tooLong(finish())
        }
    }

    /// Forgets what was under way.
    mutating func reset() {
        state = .idle
        frame.removeAll(keepingCapacity: true)
    }

    private mutating func absorb(_ fragment: RawSpan, attLimit: Int, channelLimit: Int = 0) -> Outcome {
        var fragment = fragment
        if frame.count < OutgoingPDU.headerLength {
            // The header itself may come in pieces.
            let part = fragment.extracting(first: OutgoingPDU.headerLength - frame.count)
            frame.append(contentsOf: part)
            fragment = fragment.extracting(droppingFirst: part.byteCount)
            guard frame.count == OutgoingPDU.headerLength else { return .incomplete }
        }
        let total = OutgoingPDU.headerLength + (Int(frame[0]) | Int(frame[1]) << 8)
        let missing = total - frame.count
        guard fragment.byteCount <= missing else { return fail() }
        let channel = ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8)
        let limit =
            OutgoingPDU.headerLength + Self.longestPDU(on: channel, attLimit: attLimit, channelLimit: channelLimit)
        guard total <= limit else {
            state = .skipping(missing)
            return proceed(fragment, attLimit: attLimit, channelLimit: channelLimit)
        }
        if frame.capacity < total { frame.reserveCapacity(total) }
        frame.append(contentsOf: fragment)
        return frame.count == total ? .complete(finish()) : .incomplete
    }

    private mutating func finish() -> [UInt8] {
        state = .idle
        var finished: [UInt8] = []
        swap(&finished, &frame)
        return finished
    }

    private mutating func fail() -> Outcome {
        reset()
        return .malformed
    }

    /// The longest PDU that this host takes on a channel; none on channels it does not have.
    static func longestPDU(on channel: ChannelID, attLimit: Int, channelLimit: Int) -> Int {
        switch channel {
        case .attribute: attLimit
        case .signalling: SignallingChannel.maximumLength
        case .securityManager: 65
        default: ChannelSet.numbers.contains(channel.rawValue) ? channelLimit : 0
        }
    }
}
