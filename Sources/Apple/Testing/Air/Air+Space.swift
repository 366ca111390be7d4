import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Where devices are, and what becomes of what they send.
extension Air {
    /// Moves a device at once. What it was connected to finds out by silence.
    public func move(_ device: some AirDevice, to place: Place) {
        log.note("\(log.name(of: device.device)) moves to \(place.position.inMetres)")
        world.move(device.device, to: place.position)
    }

    /// Loses a share of the packets between two devices, 0 to 1, in both directions.
    public func setLoss(_ share: Double, between one: some AirDevice, and other: some AirDevice) {
        let pair = "\(log.name(of: one.device)) and \(log.name(of: other.device))"
        log.note("\(share) of the packets between \(pair) are lost")
        losses.set(Ratio(share: share), one.device, other.device)
        applyLosses()
    }

    /// Loses a share of all packets, 0 to 1, but between devices that have a share of their own.
    public func setLossEverywhere(_ share: Double) {
        log.note("\(share) of all packets are lost")
        losses.everywhere = Ratio(share: share)
        applyLosses()
    }

    /// Nothing gets through between two devices any more, until `mend`.
    public func cut(_ one: some AirDevice, from other: some AirDevice) { setLoss(1, between: one, and: other) }

    /// Undoes `cut` and `setLoss` between two devices.
    public func mend(_ one: some AirDevice, with other: some AirDevice) {
        log.note("no injected loss between \(log.name(of: one.device)) and \(log.name(of: other.device))")
        losses.set(nil, one.device, other.device)
        applyLosses()
    }

    /// For so long no device receives anything, as under strong interference.
    public func jam(for span: Duration) {
        log.note("the air is jammed for \(span)")
        losses.jams += 1
        applyLosses()
        after(span) { air in
            air.losses.jams -= 1
            air.applyLosses()
        }
    }

    /// Takes a device off the air for good, in the middle of whatever it was doing: its battery is empty.
    public func remove(_ device: some AirDevice) {
        log.note("\(log.name(of: device.device)) is gone")
        let id = device.device
        world.remove(id)
        faults.applications[id] = nil
        guard let index = peripherals.firstIndex(where: { $0.device == id }) else { return }
        peripherals.remove(at: index).leave()
    }

    /// Nothing of a device is heard, nor does it hear anything; or no longer.
    func setSilence(of device: DeviceID, _ isSilent: Bool) {
        losses.silent.removeAll { $0 == device }
        if isSilent { losses.silent.append(device) }
        applyLosses()
    }

    /// One more device has come, which hears no more of silent ones than others do.
    func deviceArrived() { if !losses.silent.isEmpty { applyLosses() } }

    private func applyLosses() {
        let jam: Ratio? = losses.jams > 0 ? .always : nil
        world.setLossEverywhere(jam ?? losses.everywhere)
        for device in losses.silent {
            for other in world.deviceIDs where other != device { losses.list(device, other) }
        }
        for link in losses.links {
            let isSilent = losses.silent.contains(link.one) || losses.silent.contains(link.other)
            let share = jam ?? (isSilent ? .always : nil) ?? link.share ?? losses.everywhere
            world.setLoss(share, from: link.one, to: link.other)
            world.setLoss(share, from: link.other, to: link.one)
        }
    }
}

/// What a test has said about losses.
struct LossTable {
    struct Link {
        let one: DeviceID
        let other: DeviceID
        /// Nil is that of all.
        var share: Ratio?
    }

    private(set) var links: [Link] = []
    var everywhere = Ratio.never
    /// Devices of which nothing is heard.
    var silent: [DeviceID] = []
    /// How many jams there are at the moment.
    var jams = 0

    mutating func set(_ share: Ratio?, _ one: DeviceID, _ other: DeviceID) {
        let (first, second) = one < other ? (one, other) : (other, one)
        if let index = links.firstIndex(where: { $0.one == first && $0.other == second }) {
            links[index].share = share
        } else {
            links.append(Link(one: first, other: second, share: share))
        }
    }

    /// Has a pair in the table whose share is that of all, if it is not in there.
    mutating func list(_ one: DeviceID, _ other: DeviceID) {
        let (first, second) = one < other ? (one, other) : (other, one)
        guard !links.contains(where: { $0.one == first && $0.other == second }) else { return }
        links.append(Link(one: first, other: second, share: nil))
    }
}

extension Ratio {
    init(share: Double) {
        guard (0...1).contains(share), let ratio = Ratio(partsPerMillion: Int32((share * 1_000_000).rounded())) else {
            preconditionFailure("a share of packets is a number from 0 to 1, not \(share)")
        }
        self = ratio
    }
}

extension Position {
    fileprivate var inMetres: String { "\(Double(x) / 1_000), \(Double(y) / 1_000), \(Double(z) / 1_000) m" }
}
