import AirPackets
import BluetoothValues
import VirtualTime

/// Who gets the radio when several want it.
///
/// 1. A connection event takes the radio from advertising, scanning and initiating, even in the middle of a frame.
/// 2. Between connections, whoever is on the air keeps it; the other passes its event over. The one that has passed
///    over more events in a row wins, so two whose events always meet take turns.
/// 3. A connection event goes on with further exchanges only while they end before the next event of any connection.
/// 4. An advertising event, a scan request or a connection request begins only if it ends before the next connection
///    event; an advertising event that cannot begin waits for the end of that event.
/// 5. Scanning and initiating fill what is left.
extension Controller {
    /// Time kept free before a connection event for the radio to change over.
    static var changeover: TimeSpan { TimeSpan.microseconds(150) }
    /// How far a frame may begin before or after the end of the inter frame space. Core 6.0, Vol 6, Part B, 4.2.1.
    static var activeClockTolerance: TimeSpan { TimeSpan.microseconds(2) }

    /// When the next event of another connection begins, or the next at all.
    func nextConnectionStart(except slot: Int? = nil) -> Instant {
        var next = Instant.distantFuture
        for index in connections.indices where index != slot {
            if let connection = connections[index], connection.event.phase == .idle {
                next = min(next, connection.nextStart)
            }
        }
        return next
    }

    /// Whether something as long as `span` can be done before the next connection event.
    func hasRoom(for span: TimeSpan, at now: Instant) -> Bool {
        now + span + Self.changeover <= nextConnectionStart()
    }

    /// Whether the event of a connection may begin although the radio, or the near future, belongs to others.
    func wins(_ slot: Int, at now: Instant) -> Bool {
        guard let connection = connections[slot] else { return false }
        if case .connection(let holder) = radio {
            guard let other = connections[holder] else { return true }
            return connection.missedEvents > other.missedEvents
        }
        let end = now + connection.exchangeSpan()
        for index in connections.indices where index != slot {
            guard let other = connections[index], other.event.phase == .idle else { continue }
            if other.nextStart < end, other.missedEvents > connection.missedEvents { return false }
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
        radio = .idle
        turnaround = nil
        expireAdvertising(at: now, into: &actions)
        if radio == .idle { observe(at: now, into: &actions) }
    }

    /// Takes the radio away from whoever has it.
    func takeRadio(at now: Instant, into actions: inout ControllerActions) {
        switch radio {
        case .idle: return
        case .advertising: interruptAdvertising(at: now)
        case .observing: interruptObserving()
        case .connection(let slot): closeEvent(slot, at: now)
        }
        actions.radio.append(.stop)
        radio = .idle
        turnaround = nil
    }
}
