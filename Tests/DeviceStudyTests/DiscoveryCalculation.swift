import Foundation

/// How long a scanner takes to get a first advertisement, computed and not simulated.
///
/// An advertiser sends an event on channels 37, 38 and 39 at once, then waits its interval and up to 10 ms more; a scanner
/// listens for a window in every interval, on one channel after the other. With P(x) for the phase x of an event in the
/// scanner's round of three intervals, the expected rest of the time is
///
///     g(x) = time to the end of the first PDU that falls into a window of its channel, if one does
///     g(x) = E[ interval + delay + g(x + interval + delay) ] otherwise
///
/// which is solved by iteration over all phases, and then averaged over the phases that the first event may have. That is
/// the enumeration of offsets of Kindt and others ("Neighbor Discovery Latency in BLE-Like Protocols", IEEE Transactions on
/// Mobile Computing 17, 2018), for three channels and with the random delay, which their closed theory leaves out.
struct DiscoveryCalculation {
    /// In milliseconds; multiples of 0.125.
    var advertisingInterval: Double
    var scanInterval: Double
    var scanWindow: Double
    /// On the air, in milliseconds.
    var frame = 0.376
    /// The longest random delay, in milliseconds.
    var longestDelay = 10.0

    /// Phases are this far apart, in milliseconds.
    private let step = 0.125

    /// In milliseconds, from the beginning of the first window to the end of the first whole PDU.
    var mean: Double {
        let round = Int((3 * scanInterval / step).rounded()), interval = Int((advertisingInterval / step).rounded())
        let delays = Int((longestDelay / step).rounded())
        let hits = (0..<round).map { hit(at: (Double($0) + 0.5) * step) }
        let wait = advertisingInterval + longestDelay / 2
        var rest = hits.map { $0 ?? wait }
        for _ in 0..<5_000 {
            // Sums of the rest from the first phase on, twice around, so that each mean is a difference.
            var sums = [0.0]
            sums.reserveCapacity(2 * round + delays + 2)
            for index in 0..<(2 * round + delays + 1) { sums.append(sums[index] + rest[index % round]) }
            var change = 0.0, next = rest
            for phase in 0..<round where hits[phase] == nil {
                let first = (phase + interval) % round
                // A delay that is uniform in time: the phases at its ends count half.
                let whole = sums[first + delays + 1] - sums[first]
                let ends = (rest[first] + rest[(first + delays) % round]) / 2
                let value = wait + (delays == 0 ? rest[first] : (whole - ends) / Double(delays))
                change = max(change, abs(value - rest[phase]))
                next[phase] = value
            }
            rest = next
            if change < 1e-4 { break }
        }
        // The first event comes after the rest of an interval that is under way: of a renewal process in its steady state.
        var total = 0.0, weights = 0.0
        for index in 0..<(interval + delays) {
            let time = (Double(index) + 0.5) * step
            let late = max(0, time - advertisingInterval), survival = late == 0 ? 1 : 1 - late / longestDelay
            total += survival * (time + rest[index % round])
            weights += survival
        }
        return total / weights
    }

    /// The time from the beginning of an event to the end of its first PDU that is received, if one is.
    private func hit(at phase: Double) -> Double? {
        for channel in 0..<3 {
            let start = (phase + Double(channel) * frame).truncatingRemainder(dividingBy: 3 * scanInterval)
            let window = Int(start / scanInterval)
            // One that begins in the window is received to its end.
            if window == channel, start - Double(window) * scanInterval < scanWindow {
                return Double(channel + 1) * frame
            }
        }
        return nil
    }
}
