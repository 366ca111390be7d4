public import Simulation

/// A named life of a small world, of which there are as many as it has seeds.
public struct RecordedScene: Sendable {
    public let name: String
    /// The seeds that are recorded.
    public let seeds: ClosedRange<UInt64>
    private let live: @Sendable (UInt64) throws -> SceneRecord

    /// - Parameter live: lives the life of a seed; throws `SceneFailure` where what the scene is for did not happen.
    public init(_ name: String, seeds count: UInt64, live: @escaping @Sendable (UInt64) throws -> SceneRecord) {
        self.name = name
        seeds = 1...count
        self.live = live
    }

    /// Lives the life of a seed.
    public func record(seed: UInt64) throws -> SceneRecord {
        let record = try live(seed)
        // A world in which next to nothing is sent says nothing about the engine.
        guard record.frames > SceneRecord.fewestFrames else {
            throw SceneFailure("only \(record.frames) frames were sent")
        }
        return record
    }
}

/// What a life leaves behind.
public struct SceneRecord: Hashable, Sendable {
    /// A world that has sent no more frames than this is no record.
    public static let fewestFrames = 50

    /// The digest of all that was on the air, as 16 hexadecimal digits.
    public var digest: String
    /// Frames that were put on the air.
    public var frames: Int

    public init(digest: String, frames: Int) {
        self.digest = digest
        self.frames = frames
    }

    public init(_ world: World) { self.init(digest: "\(world.digest)", frames: world.transmissionCount) }
}

/// What a scene is for did not happen.
public struct SceneFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
