import BluethroatBondDatabase
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatKeyFobWorld
import BluethroatLive
import BluethroatLiveLoop
import BluethroatTerminal

/// Live key fobs from launch to end.
struct KeyFobSession {
    let options: SessionOptions
    let fob: FobChoice
    let count: Int
    /// How far each fob is from all other devices on the virtual air.
    let distance: Double
    let bonds: BondOptions
    let script: KeyFobScript?

    func run() async throws(ExitStatus) {
        let text = KeyFobEventText(fob, count: count, distance: distance, isJSON: options.json)
        let writer = KeyFobWriter(text, isJSON: options.json)
        // The fob goes by bonds from earlier runs, and keeps them for later ones, except that a world that is to be the
        // same for the same seed does not.
        let keepsBonds = options.seed == nil || bonds.file.isExplicit
        try await options.run(writer, hasPhones: false) { session, events throws(OperationFailure) in
            let identities = try (0..<count).map { number throws(OperationFailure) in
                keepsBonds
                    ? try PersistentIdentity(named: fob.identityName(number: number), in: bonds.file, warn: events.warn)
                    : PersistentIdentity()
            }
            return KeyFobWorld(session, events, fob: fob, distance: distance, identities: identities, script: script)
        } whenLive: { live, _ in
            var input = KeyFobInput(writer.takesKeys ? .keys : .lines, of: fob.vocabulary, fobs: count)
            StandardInput.read(pacedBy: live.afterOrders) { bytes in
                for item in bytes.isEmpty ? input.end() : input.take(bytes) { live.post { $0.obey(item) } }
            }
        }
    }
}
