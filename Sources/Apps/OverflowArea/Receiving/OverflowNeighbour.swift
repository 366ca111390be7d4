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
    /// What was seen that speaks for each byte of a payload.
    public var evidence = PayloadEvidence()

    /// The confidence in each byte of the last payload that was believed, 0 to 1; empty if there is none.
    public var confidence: [Double] {
        guard evidence.frames > 0, let payload else { return [] }
        return evidence.confidence(in: payload)
    }
}

extension OverflowNeighbour {
    /// What was heard last is a payload that can be believed.
    mutating func believe(_ bytes: [UInt8], at place: Int?) {
        (verdict, position) = (.believed, place)
        payload = bytes
        readings += 1
        firstBelieved = firstBelieved ?? lastHeard
    }
}

extension [OverflowNeighbour] {
    /// So many phones are known at a time: whoever is near can play any number of them.
    static var limit: Int { 256 }

    /// Takes note of an advertisement, and of what was made of it. Returns whom it has forgotten for that, if anybody: the
    /// one that was silent for longest.
    @discardableResult
    mutating func note(
        _ peer: UUID,
        _ mask: OverflowMask,
        rssi: Int,
        at time: TimeInterval,
        _ judge: (inout OverflowNeighbour) -> Void
    ) -> UUID? {
        var forgotten: UUID?
        var index = firstIndex { $0.id == peer } ?? endIndex
        if index == endIndex {
            let oldest = count < Self.limit ? nil : indices.min { self[$0].lastHeard < self[$1].lastHeard }
            if let oldest { forgotten = remove(at: oldest).id }
            index = endIndex
            append(OverflowNeighbour(id: peer))
        }
        self[index].mask = mask
        self[index].rssi = rssi
        self[index].lastHeard = time
        self[index].sightings += 1
        judge(&self[index])
        return forgotten
    }
}
