public import BluethroatSimulation
public import BluethroatVirtualTime

extension World {
    /// Runs until something has happened that a scene is for; fails where it does not within the limit.
    public func expect(_ what: String, within limit: TimeSpan, _ condition: () -> Bool) throws(SceneFailure) {
        guard run(for: limit, until: condition) else { throw SceneFailure("not within \(limit): \(what)") }
    }
}
