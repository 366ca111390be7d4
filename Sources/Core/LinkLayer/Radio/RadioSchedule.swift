import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime

/// Which activity gets the radio when several want it.
///
/// 1. A connection event takes the radio from advertising, scanning and initiating, even in the middle of a frame,
///    unless rule 5 protects it.
/// 2. Between connections, the one that is on the air keeps it; the other passes its event over. The one that has passed
///    over more events in a row wins, so two whose events always meet take turns.
/// 3. A connection event goes on with further exchanges only while they end before the next event of any connection,
///    and while no other activity waits: see `mustYield`.
/// 4. An advertising PDU, a scan request or a connection request goes out only if it is over, answer included, before
///    the next connection event; advertising that cannot go on waits for the end of that event.
/// 5. Advertising that has waited longer than `patience`, and every connection request, may cost connections one event
///    each, but none that has just passed one over.
/// 6. Scanning and initiating fill what is left.
///
/// The rules know activities by what they have booked: connections by fixed starts, advertising by a time that can
/// wait, scanning and initiating by none. Activities that are added follow the same rules by their priority's rank.
extension ControllerCore {
    /// Time kept free before a connection event for the radio to change over.
    static var changeover: TimeSpan { TimeSpan.microseconds(150) }
    /// How long advertising, scanning and initiating are put off for the sake of connections.
    static var patience: TimeSpan { TimeSpan.milliseconds(100) }
    /// The time that an advertising event takes on three channels, answers included.
    static var leastYield: TimeSpan { TimeSpan.milliseconds(5) }
    /// How far a frame may begin before or after the end of the inter frame space. Core 6.0, Vol 6, Part B, 4.2.1.
    static var activeClockTolerance: TimeSpan { TimeSpan.microseconds(2) }

    /// The next fixed start of any activity, or of any other than one.
    mutating func nextFixedStart(except activity: (any RadioActivity)? = nil) -> Instant {
        var next = Instant.distantFuture
        for case let box? in connections where box !== activity {
            if let start = box.connection.nextStart, start < next { next = start }
        }
        for booking in addedFixedBookings(except: activity) { next = min(next, booking.start) }
        return next
    }

    /// What added activities have booked that cannot wait.
    private mutating func addedFixedBookings(except activity: (any RadioActivity)?) -> [RadioBooking] {
        guard agenda.isExtended else { return [] }
        // A copy: the activities are lent the controller, agenda and all.
        let agenda = agenda
        return agenda.fixedBookings(in: &self, except: activity)
    }

    /// Whether something as long as `span` can be done before the next fixed start.
    mutating func hasRoom(for span: TimeSpan, at now: Instant) -> Bool {
        now + span + Self.changeover <= nextFixedStart()
    }

    /// Whether something as long as `span` may be done although fixed bookings start meanwhile: each of the activities
    /// concerned can do without this one.
    mutating func mayPostponeFixedBookings(for span: TimeSpan, at now: Instant) -> Bool {
        let end = now + span + Self.changeover
        for case let box? in connections {
            if let start = box.connection.nextStart, start < end, box.connection.schedule.missedInARow > 0 {
                return false
            }
        }
        return !agenda.isExtended
            || addedFixedBookings(except: nil).allSatisfy {
                $0.start >= end || $0.priority.missedInARow == 0
            }
    }

    /// Whether a connection that could fill its event any longer has to leave the radio to others.
    ///
    /// They get the last quarter of an interval, if that is long enough for an advertising event; else the rest of one
    /// interval each time that their patience is at its end.
    mutating func mustYield(_ box: ConnectionBox, at now: Instant) -> Bool {
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

    // MARK: Granting

    /// Whether an activity may have the radio now.
    mutating func grants(_ booking: RadioBooking, to activity: any RadioActivity, at now: Instant) -> Bool {
        if let holder = agenda.holder, holder !== activity {
            guard takes(booking, from: holder, at: now) else { return false }
            if holder.priority(in: &self).rank == .fixed { return true }
        }
        switch booking.priority.rank {
        case .fixed: return !isDue(before: now + booking.span, moreThan: booking, of: activity)
        case .flexible:
            if hasRoom(for: booking.span, at: now) { return true }
            guard now - booking.start > Self.patience, mayPostponeFixedBookings(for: booking.span, at: now) else {
                return false
            }
            agenda.protect(until: now + booking.span)
            return true
        case .filler: return true
        }
    }

    /// Whether an activity may take the radio away from the one that has it.
    private mutating func takes(_ booking: RadioBooking, from holder: any RadioActivity, at now: Instant) -> Bool {
        let held = holder.priority(in: &self)
        guard booking.priority.rank == .fixed else {
            return held.rank < booking.priority.rank && !holder.isBusy(in: &self)
        }
        guard held.rank == .fixed else { return now >= agenda.protectedUntil }
        return booking.priority.missedInARow > held.missedInARow
    }

    /// Whether another activity that has missed more has a fixed start before an instant.
    private mutating func isDue(before end: Instant, moreThan booking: RadioBooking, of activity: any RadioActivity)
        -> Bool
    {
        let missed = booking.priority.missedInARow
        for case let box? in connections where box !== activity {
            guard let start = box.connection.nextStart else { continue }
            if start < end, box.connection.schedule.missedInARow > missed { return true }
        }
        return agenda.isExtended
            && addedFixedBookings(except: activity).contains {
                $0.start < end && $0.priority.missedInARow > missed
            }
    }

    /// The time of an activity has come: it is granted the radio, or deferred; or it waits until the radio is free, and then
    /// the answer is true.
    @discardableResult
    mutating func request(
        _ booking: RadioBooking,
        for activity: any RadioActivity,
        at now: Instant,
        into actions: inout ControllerActions
    ) -> Bool {
        if grants(booking, to: activity, at: now) {
            takeRadio(at: now, into: &actions)
            giveRadio(to: activity)
            activity.granted(by: &self, at: now, into: &actions)
        } else if booking.latestStart <= now {
            activity.deferred(by: &self, at: now, into: &actions)
        } else {
            return true
        }
        return false
    }

    /// What activities that were added have booked for now, or for before and could not have.
    mutating func serveAdded(at now: Instant, into actions: inout ControllerActions) {
        guard agenda.isExtended else { return }
        for activity in agenda.added where !agenda.isHeld(by: activity) {
            guard let booking = activity.booking(in: &self), booking.start <= now else { continue }
            agenda.setHeldUp(activity, request(booking, for: activity, at: now, into: &actions))
        }
    }

    /// A listening window around the end of the inter frame space that begins now.
    mutating func answerWindow(after now: Instant) -> (since: Instant, until: Instant) {
        let expected = now + AirTime.interFrameSpace
        return (expected - Self.activeClockTolerance, expected + Self.activeClockTolerance)
    }

    /// The radio has nothing to do: activities that wait for it go on.
    mutating func radioFreed(at now: Instant, into actions: inout ControllerActions) {
        if isObserving { lastObserved = now }
        releaseRadio()
        serveAdded(at: now, into: &actions)
        goOnAdvertising(at: now, into: &actions)
        if agenda.isFree { observe(at: now, into: &actions) }
    }

    // There is one object of each of these types. To compare with it would mean to look it up.
    var isObserving: Bool { agenda.holder is ObservingActivity }
    var isAdvertising: Bool { agenda.holder is AdvertisingActivity }

    /// Gives the radio to an activity. Nothing waits for a scan window meanwhile: when the radio is free, it is looked for
    /// again.
    mutating func giveRadio(to activity: any RadioActivity) {
        agenda.give(to: activity)
        deadlines.disarm(.observation)
    }

    mutating func releaseRadio() {
        agenda.release()
        deadlines.disarm(.turnaround)
    }

    /// Takes the radio away from the activity that has it.
    mutating func takeRadio(at now: Instant, into actions: inout ControllerActions) {
        guard let holder = agenda.holder else { return }
        actions.radio.append(.stop)
        releaseRadio()
        holder.cutShort(by: &self, at: now, into: &actions)
    }
}
