/// What is done when a world gets to an instant.
struct ScheduledAction {
    let action: (World) -> Void
    /// Whether it was scheduled, while the world ran, for the instant at which that happened.
    let isForPresent: Bool
    /// Where it was scheduled.
    let fileID: StaticString
    let line: UInt
}

/// The actions that wait for their instant, each in a numbered place that is used again afterwards.
struct ScheduledActions {
    private var places: [ScheduledAction?] = []
    private var free: [UInt32] = []

    /// The number under which the action is found until it is taken out.
    mutating func insert(_ action: ScheduledAction) -> UInt32 {
        if let number = free.popLast() {
            places[Int(number)] = action
            return number
        }
        places.append(action)
        return UInt32(places.count - 1)
    }

    subscript(number: UInt32) -> ScheduledAction {
        guard let action = places[Int(number)] else { preconditionFailure("action \(number) was carried out") }
        return action
    }

    mutating func remove(_ number: UInt32) {
        places[Int(number)] = nil
        free.append(number)
    }
}
