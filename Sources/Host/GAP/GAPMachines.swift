internal import VirtualTime

/// What GAP has under way apart from connections: one of each.
struct GAPMachines {
    var advertiser = Advertiser()
    var scanner = Scanner()
    var initiator = Initiator()
    var filterAcceptList = FilterAcceptList()

    /// Nothing is under way that may be using the filter accept list.
    var isIdle: Bool { advertiser.isIdle && scanner.isIdle && initiator.isIdle && filterAcceptList.isIdle }

    /// The earliest of their deadlines; the distant future if there is none.
    var nextDeadline: Instant {
        var earliest = Instant.distantFuture
        if let deadline = advertiser.deadline { earliest = min(earliest, deadline) }
        if let deadline = scanner.deadline { earliest = min(earliest, deadline) }
        if let deadline = initiator.deadline { earliest = min(earliest, deadline) }
        return earliest
    }

    /// Does what is due at `now`.
    mutating func expire(at now: Instant, commands: inout CommandPipeline, events: inout [HostEvent]) {
        advertiser.expire(at: now, commands: &commands)
        scanner.expire(at: now, commands: &commands)
        initiator.expire(at: now, commands: &commands, events: &events)
    }
}
