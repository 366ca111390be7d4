public import Foundation

/// What an installation of MoneyDrop is like. Times are in seconds.
public struct MoneyDropSettings {
    /// Recipients of the first version have no photos, and no channel for them.
    public enum RecipientVersion: UInt8, Sendable {
        case first = 1
        case current = 2
    }

    public var version = RecipientVersion.current
    /// One's own.
    public var photo: Data?
    /// Whether others get it, and may write receipts, over an encrypted connection only: their phones pair with this one
    /// for the photo. Without it the channel is open to whoever is near, everything can be read on the air, and the photo
    /// is there somewhat sooner: as with the first MoneyDrop. Where there is no photo it has no effect.
    public var encryptsChannel = true
    /// Whoever pays has seen the photo, and so has paired.
    var encryptsMessages: Bool { encryptsChannel && photo != nil && version != .first }
    /// Longer photos of others are not fetched.
    public var photoLimit: UInt64 = 256 << 20
    /// What has come of them. In a `PhotoFolder` photos survive the app.
    public var photos: any PhotoStore = MemoryPhotos()
    /// How often the bank is asked for money that has come; after a receipt was written it asks at once.
    public var incomingInterval: TimeInterval = 30
    /// From one try to ask the bank to the next, at first and at most.
    public var firstRetry: TimeInterval = 0.5
    public var lastRetry: TimeInterval = 30
    /// When the bank is asked first whether the recipient knows; then ever later, up to `lastRetry`.
    public var firstSeenCheck: TimeInterval = 2
    /// How long a phone may take to answer.
    public var patience: TimeInterval = 10
    /// So many phones that have not said who they are are waited for at once; for one more the first of them is given up.
    public var mostUnknown = 256
    /// So many phones that have said who they are, and are not connected any more, are remembered; for one more the first of them
    /// is forgotten, unless there is a receipt for it.
    public var mostGone = 256
    /// Photos that are sent at the same time; one more is refused, to be asked for later.
    public var channelLimit = 32
    /// Makes the IDs of transfers.
    public var makeID: () -> UUID = { UUID() }
    /// Whether its managers are restored after the system has ended the app.
    public var isRestored = true
    /// Where streams are scheduled: the run loop of the queue on which the app lives.
    public var runLoop = RunLoop.main

    public init() {}
}
