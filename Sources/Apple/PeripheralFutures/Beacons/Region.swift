/// What is known of a region that is watched.
public enum RegionState: Hashable, Sendable {
    /// It is watched from now on.
    case start
    case unknown
    case inside
    case outside
}

/// Somewhere to be.
public class Region: @unchecked Sendable {
    /// Where changes are reported while the region is watched.
    public let regionPromise: StreamPromise<RegionState>
    let clRegion: CLRegion

    public var identifier: String { clRegion.identifier }

    /// Whether an app is notified when its device enters.
    public var notifyOnEntry: Bool {
        get { clRegion.notifyOnEntry }
        set { clRegion.notifyOnEntry = newValue }
    }

    /// Whether an app is notified when its device leaves.
    public var notifyOnExit: Bool {
        get { clRegion.notifyOnExit }
        set { clRegion.notifyOnExit = newValue }
    }

    init(_ region: CLRegion, capacity: Int) {
        clRegion = region
        regionPromise = StreamPromise(capacity: capacity)
    }
}
