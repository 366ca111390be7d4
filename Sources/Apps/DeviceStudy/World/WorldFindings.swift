import BluethroatBluetoothValues
import BluethroatRanks
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

/// What was measured in a world, or in one rank's part of it; times in seconds.
struct WorldFindings: Codable, Sendable {
    /// A device that listens and one that advertises, by their numbers, of which there is something to say.
    struct Pair: Codable, Sendable {
        let listener: UInt32
        let advertiser: UInt32
        /// Whether they were in reach while it was measured.
        let isReached: Bool
        /// From then to the first advertisement; nil if there was none.
        let latency: Double?
        let events: Int
        let eventsReceived: Int
        let frames: Int
        let framesReceived: Int
        let reach: Double
        let detected: Double

        init?(_ pair: AirLedger.Pair, listener: DeviceID, advertiser: DeviceID) {
            guard pair.reachedAt != nil || pair.events > 0 || pair.reach > 0 else { return nil }
            self.listener = listener.rawValue
            self.advertiser = advertiser.rawValue
            isReached = pair.reachedAt != nil
            if let found = pair.discoveredAt, let reached = pair.reachedAt {
                latency = max(0, (found - reached).inSeconds)
            } else {
                latency = nil
            }
            (events, eventsReceived) = (pair.events, pair.eventsReceived)
            (frames, framesReceived) = (pair.frames, pair.framesReceived)
            (reach, detected) = (pair.reach, pair.detected)
        }
    }

    /// What a central has done.
    struct Central: Codable, Sendable {
        let device: UInt32
        let connectTimes: [Double]
        let attempts: Int
        /// In bits a second.
        let rate: Double
        let roundTrips: [Double]

        init(_ app: CentralApp, _ device: DeviceID) {
            self.device = device.rawValue
            (connectTimes, attempts, roundTrips) = (app.connectTimes, app.attempts, app.roundTrips)
            if let first = app.firstValue, let last = app.lastValue, last > first {
                rate = 8 * Double(app.bytes) / (last - first).inSeconds
            } else {
                rate = 0
            }
        }
    }

    /// The parts of a device's current, in amperes.
    struct Current: Codable, Sendable {
        let device: UInt32
        let group: String
        let sending: Double
        let receiving: Double
        let sleeping: Double
    }

    /// By their listeners, then by their advertisers.
    var pairs: [Pair] = []
    /// By their numbers, as what follows.
    var centrals: [Central] = []
    var currents: [Current] = []
    /// How long each task took; nil for one that was not done.
    var tasks: [Double?] = []
    /// Frames that are over, and those of them that met another one; receptions that were whole, and those that others spoilt
    /// or kept from beginning. Not of parts.
    var frames = 0
    var framesMet = 0
    var received = 0
    var lost = 0
    var transmissions = 0
    var digest: UInt64 = 0

    /// What was measured in the whole world, from what each part knows. All ranks call this together and get the same.
    func joined(_ ranks: any Ranks) throws -> WorldFindings {
        var joined = self
        joined.pairs = []
        joined.centrals = []
        joined.currents = []
        joined.transmissions = 0
        for (rank, bytes) in try ranks.share(Array(JSONEncoder().encode([self]))).enumerated() {
            for part in try ranks.understood([WorldFindings].self, bytes, of: rank, count: 1) {
                joined.pairs += part.pairs
                joined.centrals += part.centrals
                joined.currents += part.currents
                joined.transmissions += part.transmissions
            }
        }
        joined.pairs.sort { ($0.listener, $0.advertiser) < ($1.listener, $1.advertiser) }
        joined.centrals.sort { $0.device < $1.device }
        joined.currents.sort { $0.device < $1.device }
        return joined
    }
}
