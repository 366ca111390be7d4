import BluethroatWorkbench

/// Tells all listeners of a panel what has changed since it was last told.
///
/// A listener that comes is told what is so, which is not what the others were told last: where that is not remembered, a
/// change that leads back to it is told to nobody.
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
