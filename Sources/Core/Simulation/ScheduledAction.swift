/// What is done when a world gets to an instant.
struct ScheduledAction {
    let action: (World) -> Void
    /// Whether it was scheduled, while the world ran, for the instant at which that happened.
    let isForPresent: Bool
    /// Where it was scheduled.
    let fileID: StaticString
    let line: UInt
}
