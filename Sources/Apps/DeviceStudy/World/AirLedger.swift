import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Writes down what a world's frames say about its measures.
///
/// Every device of such a world has a radio and none leaves, so that devices and radios have the same numbers. In one rank's
/// part of a world it knows all who advertise, and of those who listen the part's own.
final class AirLedger: WorldTap {
    /// A pair of a device that listens and one that advertises.
    struct Pair {
        var inReach = false
        /// Since when it has been in reach for the first time since it is measured.
        var reachedAt: Instant?
        var discoveredAt: Instant?
        /// Advertising events that began while it was in reach and it was measured, their PDUs, and those of them that came.
        var events = 0
        var eventsReceived = 0
        var frames = 0
        var framesReceived = 0
        /// The last event that counts, and the last one of which something came.
        var countedEvent = -1
        var lastEvent = -1
        /// Seconds in reach, and those in which something came.
        var reach = 0.0
        var detected = 0.0
        var heardNow = false
    }

    private struct Event {
        var number = -1
        var channel: UInt8 = 0
        var start = Instant.zero
    }

    private struct OnAir {
        let start: Instant
        let end: Instant
        var hasMet = false
    }

    private let start: Instant
    private let keepsRadioTimes: Bool
    /// Whether frames of other parts matter, too: then all advertisements count when they begin on the air that the parts
    /// share. How many frames have met is not known there.
    private let isOfPart: Bool
    /// The place among those who listen, or advertise, of each device; -1 for none.
    private var listenerPlaces: [Int] = []
    private var advertiserPlaces: [Int] = []
    private(set) var listeners: [DeviceID] = []
    private(set) var advertisers: [DeviceID] = []
    private var events: [Event] = []
    /// By listener, then by advertiser.
    private(set) var pairs: [[Pair]] = []
    private(set) var radioTimes: [RadioTimes] = []
    private var onAir: [[OnAir]] = Array(repeating: [], count: 40)
    /// Frames that are over, and those of them that were on their channel with another one.
    private(set) var frames = 0
    private(set) var framesMet = 0
    /// Receptions, whole or damaged.
    private(set) var receptions = 0
    private(set) var damaged = 0

    init(from start: Instant, keepsRadioTimes: Bool, isOfPart: Bool) {
        self.start = start
        self.isOfPart = isOfPart
        self.keepsRadioTimes = keepsRadioTimes
    }

    /// A device is added. In the order of their numbers.
    func add(_ device: DeviceID, listens: Bool, advertises: Bool) {
        listenerPlaces.append(listens ? listeners.count : -1)
        advertiserPlaces.append(advertises ? advertisers.count : -1)
        if listens { listeners.append(device) }
        if advertises {
            advertisers.append(device)
            events.append(Event())
        }
        if keepsRadioTimes { radioTimes.append(RadioTimes(from: start)) }
    }

    /// All devices have been added.
    func complete() {
        pairs = Array(repeating: Array(repeating: Pair(), count: advertisers.count), count: listeners.count)
    }

    func setReach(_ isInReach: Bool, listener: Int, advertiser: Int, at now: Instant) {
        pairs[listener][advertiser].inReach = isInReach
        // Who comes before it is measured, and leaves before, was not there.
        if isInReach, now >= start, pairs[listener][advertiser].reachedAt == nil {
            pairs[listener][advertiser].reachedAt = now
        }
    }

    /// So many seconds have passed since it was last called.
    func pass(_ seconds: Double) {
        for listener in pairs.indices {
            for advertiser in pairs[listener].indices {
                if pairs[listener][advertiser].inReach {
                    pairs[listener][advertiser].reach += seconds
                    if pairs[listener][advertiser].heardNow { pairs[listener][advertiser].detected += seconds }
                }
                pairs[listener][advertiser].heardNow = false
            }
        }
    }

    /// Frames that are over count now.
    func finish() {
        for channel in onAir.indices {
            for frame in onAir[channel] { count(frame) }
            onAir[channel] = []
        }
    }

    // MARK: From the world

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        if keepsRadioTimes, radioTimes.indices.contains(Int(device.rawValue)) {
            radioTimes[Int(device.rawValue)].transmitted(transmission)
        }
        guard !isOfPart else { return }
        meet(transmission)
        advertise(transmission)
    }

    func began(_ transmission: Transmission) { advertise(transmission) }

    private func advertise(_ transmission: Transmission) {
        guard let advertiser = place(DeviceID(rawValue: transmission.radio.rawValue), advertiserPlaces),
            isAdvertisement(transmission)
        else { return }
        let last = events[advertiser], channel = transmission.channel.index
        // The channels of an event come in rising order, and within 10 ms each (Core 6.0, Vol 6, Part B, 4.4.2.1).
        let isNew = last.number < 0 || channel <= last.channel || transmission.start - last.start > .milliseconds(20)
        events[advertiser] = Event(
            number: last.number + (isNew ? 1 : 0),
            channel: channel,
            start: transmission.start
        )
        let event = events[advertiser].number
        for listener in pairs.indices {
            if isNew, transmission.start >= start, pairs[listener][advertiser].inReach {
                pairs[listener][advertiser].events += 1
                pairs[listener][advertiser].countedEvent = event
            }
            if pairs[listener][advertiser].countedEvent == event { pairs[listener][advertiser].frames += 1 }
        }
    }

    func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {
        if keepsRadioTimes, radioTimes.indices.contains(Int(device.rawValue)) {
            radioTimes[Int(device.rawValue)].received(delivery.reception)
        }
        guard transmission.start >= start else { return }
        receptions += 1
        if delivery.isDamaged { damaged += 1 }
        guard !delivery.isDamaged, let listener = place(device, listenerPlaces),
            let advertiser = place(DeviceID(rawValue: transmission.radio.rawValue), advertiserPlaces),
            isAdvertisement(transmission)
        else { return }
        let event = events[advertiser].number
        if pairs[listener][advertiser].discoveredAt == nil {
            pairs[listener][advertiser].discoveredAt = delivery.reception.end
        }
        pairs[listener][advertiser].heardNow = true
        guard pairs[listener][advertiser].countedEvent == event else { return }
        pairs[listener][advertiser].framesReceived += 1
        guard pairs[listener][advertiser].lastEvent < event else { return }
        pairs[listener][advertiser].lastEvent = event
        pairs[listener][advertiser].eventsReceived += 1
    }

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        guard keepsRadioTimes, radioTimes.indices.contains(Int(device.rawValue)) else { return }
        radioTimes[Int(device.rawValue)].hci(packet, at: now)
    }

    // MARK: Parts

    private func place(_ device: DeviceID, _ places: [Int]) -> Int? {
        let number = Int(device.rawValue)
        guard places.indices.contains(number), places[number] >= 0 else { return nil }
        return places[number]
    }

    private func isAdvertisement(_ transmission: Transmission) -> Bool {
        transmission.channel.isAdvertising && AirFrame.advertisingHeader(of: transmission.frame).type.isAdvertisement
    }

    private func meet(_ transmission: Transmission) {
        guard transmission.start >= start else { return }
        let channel = Int(transmission.channel.index)
        var own = OnAir(start: transmission.start, end: transmission.end), kept = 0
        for index in onAir[channel].indices {
            guard onAir[channel][index].end > transmission.start else {
                count(onAir[channel][index])
                continue
            }
            onAir[channel][index].hasMet = true
            own.hasMet = true
            onAir[channel][kept] = onAir[channel][index]
            kept += 1
        }
        onAir[channel].removeLast(onAir[channel].count - kept)
        onAir[channel].append(own)
    }

    private func count(_ frame: OnAir) {
        frames += 1
        if frame.hasMet { framesMet += 1 }
    }
}
