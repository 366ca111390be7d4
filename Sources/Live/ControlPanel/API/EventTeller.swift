import BluethroatWorkbench

/// Tells all listeners of a panel what has changed since it was last told.
///
/// A new listener is sent the present state, which may differ from what was sent last. It is remembered as sent: otherwise a
/// change back to what was sent before would look like no change, and would be sent to nobody.
protocol EventTeller: Observer {
    var hub: EventHub { get }

    /// Tells those who listen by now, however short a time ago it last did.
    func tellChanges(of workbench: Workbench)

    /// Tells one who has just come, when the others have been told all changes.
    func greet(_ queue: EventQueue, _ workbench: Workbench)
}

extension EventHub {
    /// A new listener, which is told what is so now, and then each change. On the thread that owns the workbench.
    ///
    /// - Parameter topics: nil wants all topics.
    func listen(to topics: Set<String>?, on workbench: Workbench) -> EventQueue {
        let tellers = workbench.observers.compactMap { $0 as? any EventTeller }.filter { $0.hub === self }
        for teller in tellers { teller.tellChanges(of: workbench) }
        let queue = listen(to: topics)
        for teller in tellers { teller.greet(queue, workbench) }
        return queue
    }
}
