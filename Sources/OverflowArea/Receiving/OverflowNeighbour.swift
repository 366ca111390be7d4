public import Foundation

/// What an app believes of another phone, for people to look at.
public struct OverflowNeighbour: Hashable, Sendable, Identifiable {
    /// What an advertisement was taken for.
    public enum Verdict: String, Hashable, Sendable, Codable {
        /// A payload that can be believed.
        case believed
        /// Nothing of the kind that is looked for.
        case notFound
        /// In a position that was not seen empty yet.
        case unverified
        /// In a position with other bits in it.
        case polluted
    }

    /// What its system calls the phone.
    public let id: UUID
    /// What was in its overflow area last.
    public var mask = OverflowMask()
    /// What is known of the positions; empty where there are none.
    public var statuses: [BankStatuses.Status] = []
    /// What was made of what was heard last, and in which position it was.
    public var verdict = Verdict.notFound
    public var position: Int?
    /// The last payload that was believed.
    public var payload: [UInt8]?
    /// When it was believed first, in seconds of the app's clock.
    public var firstBelieved: TimeInterval?
    public var sightings = 0
    /// How often a payload was believed.
    public var readings = 0
    /// In seconds of the app's clock.
    public var lastHeard: TimeInterval = 0
    /// dBm; 127 if unknown.
    public var rssi = 127
}

/// What an app in the overflow area does and knows, for people to look at.
public struct OverflowState: Hashable, Sendable {
    /// What it wants to be sent; nil if nothing. Whether the phone sends it is another matter.
    public var sent: OverflowMask?
    /// Where the payload is, counted from 0; nil where nothing takes turns.
    public var position: Int?
    public var isScanning = false
    public var notificationCount = 0
    /// The phones that were heard, in the order in which they came.
    public var neighbours: [OverflowNeighbour] = []
}
