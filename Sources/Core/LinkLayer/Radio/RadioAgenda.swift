import BluethroatRadioMedium
import BluethroatVirtualTime

/// One use of the controller's radio: advertising, scanning and initiating, a connection, and whatever comes to that.
///
/// An activity books the time that it needs. By the rules in `RadioSchedule` it is then granted the radio, deferred, or
/// cut short while it has it. As long as it has the radio, what the radio does comes to it.
///
/// A new kind is a type of its own in a file of its own, and one call of `RadioAgenda.add`.
protocol RadioActivity: AnyObject {
    /// When the radio is needed next; nil while it is not, or while the activity has it.
    func booking(in controller: inout ControllerCore) -> RadioBooking?
    /// How urgent the activity is while it has the radio.
    func priority(in controller: inout ControllerCore) -> RadioPriority
    /// Whether what it does with the radio at the moment must not be ended by an activity that has time to wait.
    func isBusy(in controller: inout ControllerCore) -> Bool

    /// The activity has the radio from now on, until `Controller.radioFreed`.
    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)
    /// The latest start has come, and the radio is not free. From now on it must be booked for a later instant, or not.
    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)
    /// Another activity takes the radio now.
    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)

    /// The frame ordered last has gone out.
    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)
    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    )
    /// The time to listen passed without a frame.
    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)
    /// The space between two frames is over.
    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions)
}

/// The time for which an activity needs the radio.
struct RadioBooking: Sendable {
    let start: Instant
    /// After that it is of no use to begin.
    let latestStart: Instant
    /// How long the radio is needed at least.
    let span: TimeSpan
    let priority: RadioPriority
}

/// Which of two activities has the radio.
struct RadioPriority: Sendable {
    enum Rank: Int, Comparable, Sendable {
        /// Fills the time that nothing else needs.
        case filler
        /// Needs the radio at some time, and can wait.
        case flexible
        /// Needs the radio at an instant that the peer knows.
        case fixed

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let rank: Rank
    /// How often in a row an activity missed a fixed start. Of two, the one that missed more goes first.
    var missedInARow = 0
}

/// Which activity has the radio, and which other activities than those of each controller there are.
struct RadioAgenda {
    private struct Entry {
        let activity: any RadioActivity
        /// Whether its time has come and the radio was not free.
        var isHeldUp = false
    }

    private(set) var holder: (any RadioActivity)?
    /// Until when the holder keeps the radio even against fixed starts.
    private(set) var protectedUntil = Instant.zero
    private var entries: [Entry] = []

    var isFree: Bool { holder == nil }
    /// Activities that were added, beside advertising, observing and connections.
    var isExtended: Bool { !entries.isEmpty }

    func isHeld(by activity: any RadioActivity) -> Bool { holder === activity }

    mutating func give(to activity: any RadioActivity) { holder = activity }

    mutating func release() { holder = nil }

    mutating func protect(until end: Instant) { protectedUntil = end }

    // MARK: Added activities

    mutating func add(_ activity: any RadioActivity) { entries.append(Entry(activity: activity)) }

    mutating func remove(_ activity: any RadioActivity) { entries.removeAll { $0.activity === activity } }

    var added: [any RadioActivity] { entries.map(\.activity) }

    mutating func setHeldUp(_ activity: any RadioActivity, _ isHeldUp: Bool) {
        for index in entries.indices where entries[index].activity === activity { entries[index].isHeldUp = isHeldUp }
    }

    /// When an added activity needs the radio next, or cannot wait any longer.
    func nextDeadline(in controller: inout ControllerCore) -> Instant? {
        entries.compactMap { entry in
            entry.activity.booking(in: &controller).map { entry.isHeldUp ? $0.latestStart : $0.start }
        }.min()
    }

    /// What added activities have booked that cannot wait.
    func fixedBookings(in controller: inout ControllerCore, except activity: (any RadioActivity)?) -> [RadioBooking] {
        entries.compactMap { entry in
            guard entry.activity !== activity, !isHeld(by: entry.activity) else { return nil }
            return entry.activity.booking(in: &controller).flatMap { $0.priority.rank == .fixed ? $0 : nil }
        }
    }
}
