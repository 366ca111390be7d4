import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Which channel a scanner listens on when: windows at regular intervals, one channel each, in turn.
/// Core 6.0, Vol 6, Part B, 4.4.3.
struct ScanSchedule: Sendable {
    /// Steps of 0.625 ms.
    let interval: UInt16
    let window: UInt16
    let start: Instant

    /// The channel of the window open now with its end, or nil with the beginning of the next window.
    func state(at now: Instant) -> (channel: ChannelIndex?, change: Instant) {
        let interval = TimeSpan.microseconds(625 * Int64(interval))
        let count = max(0, (now - start) / interval)
        let begin = start + interval * count
        let end = begin + .microseconds(625 * Int64(window))
        guard now < end else { return (nil, begin + interval) }
        return (ChannelIndex.advertising[Int(count % 3)], end)
    }
}

/// LE Set Scan Parameters: what scanning will be like. Core 6.0, Vol 4, Part E, 7.8.10.
typealias ScanParameters = LESetScanParameters
