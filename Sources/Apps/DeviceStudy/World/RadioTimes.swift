import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// How long a device's radio sends and receives, derived from what it sends, what it gets, and what its host told its
/// controller: a world has no event for a receiver that is switched on.
///
/// - Advertising that can be answered is followed, on each channel, by a receiver that waits for the access address of an
///   answer, and stays on for one that comes.
/// - Scanning and initiating take their window out of every interval, less what the radio does otherwise meanwhile.
/// - On a connection, what is received counts with its length; where an answer was awaited in vain, the time of an access
///   address does. A central awaits one to each packet, a peripheral if either side has more data. A peripheral's receiver
///   opens earlier by the clocks' 100 ppm, over one interval.
struct RadioTimes {
    private(set) var sending = TimeSpan.zero
    /// By power, for the current table.
    private(set) var sendingByPower: [Int8: TimeSpan] = [:]
    private var receiving = TimeSpan.zero
    /// Which shares of the time it scans and initiates, since when; nil while it does not.
    private var scanning: Double?
    private var initiating: Double?
    private var since = Instant.zero
    private var observed = 0.0
    /// What was sent while it did.
    private var sentWhileObserving = TimeSpan.zero
    private var scanShare = 1.0
    private var lastEvent: Instant?
    /// When the frame ended to which an answer is awaited, and for how long; nil while none is.
    private var awaited: (since: Instant, span: TimeSpan)?
    /// Whether the peer had more data as it was heard last.
    private var peerHasMore = false
    /// Whether it is the central of the connection that it made last.
    private var isCentral = false
    private let start: Instant

    /// Counts from an instant on.
    init(from start: Instant) { self.start = start }

    /// Of the receiver, up to `now`, in seconds.
    func received(until now: Instant) -> Double {
        receiving.inSeconds + max(0, observed(until: now) - sentWhileObserving.inSeconds)
    }

    private var isObserving: Bool { scanning != nil || initiating != nil }

    /// Scanning and initiating. Both at once are one window after the other.
    private func observed(until now: Instant) -> Double {
        observed + min(1, (scanning ?? 0) + (initiating ?? 0)) * max(0, (now - max(since, start)).inSeconds)
    }

    mutating func transmitted(_ transmission: Transmission) {
        guard transmission.start >= start else { return }
        let span = transmission.end - transmission.start
        sending += span
        sendingByPower[transmission.power.dBm, default: .zero] += span
        if isObserving { sentWhileObserving += span }
        let header = Self.header(transmission.frame)
        let isAwaited =
            transmission.channel.isAdvertising
            ? Self.answered.contains(header & 0xF) : isCentral || peerHasMore || header & Self.moreData != 0
        guard isAwaited else { return awaited = nil }
        let wait = Self.accessAddress(transmission.phy)
        awaited = (transmission.end, wait)
        receiving += wait
    }

    /// Advertising that can be answered: ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND. Core 6.0, Vol 6, Part B, 2.3.
    private static let answered: Set<UInt16> = [0, 1, 6]
    /// In the header of a data PDU. Core 6.0, Vol 6, Part B, 2.4.
    private static let moreData: UInt16 = 0x10
    /// An inter frame space and what clocks may be off, in which an answer begins.
    private static let longestWait = TimeSpan.microseconds(152)

    /// A frame has reached this device, whole or damaged.
    mutating func received(_ reception: Reception) {
        guard reception.start >= start else { return }
        if reception.channel.isAdvertising {
            // What a scanner receives is in its windows; this is an answer to an advertisement.
            guard !isObserving else { return }
        } else if !isCentral, lastEvent.map({ reception.start - $0 > .milliseconds(7) }) ?? true {
            receiving += TimeSpan(
                nanoseconds: lastEvent.map { min((reception.start - $0).nanoseconds, 4_000_000_000) / 10_000 } ?? 0
            )
        }
        if !reception.channel.isAdvertising {
            lastEvent = reception.start
            peerHasMore = Self.header(reception.frame) & Self.moreData != 0
        }
        // What came was awaited, and begins with the access address.
        if let (since, span) = awaited, reception.start >= since, reception.start - since <= Self.longestWait {
            receiving = receiving - span
        }
        awaited = nil
        receiving += reception.end - reception.start
    }

    /// An HCI packet. Core 6.0, Vol 4, Part E, 7.8.10 to 7.8.13 and 7.7.65.1.
    mutating func hci(_ packet: [UInt8], at now: Instant) {
        if packet.count >= 4, packet[0] == 0x01 {
            switch UInt16(packet[2]) << 8 | UInt16(packet[1]) {
            case 0x200B where packet.count >= 9: scanShare = Self.share(packet[5...8])
            case 0x200C where packet.count >= 5: observe(packet[4] == 1 ? scanShare : nil, initiating, from: now)
            case 0x200D where packet.count >= 8: observe(scanning, Self.share(packet[4...7]), from: now)
            case 0x200E: observe(scanning, nil, from: now)
            case 0x0C03: observe(nil, nil, from: now)
            default: break
            }
        } else if packet.count >= 8, packet[0] == 0x04, packet[1] == 0x3E, [0x01, 0x0A].contains(packet[3]) {
            // Scanning continues. A connection in the peripheral's role does not end initiating.
            let isMade = packet[4] == 0
            if isMade { isCentral = packet[7] == 0 }
            if !isMade || isCentral { observe(scanning, nil, from: now) }
        }
    }

    private mutating func observe(_ scanning: Double?, _ initiating: Double?, from now: Instant) {
        observed = observed(until: now)
        (self.scanning, self.initiating, since) = (scanning, initiating, now)
    }

    /// Window over interval.
    private static func share(_ bytes: ArraySlice<UInt8>) -> Double {
        let at = bytes.startIndex
        let interval = Double(bytes[at]) + 256 * Double(bytes[at + 1])
        let window = Double(bytes[at + 2]) + 256 * Double(bytes[at + 3])
        return interval > 0 ? min(1, window / interval) : 0
    }

    /// 0 for a frame that is too short for one.
    private static func header(_ frame: [UInt8]) -> UInt16 { frame.count < 6 ? 0 : AirFrame.header(of: frame) }

    private static func accessAddress(_ phy: PHY) -> TimeSpan { AirTime.untilAccessAddressEnds(phy: phy) }
}
