/// What is done when a world gets to an instant.
struct ScheduledAction {
    // The largest first, so that no room is left between them.
    let action: (World) -> Void
    /// Where it was scheduled.
    let fileID: StaticString
    /// Whether it was scheduled, while the world ran, for the instant at which that happened.
    let isForPresent: Bool
    let line: UInt32

    init(isForPresent: Bool, fileID: StaticString, line: UInt, _ action: @escaping (World) -> Void) {
        self.action = action
        self.fileID = fileID
        self.isForPresent = isForPresent
        self.line = UInt32(clamping: line)
    }
}

/// The actions that wait for their instant, each in a place that is used again: a crowd has one for each phone.
struct ScheduledActions {
    private var places: [ScheduledAction?] = []
    private var free: [UInt32] = []

    subscript(place: UInt32) -> ScheduledAction? { places[Int(place)] }

    /// Keeps an action, and answers where.
    mutating func add(_ action: ScheduledAction) -> UInt32 {
        guard let place = free.popLast() else {
            places.append(action)
            return UInt32(places.count - 1)
        }
        places[Int(place)] = action
        return place
    }

    /// Takes an action out of its place.
    mutating func remove(_ place: UInt32) {
        guard places[Int(place)] != nil else { return }
        places[Int(place)] = nil
        free.append(place)
    }
}
