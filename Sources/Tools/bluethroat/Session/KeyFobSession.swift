import BluethroatBondDatabase
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatKeyFobWorld
import BluethroatLive
import BluethroatLiveLoop
import BluethroatTerminal

/// A live key fob from launch to end.
struct KeyFobSession {
    let options: SessionOptions
    let fob: FobChoice
    /// How far the fob is from all other devices on the virtual air.
    let distance: Double
    let bonds: BondOptions

    func run() async throws(ExitStatus) {
        let writer = KeyFobWriter(fob, distance: distance, isJSON: options.json)
        // The fob goes by bonds from earlier runs, and keeps them for later ones, except that a world that is to be the
        // same for the same seed does not.
        let keepsBonds = options.seed == nil || bonds.file.isExplicit
        try await options.run(writer, hasPhones: false) { session, events throws(OperationFailure) in
            KeyFobWorld(
                session,
                events,
                fob: fob,
                distance: distance,
                identity: keepsBonds
                    ? try PersistentIdentity(named: fob.identityName, in: bonds.file, warn: events.warn)
                    : PersistentIdentity()
            )
        } whenLive: { live, _ in
            var input = KeyFobInput(writer.takesKeys ? .keys : .lines, of: fob.vocabulary)
            StandardInput.read { bytes in
                for item in bytes.isEmpty ? input.end() : input.take(bytes) { live.post { $0.obey(item) } }
            }
        }
    }
}
