/// Why an app does not learn of services in the overflow area.
public enum OverflowObstacle: String, Hashable, Sendable, CaseIterable {
    case poweredOff
    /// It does not scan, or may not at the moment.
    case noScan
    /// It scans for everything; only an app that lists services learns of those.
    case noServicesListed
    case darkScreen
    /// It is off the screen and ranges no beacons.
    case noRanging
}
