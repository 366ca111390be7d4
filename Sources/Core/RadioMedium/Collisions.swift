/// How often frames met on the air: two on one channel at the same time.
public struct Collisions: Equatable, Sendable {
    /// Frames that began while another was on their channel. Where both were far apart no reception was harmed.
    public var frames = 0
    /// Frames that a radio would have received if another had not drowned them, spoilt their bits, or had the radio busy; once
    /// for each of the radios that listened.
    public var receptions = 0

    public init() {}
}
