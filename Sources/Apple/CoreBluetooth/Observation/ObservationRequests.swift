import Foundation

/// Lets modules that do not know this one observe its objects: the module `Combine` of `Shims` does.
///
/// They post `BluethroatObserveProperties` with the object. In `userInfo` there is a function under `look`, of the type
/// `() -> Void`, which is called after each change of the object, and an `NSMutableDictionary` under `answer`, which gets a
/// function of that type under `stop`, which ends it. Nothing is answered for other objects.
enum ObservationRequests {
    static let name = Notification.Name("BluethroatObserveProperties")

    /// Begins to listen, at the first use.
    static let listening: Void = {
        // Kept by the centre for as long as the process runs.
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { request in
            guard let subject = request.object as? any ObservableProperties,
                let look = request.userInfo?["look"] as? () -> Void,
                let answer = request.userInfo?["answer"] as? NSMutableDictionary
            else { return }
            let calls = Unchecked(value: look)
            let observers = subject.observers
            let number = observers.add { calls.value() }
            let stop: () -> Void = { observers.remove(number) }
            answer["stop"] = stop
        }
    }()
}
