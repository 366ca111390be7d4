public import BluethroatBluetoothValues
import BluethroatLinkLayer
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// A world that is one part of a larger one. Each part has devices of its own, and a time of its own that is never further
/// ahead of the others' than the delay: a frame is told to the other parts before it can have a consequence there.
///
/// Consequences are late by the delay: who listens finds out what it has heard, or that it has heard nothing, that much
/// after the fact, and is told when the fact was. So a frame that begins in one part at any instant matters to no radio
/// order of any part before that instant and the delay. With a delay of at most the inter frame space answers go out
/// in time all the same; only a radio that was to send sooner after what it heard, or did not hear, sends at the end of
/// the delay. docs/decisions/218-parts-of-a-world.md
extension World {
    /// Makes this world a part of a larger one, before anything is in it.
    ///
    /// - Parameters:
    ///   - loudest: the greatest power with which any device of the larger world sends.
    ///   - keenest: the weakest signal that any device there can follow.
    public func shareAir(
        delay: TimeSpan,
        loudest: SignalStrength = SignalStrength(dBm: 0),
        keenest: SignalStrength? = nil
    ) {
        precondition(now == .zero && state.devices.count == 0, "a world that has begun is made a part of another")
        precondition(delay > .zero, "parts of a world need a delay")
        state.sharedAir = SharedAir(delay: delay)
        quietAir?.lag = delay
        quietAir?.loudestSaid = loudest
        quietAir?.hears(power: loudest)
        if let keenest { quietAir?.hearsDown(to: keenest) }
    }

    /// In a crowd's air: which devices of this part may listen at all, since the other parts have to know where.
    public func admitListeners(_ mayListen: @escaping (DeviceID) -> Bool) { quietAir?.mayListen = mayListen }

    /// A device that has listened to advertisements and was not to; nil if there is none.
    public var unannouncedListener: DeviceID? { quietAir?.intruder }

    /// A device that advertises with more than the greatest power that was said, and with how much; nil if there is none.
    public var overloudAdvertiser: (id: DeviceID, power: SignalStrength)? {
        quietAir?.overloud.map { ($0.device, $0.power) }
    }

    /// Whether something happened here of which the others have not been told.
    public var hasUntoldEvents: Bool { state.sharedAir?.hasUntoldEvents ?? false }

    /// In a crowd's air: where advertisements matter to other parts, so that all of them are computed and told.
    ///
    /// - Parameters:
    ///   - isOfInterest: whether they do so in a place.
    ///   - areas: the rectangles that hold all places where they did not before, by two corners.
    public func tellAdvertisements(
        where isOfInterest: @escaping (Position) -> Bool,
        newIn areas: [(low: Position, high: Position)]
    ) {
        quietAir?.tell(where: isOfInterest, newIn: areas)
    }

    /// The number of the device that arrives next, and of its radio: that of the larger world. No device here has it.
    public func setNextNumber(_ number: UInt32) {
        state.devices.skip(to: number)
        state.medium.setNextNumber(number)
    }

    /// What happened here since this was asked for last, in the order in which it happened.
    public func takeEvents() -> [AirEvent] { state.sharedAir?.takeEvents() ?? [] }

    /// What happened in another part, less than the delay ago.
    public func hear(_ event: AirEvent) {
        precondition(state.sharedAir.map { event.instant + $0.delay >= now } ?? false, "an event came too late")
        state.sharedAir?.hear(event)
    }

    /// Runs until the given instant, everything that happens at it included, and does nothing else: where one call ends and
    /// the next begins makes no difference.
    public func runEvents(until end: Instant) { runEvents(until: end) { false } }

    /// A fingerprint of what the devices of this part have sent and received. The sum over all parts, modulo 2⁶⁴, is that
    /// of the larger world, however it is divided.
    public var partDigest: UInt64 { state.sharedAir?.digest ?? 0 }

    /// The weakest signal that any device of this part can follow.
    public var keenest: SignalStrength { SignalStrength(dBm: Int8(clamping: state.medium.weakestFollowed)) }

    /// When what a controller hears about now has happened.
    var heardInstant: Instant {
        guard let air = state.sharedAir else { return now }
        return now - air.delay
    }

    // MARK: Frames

    /// A device of this part begins to send.
    func share(_ transmission: consuming Transmission, of device: Device, on air: SharedAir) {
        let radio = transmission.radio, end = transmission.end
        state.medium.stopListening(radio)
        let number = air.begin(.init(radio: radio, start: transmission.start, end: end))
        device.state.transmission = number
        state.queue.schedule(.transmissionEnd(number: number.number), at: end)
        // In a crowd it depends on who is near whether a frame is computed.
        if quietAir == nil {
            air.note(radio) { [now] digest in
                digest.absorb(UInt64(bitPattern: now.nanoseconds))
                digest.absorb(UInt64(transmission.channel.index))
                digest.absorb(transmission.frame)
            }
        }
        // A tap may take the device out of the world.
        let position = state.position(of: radio)
        state.tap?.transmitted(transmission, by: device.id)
        air.tell(.frame(transmission, at: position))
    }

    /// A frame of an advertiser that somebody in this part cares for, and nobody in another, has begun now or a moment ago.
    func shareQuietly(
        _ transmission: consuming Transmission,
        from sender: DeviceID?,
        at position: Position,
        on air: SharedAir
    ) -> TransmissionID {
        let radio = transmission.radio, start = transmission.start, end = transmission.end
        let number = air.begin(.init(radio: radio, start: start, end: end))
        if end > now {
            state.queue.schedule(.transmissionEnd(number: number.number), at: end)
            quietAir?.sends(number, by: radio)
        } else {
            _ = air.end(number)
        }
        if let tap = state.tap, let sender = sender ?? device(of: radio)?.id {
            tap.transmitted(transmission, by: sender)
        }
        // What begins at the same instant has its order: see `AirAgenda`.
        let isLate = start + air.delay < now || start + air.delay == now && radio.rawValue < air.beginning ?? 0
        if isLate {
            air.awaitEnd(of: state.medium.joinShared(transmission, at: position), radio: radio, at: end)
        } else {
            air.hear(.frame(transmission, at: position))
        }
        return number
    }

    func breakOffShared(_ id: TransmissionID, on air: SharedAir) {
        guard let frame = air.ownFrame(id), now < frame.end else { return }
        air.tell(.breakOff(frame.radio, start: frame.start, now: now))
    }

    /// A frame of a device of this part is out. Who has received it is not known yet.
    func endOwnFrame(_ id: TransmissionID, on air: SharedAir) {
        // A controller that has lent out its advertising is not told when a frame ends.
        guard let frame = air.end(id), quietAir?.ended(id, of: frame.radio) != true,
            let sender = device(of: frame.radio)
        else { return }
        finishTransmission(id, of: sender)
    }

    /// What is next on the shared air happens there.
    func advanceSharedAir() {
        guard let air = state.sharedAir, let (entry, event) = air.popFirst() else { return }
        switch event {
        case .frame(let transmission, let position):
            let radio = transmission.radio, end = transmission.end
            state.tap?.began(transmission)
            air.beginning = entry.radio
            quietAir?.begins(transmission, at: position)
            air.beginning = nil
            air.awaitEnd(of: state.medium.beginShared(transmission, at: position), radio: radio, at: end)
        case .breakOff(let radio, let start, let instant):
            for id in air.framesInFlight(of: radio) where state.medium.start(of: id) == start {
                state.medium.breakOff(id, at: instant)
            }
        case nil:
            let (transmission, place) = state.endSharedTransmission(TransmissionID(number: entry.place))
            deliverAll(of: transmission, from: place)
        }
    }
}
