import BluethroatVirtualTime

/// Finds out whether time stands still because devices, or scheduled actions, keep a world busy at one instant.
///
/// Each device counts its own steps, so that a crowd that starts at one instant is no stall. What devices do is noted
/// only when one of them comes near the limit.
struct StallWatch {
    /// How many of the last steps before the limit are looked at.
    private static let noted = 1_000
    /// A device that did less than so much of what the busiest did is not named.
    private static let share = 10

    var limit: Int {
        didSet { noteFrom = limit - min(Self.noted, limit / 2) }
    }
    /// From which step on of a device it is noted what devices do.
    private(set) var noteFrom: Int
    /// Counts the instants and the calls from outside: steps are counted anew in each of them.
    private(set) var turn: UInt64 = 1
    private(set) var report: StallReport?
    private(set) var isStalled = false
    /// Whether it is noted what devices do.
    private(set) var isNoting = false

    private var participants: [StallReport.Participant] = []
    private var actionCount = 0

    init(limit: Int) {
        self.limit = limit
        noteFrom = limit - min(Self.noted, limit / 2)
    }

    /// Time has passed, or a call from outside begins.
    mutating func beginTurn() {
        turn &+= 1
        actionCount = 0
        guard isNoting else { return }
        isNoting = false
        participants = []
    }

    /// A device has made so many steps in this turn, at least `noteFrom`; whether it may go on.
    mutating func mayGoOn(steps: Int, at now: Instant) -> Bool {
        isNoting = true
        guard steps > limit else { return true }
        if !isStalled { stop(at: now, action: nil) }
        return false
    }

    /// An action that was scheduled for the present instant within this turn is carried out; whether it may be.
    mutating func mayGoOn(with action: borrowing ScheduledAction, at now: Instant) -> Bool {
        actionCount += 1
        if actionCount >= noteFrom { isNoting = true }
        guard actionCount > limit else { return true }
        stop(at: now, action: StallReport.Action(fileID: "\(action.fileID)", line: UInt(action.line)))
        return false
    }

    /// A timer of a device has run out.
    mutating func note(
        _ device: Device,
        timer: WritableKeyPath<StallReport.Participant, Int>,
        at deadline: Instant
    ) {
        let index = index(of: device)
        participants[index][keyPath: timer] += 1
        participants[index].lastDeadline = deadline
    }

    /// An HCI packet passes between the two sides of a device.
    mutating func note(_ device: Device, packet: [UInt8], fromHost: Bool) {
        let index = index(of: device)
        if fromHost { participants[index].packetsToController += 1 } else { participants[index].packetsToHost += 1 }
        participants[index].lastPacket = packet
    }

    private mutating func index(of device: Device) -> Int {
        if let index = participants.firstIndex(where: { $0.device == device.id }) { return index }
        participants.append(StallReport.Participant(device.id, device.name))
        return participants.count - 1
    }

    mutating func resume() {
        report = nil
        isStalled = false
        beginTurn()
    }

    private mutating func stop(at now: Instant, action: StallReport.Action?) {
        isStalled = true
        let most = participants.map(\.total).max() ?? 0
        report = StallReport(
            instant: now,
            steps: limit,
            participants: participants.filter { $0.total * Self.share >= most }
                .sorted { ($1.total, $0.device) < ($0.total, $1.device) },
            action: action
        )
    }
}
