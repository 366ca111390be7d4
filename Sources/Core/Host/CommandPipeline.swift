internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The commands on their way to the controller: one at a time, and only when the controller has said that it takes
/// one (Num_HCI_Command_Packets; Core 6.0, Vol 4, Part E, 4.4).
struct CommandPipeline {
    private struct Entry {
        var packet: [UInt8]
        var owner: CommandOwner

        /// Whether it is as optional as a command with this opcode that was not answered, and would not be either.
        func isAlike(_ opcode: UInt16) -> Bool { owner.isOptional && CommandPipeline.opcode(of: packet) == opcode }
    }

    /// The command that the controller has and has not answered.
    private struct Outstanding {
        var opcode: UInt16
        var owner: CommandOwner

        /// Whether a Command Status of success is all the answer there is. Where the answer is ignored, the opcode
        /// decides.
        var isAnsweredByStatus: Bool {
            owner == .ignored ? Opcode(rawValue: opcode).answer == .commandStatus : owner.isAnsweredByStatus
        }
    }

    /// The command that is sent next, and those behind it: mostly there are none.
    private var next: Entry?
    private var waiting: [Entry] = []
    private var outstanding: Outstanding?
    /// Commands that the controller takes now. One before it has said anything.
    private var credits = 1
    /// The number of the last command of the application.
    private var lastID: UInt32 = 0

    private enum Timer: Comparable {
        /// The controller has left a command unanswered.
        case answer
        /// The controller has taken no commands, and owes no answer either.
        case credit
    }

    private var deadlines = Deadlines<Timer>()
    private let timeout: TimeSpan
    /// Whether the last command was given up for want of an answer.
    private var hasSkipped = false

    init(timeout: TimeSpan) { self.timeout = timeout }

    /// Lets a command packet wait its turn.
    mutating func submit(_ packet: [UInt8], for owner: CommandOwner) {
        precondition(packet.count >= 4, "a command packet has an indicator, an opcode and a length")
        let entry = Entry(packet: packet, owner: owner)
        if next == nil { next = entry } else { waiting.append(entry) }
    }

    /// Lets an answer to something the controller sent wait its turn. A controller that asks without end and takes no
    /// answers gets no more of them: their number is bounded.
    mutating func submitAnswer(_ packet: [UInt8], for owner: CommandOwner) {
        guard waitingCount < Self.mostAnswersWaiting else { return }
        submit(packet, for: owner)
    }

    private static let mostAnswersWaiting = 128

    private var waitingCount: Int { next == nil ? 0 : waiting.count + 1 }

    /// Commands not answered yet.
    var count: Int { waitingCount + (outstanding == nil ? 0 : 1) }

    /// Sends the next command if the controller takes one.
    mutating func flush(at now: Instant, into packets: inout [[UInt8]]) {
        guard outstanding == nil, next != nil else { return }
        guard credits > 0 else {
            if !deadlines.isArmed(.credit) { deadlines.arm(.credit, at: now.after(timeout)) }
            return
        }
        credits -= 1
        deadlines.disarm(.credit)
        guard let entry = next.take() else { return }
        if !waiting.isEmpty { next = waiting.removeFirst() }
        let patience = min(timeout, entry.owner.patience ?? timeout)
        outstanding = Outstanding(opcode: Self.opcode(of: entry.packet), owner: entry.owner)
        deadlines.arm(.answer, at: now.after(patience))
        packets.append(entry.packet)
    }

    /// The controller has said how many commands it takes.
    mutating func grant(_ count: UInt8) {
        credits = Int(count)
        if credits > 0 { deadlines.disarm(.credit) }
    }

    /// The owner of the command that a Command Complete event answers; nil if there was no such command.
    mutating func complete(opcode: UInt16) -> CommandOwner? {
        guard let answered = outstanding, answered.opcode == opcode else { return nil }
        outstanding = nil
        deadlines.disarm(.answer)
        hasSkipped = false
        return answered.owner
    }

    /// The owner of the command that a Command Status event answers. Success only says that the command was
    /// understood: the owners that wait for a Command Complete go on waiting.
    mutating func acknowledge(opcode: UInt16, isSuccess: Bool) -> CommandOwner? {
        guard let answered = outstanding, answered.opcode == opcode else { return nil }
        if isSuccess, !answered.isAnsweredByStatus { return nil }
        outstanding = nil
        deadlines.disarm(.answer)
        hasSkipped = false
        return answered.owner
    }

    /// When the controller has failed if it says nothing until then.
    var nextDeadline: Instant? { deadlines.next }

    /// What comes of a controller that keeps silent.
    enum Overdue: Equatable {
        /// The host does without the answer to this command; those who sent it, and others of its kind behind it.
        case skipped(opcode: UInt16, owners: [CommandOwner])
        /// The controller has failed over this command, which it did not answer or did not take.
        case failed(opcode: UInt16)
    }

    /// Gives up the command that is overdue, if one is: where the host can do without its answer, together with those
    /// of its kind that wait behind it. Some controllers name commands that they never answer; one that leaves two in a
    /// row unanswered is dead.
    mutating func expire(at now: Instant) -> Overdue? {
        guard let timer = deadlines.popExpired(at: now) else { return nil }
        guard timer == .answer, let overdue = outstanding else {
            return next.map { .failed(opcode: Self.opcode(of: $0.packet)) }
        }
        guard overdue.owner.canDoWithout, !hasSkipped else { return .failed(opcode: overdue.opcode) }
        hasSkipped = true
        outstanding = nil
        credits = max(credits, 1)
        var owners = [overdue.owner]
        if overdue.owner.isOptional {
            let all = allWaiting
            owners += all.filter { $0.isAlike(overdue.opcode) }.map(\.owner)
            wait(all.filter { !$0.isAlike(overdue.opcode) })
        }
        return .skipped(opcode: overdue.opcode, owners: owners)
    }

    /// Names the next command of the application.
    mutating func nextID() -> CommandID {
        lastID &+= 1
        return CommandID(number: lastID)
    }

    /// Gives back what is kept for commands, where there are none.
    mutating func giveBackStorage() {
        if waiting.isEmpty, waiting.capacity > 0 { waiting = [] }
        deadlines.giveBackStorage()
    }

    /// Forgets all commands, as the controller does at a reset, and answers who waited for them, in order.
    mutating func reset() -> [CommandOwner] {
        var owners: [CommandOwner] = []
        if let outstanding { owners.append(outstanding.owner) }
        owners += allWaiting.map(\.owner)
        wait([])
        outstanding = nil
        credits = 1
        deadlines.disarmAll()
        hasSkipped = false
        return owners
    }

    private var allWaiting: [Entry] { next.map { [$0] + waiting } ?? [] }

    private mutating func wait(_ entries: [Entry]) {
        next = entries.first
        waiting = Array(entries.dropFirst())
    }

    private static func opcode(of packet: [UInt8]) -> UInt16 { UInt16(packet[1]) | UInt16(packet[2]) << 8 }
}

/// Which part of the host sent a command and gets the answer.
enum CommandOwner: Equatable, Sendable {
    case startup
    case advertiser(AdvertisingSequencer.Step)
    case scanner(ScanSequencer.Step)
    case initiator(InitiatingSequencer.Step)
    case filterAcceptList(isLast: Bool)
    case privacy(PrivacyMachine.Step)
    case connection(ConnectionID, ConnectionCommand)
    case application(CommandID)
    /// The answer does not matter.
    case ignored

    /// Whether the host can go on if the controller never answers.
    var canDoWithout: Bool {
        switch self {
        case .application, .ignored: true
        case .connection(_, .order(let order)): order != .disconnect
        case .connection(_, .readFeatures), .connection(_, .setPHYs), .connection(_, .keyReply): true
        case .startup, .advertiser, .scanner, .initiator, .filterAcceptList, .privacy, .connection: false
        }
    }

    /// Whether the command makes a connection better that works without it, too: a controller that does not answer it
    /// is not sent it again.
    var isOptional: Bool {
        switch self {
        case .connection(_, .order(.setPHYs)), .connection(_, .readFeatures), .connection(_, .setPHYs): true
        default: false
        }
    }

    /// How long the controller may take to answer, where that is less than for others: nothing else is to wait for what
    /// is answered at once, or never.
    var patience: TimeSpan? { isOptional ? .milliseconds(500) : nil }

    /// Whether a Command Status of success is all the answer there is.
    var isAnsweredByStatus: Bool {
        switch self {
        case .initiator(.create), .application: true
        case .connection(_, let command): command.isAnsweredByStatus
        default: false
        }
    }
}

/// The commands that concern one connection.
enum ConnectionCommand: Equatable, Sendable {
    case order(ConnectionOrder)
    case update
    /// The answer to the peer's request for other parameters, and whether it grants the request.
    case parameterReply
    /// As central: the link is to be encrypted.
    case encrypt
    /// As peripheral: the key that the controller has asked for.
    case keyReply
    /// The host itself needs to know what the peer can do.
    case readFeatures
    /// The host itself requests LE 2M.
    case setPHYs

    var isAnsweredByStatus: Bool {
        switch self {
        case .order(.disconnect), .order(.readRemoteVersion), .order(.readRemoteFeatures), .order(.setPHYs), .update,
            .encrypt, .readFeatures, .setPHYs:
            true
        case .order(.readRSSI), .order(.setDataLength), .order(.readPHYs), .parameterReply,
            .keyReply:
            false
        }
    }
}
