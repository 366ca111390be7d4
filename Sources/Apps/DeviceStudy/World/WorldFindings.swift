import BluethroatBluetoothValues
import BluethroatRanks
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

/// What was measured in a world, or in one rank's part of it; times in seconds, currents in amperes.
struct WorldFindings {
    /// The parts of the currents of a group's devices.
    struct Currents {
        var sending: [Double] = []
        var receiving: [Double] = []
        var sleeping: [Double] = []
    }

    /// What is counted.
    struct Counts {
        /// Pairs of a device that listens and one that advertises that were in reach while it was measured.
        var reachedPairs = 0
        /// Advertising events and PDUs of pairs in reach, and those of them that came.
        var events = 0
        var eventsReceived = 0
        var frames = 0
        var framesReceived = 0
        /// Of centrals that wanted to connect.
        var attempts = 0
        var transmissions = 0

        init() {}

        fileprivate init(_ numbers: [UInt64]) {
            let numbers = numbers.map(Int.init(truncatingIfNeeded:))
            (reachedPairs, events, eventsReceived) = (numbers[0], numbers[1], numbers[2])
            (frames, framesReceived, attempts, transmissions) = (numbers[3], numbers[4], numbers[5], numbers[6])
        }

        fileprivate var numbers: [UInt64] {
            [reachedPairs, events, eventsReceived, frames, framesReceived, attempts, transmissions].map { UInt64($0) }
        }
    }

    var counts = Counts()
    /// From when a pair was in reach to the first advertisement.
    var latencies: [Double] = []
    /// For how long a pair was in reach, if it was, and for how long of it something was received.
    var reaches: [Double] = []
    var detections: [Double] = []
    var connectTimes: [Double] = []
    /// In bits a second, for each central.
    var rates: [Double] = []
    var roundTrips: [Double] = []
    /// By group, in the order of the study.
    var currents: [Currents] = []
    var digest: UInt64 = 0

    // What is not known of a world that is divided.

    /// How long each task took; nil for one that was not done.
    var tasks: [Double?] = []
    /// Frames on the air, and those of them that were on their channel with another one; receptions that came whole, and those
    /// that other frames spoilt or kept from beginning.
    var framesOnAir = 0
    var framesMet = 0
    var received = 0
    var lost = 0

    mutating func add(_ pair: AirLedger.Pair) {
        if let reached = pair.reachedAt {
            counts.reachedPairs += 1
            if let found = pair.discoveredAt { latencies.append(max(0, (found - reached).inSeconds)) }
        }
        counts.events += pair.events
        counts.eventsReceived += pair.eventsReceived
        counts.frames += pair.frames
        counts.framesReceived += pair.framesReceived
        guard pair.reach > 0 else { return }
        reaches.append(pair.reach)
        detections.append(pair.detected)
    }

    /// - Parameter end: until when it was measured.
    mutating func add(_ central: CentralApp, until end: Instant) {
        connectTimes += central.connectTimes
        counts.attempts += central.attempts
        roundTrips += central.roundTrips
        guard central.hasTraffic else { return }
        // While there is a connection, what follows on the last value is still to come; without one, nothing is.
        if let first = central.firstValue, let last = central.isConnected ? central.lastValue : end, last > first {
            rates.append(8 * Double(central.bytes) / (last - first).inSeconds)
        } else if !central.isCarrying {
            rates.append(0)
        }
        // Else the second value is still on its way: how fast they come is not known.
    }

    /// What was measured in the whole world, from what each part knows. All ranks call this together, each with its own, and get
    /// the same; numbers are in ascending order, so that their sums do not depend on which rank measured them.
    func joined(_ part: WorldPart) throws(RankFailure) -> WorldFindings {
        let ranks = part.ranks
        var joined = WorldFindings()
        joined.counts = Counts(try ranks.sum(counts.numbers))
        joined.latencies = try ranks.gather(latencies)
        joined.reaches = try ranks.gather(reaches)
        joined.detections = try ranks.gather(detections)
        joined.connectTimes = try ranks.gather(connectTimes)
        joined.rates = try ranks.gather(rates)
        joined.roundTrips = try ranks.gather(roundTrips)
        for currents in currents {
            var all = Currents()
            all.sending = try ranks.gather(currents.sending)
            all.receiving = try ranks.gather(currents.receiving)
            all.sleeping = try ranks.gather(currents.sleeping)
            joined.currents.append(all)
        }
        joined.digest = try part.digest()
        return joined
    }
}

extension Ranks {
    /// The numbers of all ranks, in ascending order; the same for each.
    fileprivate func gather(_ numbers: [Double]) throws(RankFailure) -> [Double] {
        try gather(numbers.map(\.bitPattern)).map { Double(bitPattern: $0) }.sorted()
    }
}
