import BluethroatVirtualTime
import SceneRecords

/// Key fobs and centrals that walk about.
enum KeyFobScenes {
    static let all = [
        RecordedScene("key-fobs", seeds: 8) { seed in
            var fobs = KeyFobWorld(seed: seed)
            fobs.run(seconds: 15)
            guard fobs.presses > 0, fobs.meetings > 0 else { throw SceneFailure("no central met a key fob") }
            return SceneRecord(fobs.world)
        }
    ]
}
