public import Foundation

/// One side of a conversation between two phones whose frames are on the air until others take their place: messages of any
/// bytes, each in pieces of two, of which the next one is sent when the last one is acknowledged.
///
/// A frame that is lost is sent again by itself, since it stays on the air. Pieces are numbered modulo 8, so that one which
/// comes twice, or up to seven pieces late, is known for what it is. Session numbers tell a partner who has begun anew from
/// one who repeats himself. docs/overflow.md has the table of states and frames. It receives frames with their time, and
/// answers with what they bring.
public struct Conversation: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// With the partner's session, as soon as it was heard.
        case opening(UInt8?)
        /// The partner knows this side's session; that it knows that is not heard yet.
        case answered(UInt8)
        case open(UInt8)
    }

    public enum Event: Hashable, Sendable {
        /// Messages are exchanged from now on.
        case opened
        case received([UInt8])
        /// The partner has all of the message that was given first of those that wait.
        case delivered([UInt8])
        /// It begins anew, for example because the partner has. What the partner had not acknowledged to the end is sent again, and it may get that twice.
        case restarted
        /// Nothing was heard of the partner for too long. Messages wait until it is there again.
        case silent
    }

    /// How many bytes a message has at most.
    public static let longestMessage = 1_024
    /// Phones have numbers from 0 to 15.
    public static let phoneCount = 16

    public let number: UInt8
    public let partner: UInt8
    public private(set) var state = State.opening(nil)
    /// Messages that are not delivered yet, the one that is sent at the moment first.
    public private(set) var waiting: [[UInt8]] = []
    /// How many bytes of messages the partner has.
    public private(set) var deliveredCount = 0
    /// For how many seconds there was a message to be sent, up to the last one that was delivered.
    public private(set) var busySeconds: TimeInterval = 0

    private var session: UInt8
    private let patience: TimeInterval
    /// What the system calls the phone that was heard first with the partner's number: only its frames count, until it has been
    /// silent for too long.
    private var peer: UUID?
    private var lastHeard: TimeInterval = 0
    private var busySince: TimeInterval?
    /// The piece that is on the air: its number, and where it begins in the first message that waits.
    private var piece: UInt8 = 0
    private var offset = 0
    /// The number of the piece that is wanted next, and what came of its message before it.
    private var wanted: UInt8 = 0
    private var arrived: [UInt8] = []

    /// - Parameters:
    ///   - number: this phone's, 0 to 15.
    ///   - partner: the other phone's, 0 to 15.
    ///   - session: 1 to 255, drawn at random each time that a conversation begins.
    ///   - patience: after how many seconds without a frame the partner is taken to be gone.
    public init(_ number: UInt8, with partner: UInt8, session: UInt8, patience: TimeInterval = 150) {
        precondition(number < Self.phoneCount && partner < Self.phoneCount, "phones have numbers from 0 to 15")
        precondition(number != partner && session > 0, "a conversation has two phones, and sessions from 1 to 255")
        self.number = number
        self.partner = partner
        self.session = session
        self.patience = patience
    }

    /// What is to be on the air.
    public var frame: ConversationFrame {
        let content: ConversationFrame.Content =
            switch state {
            case .opening(let other): .opening(own: session, partner: other ?? 0)
            case .answered(let other): .quiet(own: session, partner: other)
            case .open(let other):
                waiting.first.map { message in
                    let end = min(offset + 2, message.count)
                    return .piece(piece, Array(message[offset..<end]), isLast: end == message.count)
                } ?? .quiet(own: session, partner: other)
            }
        return ConversationFrame(from: number, to: partner, content, wanted: wanted)
    }

    /// Gives it a message to be sent behind those that wait. False unless it has from 1 to 1,024 bytes.
    public mutating func send(_ message: [UInt8], at now: TimeInterval) -> Bool {
        guard (1...Self.longestMessage).contains(message.count) else { return false }
        if waiting.isEmpty { busySince = now }
        waiting.append(message)
        return true
    }

    /// Processes a frame.
    /// - Parameters:
    ///   - phone: what the system calls the phone that sends it.
    ///   - now: seconds since some beginning, never less than before.
    public mutating func hear(_ frame: ConversationFrame, from phone: UUID, at now: TimeInterval) -> [Event] {
        // Others talk as well, and one of them may have the partner's number.
        guard frame.sender == partner, frame.receiver == number, peer ?? phone == phone else { return [] }
        (peer, lastHeard) = (phone, now)
        var events: [Event] = []
        switch (state, frame.content) {
        case (.opening, .opening(let other, let known)): state = known == session ? .answered(other) : .opening(other)
        case (.answered(let old), .opening(let other, _)), (.open(let old), .opening(let other, _)):
            guard other != old else { break }
            beginAnew(with: other)
            events.append(.restarted)
        case (.opening, .quiet(let other, let known)) where known == session: open(with: other, into: &events)
        case (.answered(let old), .quiet(let other, let known)) where known == session && other == old:
            open(with: other, into: &events)
        case (.open(let old), .quiet(let other, let known)) where known == session && other == old:
            acknowledge(frame.wanted, at: now, into: &events)
        case (.answered(let other), .piece(let number, let bytes, let isLast)):
            open(with: other, into: &events)
            take(number, bytes, isLast, into: &events)
        case (.open, .piece(let number, let bytes, let isLast)):
            acknowledge(frame.wanted, at: now, into: &events)
            take(number, bytes, isLast, into: &events)
        // A piece before there is a session, and sessions that were before.
        case (.opening, .piece), (_, .quiet): break
        }
        return events
    }

    /// When it is to be called if nothing is heard, in seconds; nil while there is nobody to wait for.
    public var nextDeadline: TimeInterval? { peer == nil ? nil : lastHeard + patience }

    /// Time has passed.
    public mutating func expire(at now: TimeInterval) -> [Event] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        peer = nil
        beginAnew(with: nil)
        return [.silent]
    }

    private mutating func open(with other: UInt8, into events: inout [Event]) {
        state = .open(other)
        events.append(.opened)
    }

    /// Both count from 0 again. With another session of this side's, too, so that the partner notices.
    private mutating func beginAnew(with other: UInt8?) {
        state = .opening(other)
        session = session % 255 + 1
        (piece, offset, wanted, arrived) = (0, 0, 0, [])
    }

    private mutating func acknowledge(_ next: UInt8, at now: TimeInterval, into events: inout [Event]) {
        guard let message = waiting.first, next == (piece + 1) % 8 else { return }
        piece = next
        offset = min(offset + 2, message.count)
        guard offset == message.count else { return }
        waiting.removeFirst()
        offset = 0
        deliveredCount += message.count
        busySeconds += now - (busySince ?? now)
        busySince = waiting.isEmpty ? nil : now
        events.append(.delivered(message))
    }

    private mutating func take(_ number: UInt8, _ bytes: [UInt8], _ isLast: Bool, into events: inout [Event]) {
        guard number == wanted else { return }
        wanted = (number + 1) % 8
        arrived += bytes
        if isLast {
            events.append(.received(arrived))
            arrived = []
        } else if arrived.count >= Self.longestMessage {
            // The partner keeps to no limit.
            beginAnew(with: nil)
            events.append(.restarted)
        }
    }
}
