/// One line of a record: scene, seed, digest and frames, with tabs between them.
public struct RecordLine: Hashable, Sendable, CustomStringConvertible {
    public var scene: String
    public var seed: UInt64
    public var record: SceneRecord

    public init(scene: String, seed: UInt64, record: SceneRecord) {
        self.scene = scene
        self.seed = seed
        self.record = record
    }

    /// Nil where the text is no such line.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 4, let seed = UInt64(parts[1]), parts[2].count == 16, let frames = Int(parts[3]) else {
            return nil
        }
        self.init(scene: String(parts[0]), seed: seed, record: SceneRecord(digest: String(parts[2]), frames: frames))
    }

    public var description: String { "\(scene)\t\(seed)\t\(record.digest)\t\(record.frames)" }

    /// `pairing-legacy 7`
    var world: String { "\(scene) \(seed)" }
}
