import Foundation

/// From the button until a desk is linked: which devices were tried, and whether desks were looked for again.
///
/// What was heard may be stale: a desk that was restarted has another address, and nobody answers at the old one. A device
/// with which there is no link in time is dropped from the registry; when none is left, desks are looked for again, once.
struct DeskReach {
    /// How long a device may take until there is a link, in seconds.
    static let linkSeconds: TimeInterval = 3
    /// How long desks are looked for again and linked, in seconds. One desk is given up after 8 s in all.
    static let againSeconds: TimeInterval = 5

    /// How often a phone that does not know the desk reveals its key for one press. A device that has the key knows the digits before
    /// the phone does, and could break off until they are those of another connection.
    static let mostReveals = 8

    /// Whether a device gave no link in time.
    var isStale = false
    /// Until when the second look lasts; nil before it.
    var deadline: TimeInterval?
    /// Whether the second look has found nothing yet.
    var isLooking = false
    /// Devices that need not be tried any more.
    var tried: Set<UUID> = []
    /// Those of them with which there was a link.
    var linked: Set<UUID> = []
    /// How often the phone has revealed a key.
    var reveals = 0

    /// How long the next device may take until there is a link, in seconds.
    func patience(at now: TimeInterval, isLast: Bool) -> TimeInterval {
        guard let deadline else { return Self.linkSeconds }
        return max(0, isLast ? deadline - now : min(Self.linkSeconds, deadline - now))
    }
}
