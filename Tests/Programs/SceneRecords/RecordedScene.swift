public import BluethroatSimulation

/// A named course of events in a small world; there are as many worlds of it as it has seeds.
public struct RecordedScene: Sendable {
    public let name: String
    /// The seeds that are recorded.
    public let seeds: ClosedRange<UInt64>
    private let run: @Sendable (UInt64) throws -> SceneRecord

    /// - Parameter run: runs the world of a seed; throws `SceneFailure` where what the scene is for did not happen.
    public init(_ name: String, seeds count: UInt64, run: @escaping @Sendable (UInt64) throws -> SceneRecord) {
        self.name = name
        seeds = 1...count
        self.run = run
    }

    /// Runs the world of one of the seeds; throws `SceneFailure` for others.
    public func record(seed: UInt64) throws -> SceneRecord {
        guard seeds.contains(seed) else {
            throw SceneFailure("the seeds are \(seeds.lowerBound) to \(seeds.upperBound)")
        }
        let record = try run(seed)
        // A world in which next to nothing is sent says nothing about the engine.
        guard record.frames > SceneRecord.fewestFrames else {
            throw SceneFailure("only \(record.frames) frames were sent")
        }
        return record
    }
}

/// What is kept of a world that has run.
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
