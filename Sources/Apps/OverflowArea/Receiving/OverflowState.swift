/// What an app in the overflow area does and knows, for people to look at.
public struct OverflowState: Hashable, Sendable {
    /// What it wants to be sent; nil if nothing. Whether the phone sends it is another matter.
    public var sent: OverflowMask?
    /// Where the payload is, counted from 0; nil where nothing takes turns.
    public var position: Int?
    public var isScanning = false
    public var notificationCount = 0
    /// The phones that were heard, in the order in which they came: 256 at most. Where there are more, the one that was
    /// silent for longest is forgotten.
    public var neighbours: [OverflowNeighbour] = []
}
