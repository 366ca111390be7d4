/// What one rank has done and told for a world: what a model of its cost is made from.
public struct PartCosts: Hashable, Sendable {
    /// How often all ranks have waited for each other.
    public var windows = 0
    /// How many messages were sent to other ranks.
    public var messages = 0
    /// How many bytes were in them.
    public var bytes = 0
    /// Frames that radios of this rank have sent.
    public var ownFrames = 0
    /// Frames that other ranks have told.
    public var heardFrames = 0

    public init() {}
}
