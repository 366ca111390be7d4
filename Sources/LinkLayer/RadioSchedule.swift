import AirPackets
import BluetoothValues
import VirtualTime

/// Who gets the radio when several want it.
///
/// 1. A connection event takes the radio from advertising, scanning and initiating, even in the middle of a frame,
///    unless rule 5 protects it.
/// 2. Between connections, whoever is on the air keeps it; the other passes its event over. The one that has passed
///    over more events in a row wins, so two whose events always meet take turns.
/// 3. A connection event goes on with further exchanges only while they end before the next event of any connection,
///    and while nobody else waits: see `mustYield`.
/// 4. An advertising PDU, a scan request or a connection request goes out only if it is over, answer included, before
///    the next connection event; advertising that cannot go on waits for the end of that event.
/// 5. Advertising that has waited longer than `patience`, and every connection request, may cost connections one event
///    each, but none that has just passed one over.
/// 6. Scanning and initiating fill what is left.
extension Controller {
    /// Time kept free before a connection event for the radio to change over.
    static var changeover: TimeSpan { TimeSpan.microseconds(150) }
    /// How long advertising, scanning and initiating are put off for the sake of connections.
    static var patience: TimeSpan { TimeSpan.milliseconds(100) }
    /// The time that an advertising event takes on three channels, answers included.
    static var leastYield: TimeSpan { TimeSpan.milliseconds(5) }
    /// How far a frame may begin before or after the end of the inter frame space. Core 6.0, Vol 6, Part B, 4.2.1.
    static var activeClockTolerance: TimeSpan { TimeSpan.microseconds(2) }

    /// When the next event of another connection begins, or the next at all.
    func nextConnectionStart(except slot: Int? = nil) -> Instant {
        var next = Instant.distantFuture
        for index in connections.indices where index != slot {
            if let start = connections[index]?.connection.nextStart { next = min(next, start) }
        }
        return next
    }

    /// Whether something as long as `span` can be done before the next connection event.
    func hasRoom(for span: TimeSpan, at now: Instant) -> Bool {
        now + span + Self.changeover <= nextConnectionStart()
    }

    /// Whether something as long as `span` may be done although connection events would begin meanwhile: each of the
    /// connections concerned can do without this event.
    func mayPostponeConnections(for span: TimeSpan, at now: Instant) -> Bool {
        let end = now + span + Self.changeover
        for case let box? in connections {
            if let start = box.connection.nextStart, start < end, box.connection.schedule.missedInARow > 0 {
                return false
            }
        }
        return true
    }

    /// Whether a connection that could fill its event any longer has to leave the radio to others.
    ///
    /// They get the last quarter of an interval, if that is long enough for an advertising event; else the rest of one
    /// interval each time that their patience is at its end.
    func mustYield(_ box: ConnectionBox, at now: Instant) -> Bool {
        let isHeldUp = advertiser.phase == .heldUp
        guard isHeldUp || scanner != nil || initiator != nil else { return false }
        let interval = box.connection.parameters.interval.span, quarter = interval / 4
        let isLate = now >= box.connection.schedule.anchor + interval - quarter
        if isHeldUp {
            if quarter >= Self.leastYield ? isLate : now - advertiser.nextEvent > Self.patience { return true }
        }
        guard now - lastObserved > Self.patience, isLate || quarter < Self.leastYield else { return false }
        return scanner?.schedule.state(at: now).channel != nil || initiator?.schedule.state(at: now).channel != nil
    }

    /// Whether the event of a connection may begin although the radio, or the near future, belongs to others.
    func wins(_ slot: Int, at now: Instant) -> Bool {
        guard let box = connections[slot] else { return false }
        let missed = box.connection.schedule.missedInARow
        switch radio {
        case .connection(let holder):
            guard let other = connections[holder] else { return true }
            return missed > other.connection.schedule.missedInARow
        case .advertising, .observing:
            if now < protectedUntil { return false }
        case .idle: break
        }
        let end = now + box.connection.exchangeSpan()
        for index in connections.indices where index != slot {
            guard let other = connections[index], let start = other.connection.nextStart else { continue }
            if start < end, other.connection.schedule.missedInARow > missed { return false }
        }
        return true
    }

    /// A listening window around the end of the inter frame space that begins now.
    func answerWindow(after now: Instant) -> (since: Instant, until: Instant) {
        let expected = now + AirTime.interFrameSpace
        return (expected - Self.activeClockTolerance, expected + Self.activeClockTolerance)
    }

    /// The radio has nothing to do: whoever was held up goes on.
    func radioFreed(at now: Instant, into actions: inout ControllerActions) {
        if radio == .observing { lastObserved = now }
        radio = .idle
        deadlines.disarm(.turnaround)
        goOnAdvertising(at: now, into: &actions)
        if radio == .idle { observe(at: now, into: &actions) }
    }

    /// Gives the radio to an activity. Nothing waits for a scan window meanwhile: when the radio is free, it is looked for
    /// again.
    func giveRadio(to use: RadioUse) {
        radio = use
        deadlines.disarm(.observation)
    }

    /// Takes the radio away from whoever has it.
    func takeRadio(at now: Instant, into actions: inout ControllerActions) {
        guard radio != .idle else { return }
        let holder = radio
        actions.radio.append(.stop)
        radio = .idle
        deadlines.disarm(.turnaround)
        switch holder {
        case .idle: break
        case .advertising: interruptAdvertising()
        case .observing:
            lastObserved = now
            observation = .listening
        case .connection(let slot): closeEvent(slot, at: now, into: &actions)
        }
    }
}
