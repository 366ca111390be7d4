import BluethroatRadioMedium
import BluethroatVirtualTime

/// What a world keeps that is one part of a larger one: see `World.shareAir`.
final class SharedAir {
    /// A frame of a radio of this part that has not come to its end.
    struct OwnFrame {
        let radio: RadioID
        let start: Instant
        let end: Instant
    }

    let delay: TimeSpan
    /// The number of the radio whose frame begins on the air just now.
    var beginning: UInt32?
    private var agenda = AirAgenda()
    private var told: [AirEvent?] = []
    private var freeTold: [UInt32] = []
    private var ownFrames: [OwnFrame?] = []
    private var freeOwn: [UInt32] = []
    /// What the others have not been told.
    private var events: [AirEvent] = []
    /// By the place of the radio; those of radios that have left are in the sum.
    private var digests: [(radio: UInt32, digest: TraceDigest)?] = []
    private var departed: UInt64 = 0

    init(delay: TimeSpan) { self.delay = delay }

    /// When something happens on this air, on the clock of the radios' orders.
    var nextInstant: Instant? { agenda.first?.instant }

    // MARK: What is told

    /// Something that happened in this part.
    func tell(_ what: AirEvent) {
        events.append(what)
        hear(what)
    }

    var hasUntoldEvents: Bool { !events.isEmpty }

    func takeEvents() -> [AirEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Something that happened in this part or in another. It takes effect when the air gets there.
    func hear(_ what: AirEvent) {
        let step: AirAgenda.Step, radio: RadioID
        switch what {
        case .frame(let transmission, _): (step, radio) = (.begin, transmission.radio)
        case .breakOff(let sender, let start, let now):
            (step, radio) = (start == now ? .breakOffAtOnce : .breakOff, sender)
        }
        let place: UInt32
        if let free = freeTold.popLast() {
            place = free
            told[Int(place)] = what
        } else {
            place = UInt32(told.count)
            told.append(what)
        }
        agenda.insert(.init(instant: what.instant + delay, step: step, radio: radio.rawValue, place: place))
    }

    /// What happens next on the air, and, if it is not an end, what was told of it.
    func popFirst() -> (entry: AirAgenda.Entry, event: AirEvent?)? {
        guard let entry = agenda.popFirst() else { return nil }
        guard entry.step != .end else { return (entry, nil) }
        freeTold.append(entry.place)
        return (entry, told[Int(entry.place)].take())
    }

    /// A frame is on the air, and ends there some time.
    func awaitEnd(of id: TransmissionID, radio: RadioID, at end: Instant) {
        agenda.insert(.init(instant: end + delay, step: .end, radio: radio.rawValue, place: id.number))
    }

    /// The frames of a radio that are on the air.
    func framesInFlight(of radio: RadioID) -> [TransmissionID] {
        agenda.ends(of: radio.rawValue).map { TransmissionID(number: $0.place) }
    }

    // MARK: Frames of this part

    /// Answers the number under which the frame is known to its device.
    func begin(_ frame: OwnFrame) -> TransmissionID {
        if let free = freeOwn.popLast() {
            ownFrames[Int(free)] = frame
            return TransmissionID(number: free)
        }
        ownFrames.append(frame)
        return TransmissionID(number: UInt32(ownFrames.count - 1))
    }

    func ownFrame(_ id: TransmissionID) -> OwnFrame? { ownFrames[Int(id.number)] }

    func end(_ id: TransmissionID) -> OwnFrame? {
        freeOwn.append(id.number)
        return ownFrames[Int(id.number)].take()
    }

    // MARK: Fingerprints

    /// Something happened to a radio of this part.
    func note(_ radio: RadioID, _ absorb: (inout TraceDigest) -> Void) {
        let place = Int(radio.arrival.place)
        while digests.count <= place { digests.append(nil) }
        var digest = TraceDigest()
        if let known = digests[place] {
            if known.radio == radio.rawValue {
                digest = known.digest
            } else {
                departed &+= Self.share(of: known.radio, known.digest)
            }
        }
        absorb(&digest)
        digests[place] = (radio.rawValue, digest)
    }

    /// A sum over radios, so that those of parts can be added: it does not depend on who is where.
    var digest: UInt64 {
        digests.reduce(departed) { sum, entry in
            guard let entry else { return sum }
            return sum &+ Self.share(of: entry.radio, entry.digest)
        }
    }

    private static func share(of radio: UInt32, _ digest: TraceDigest) -> UInt64 {
        var share = digest
        share.absorb(UInt64(radio))
        return share.value
    }
}
