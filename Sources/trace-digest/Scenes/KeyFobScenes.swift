import SceneRecords
import VirtualTime

/// Key fobs and centrals that walk about.
enum KeyFobScenes {
    static let all = [
        RecordedScene("key-fobs", seeds: 8) { seed in
            var life = KeyFobLife(seed: seed)
            life.live(seconds: 15)
            guard life.presses > 0, life.meetings > 0 else { throw SceneFailure("no central met a key fob") }
            return SceneRecord(life.world)
        }
    ]
}
