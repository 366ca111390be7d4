public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// The air that all radios share: who hears which frame, how loudly, and what spoils it.
///
/// A receiver gets a frame if it listened on the frame's channel, with the frame's PHY and sync word, from before the
/// sync word to the frame's end, if the signal reaches its sensitivity, and if nothing else on the channel came within
/// the capture threshold of it: a rival already there keeps the receiver from locking on, one that comes later damages
/// the bits from there on. The medium knows no time of its own: its owner reports when transmissions begin and end.
///
/// It is as large as the radios that are there and the frames that are in flight: what it kept of a radio that was
/// removed it gives back. The ID of such a radio names no other one; calls with it change nothing, or are refused where
/// there is nothing to answer.
public struct Medium: Sendable {
    public var propagation: Propagation {
        didSet {
            powerCache.forgetAll()
            reach = Reach(propagation)
        }
    }

    /// What frames have done to each other so far.
    public internal(set) var collisions = Collisions()

    let seed: UInt64
    var radios = ArrivalTable<Radio>()
    var channels = [Channel](repeating: Channel(), count: 40)
    var transmissions = Slab<Transmission>()
    var losses: LinkLosses
    var powerCache = PowerCache()
    var reach: Reach
    /// Those of radios that have one of their own.
    private var sensitivities = SensitivityCounts()
    var damage: SeededRandom
    /// No frame has been sent more loudly, and none was received more faintly, in dBm.
    var loudest = Int(Int8.min)
    var faintest = Int(Int8.max)
    /// Filled as a frame begins, emptied after it; kept for its storage.
    var near: [Int] = []
    /// As `near`, for a frame that ends.
    var ended: [OngoingReception] = []

    public init(seed: UInt64, propagation: Propagation = Propagation()) {
        // What would lead past all numbers counts as 1000 dB, or as an exponent of 100.
        var propagation = propagation
        propagation.lossAtOneMetre = min(max(propagation.lossAtOneMetre, -100_000), 100_000)
        propagation.exponentTenths = min(max(propagation.exponentTenths, -1_000), 1_000)
        propagation.shadowing = min(max(propagation.shadowing, 0), 100_000)
        propagation.captureThreshold = min(max(propagation.captureThreshold, -1_000), 1_000)
        self.seed = seed
        self.propagation = propagation
        losses = LinkLosses(seed: seed)
        reach = Reach(propagation)
        damage = SeededRandom(seed: seed, purpose: "damaged bits")
    }

    // MARK: Radios

    public mutating func addRadio(at position: Position) -> RadioID {
        let radio = RadioID(radios.insert(Radio(position: position)))
        // Losses are kept by number, and numbers begin anew after 2³² radios.
        if radio.rawValue == 0 { powerCache.forgetAll() }
        return radio
    }

    /// Takes a radio off the air for good. What it was sending goes out to its end.
    public mutating func removeRadio(_ radio: RadioID) {
        guard contains(radio) else { return }
        stopListening(radio)
        losses.forget(radio)
        sensitivities.replace(radios[present: radio.arrival].sensitivity, by: nil)
        radios[present: radio.arrival].isRemoved = true
        // Its place is given back once its last frame has gone out.
        if radios[present: radio.arrival].framesInFlight == 0 { radios.remove(radio.arrival) }
    }

    /// Whether the radio is on the air still.
    public func contains(_ radio: RadioID) -> Bool { radios[radio.arrival]?.isRemoved == false }

    /// Nil if the radio has left.
    package func knownPosition(of radio: RadioID) -> Position? { contains(radio) ? position(of: radio) : nil }

    public func position(of radio: RadioID) -> Position { radios[present: radio.arrival].position }

    /// The weakest signal that a radio can follow from now on; nil is that of all others, `Propagation.sensitivity`.
    public mutating func setSensitivity(_ sensitivity: SignalStrength?, of radio: RadioID) {
        guard contains(radio) else { return }
        sensitivities.replace(radios[present: radio.arrival].sensitivity, by: sensitivity)
        radios[present: radio.arrival].sensitivity = sensitivity
        guard let (channel, index) = radios[present: radio.arrival].listening else { return }
        channels[channel].listeners[index].sensitivity = sensitivity
    }

    /// The weakest signal that any radio can follow, in dBm.
    package var weakestFollowed: Int {
        let usual = Int(propagation.sensitivity.dBm)
        return sensitivities.least.map { min(usual, $0) } ?? usual
    }

    /// Moves a radio; what is in flight keeps the strength it began with.
    public mutating func move(_ radio: RadioID, to position: Position) {
        guard contains(radio) else { return }
        radios[present: radio.arrival].position = position
        if let (channel, index) = radios[present: radio.arrival].listening {
            channels[channel].listeners.move(at: index, to: position)
            if channels[channel].listeners[index].isLocked { channels[channel].moveReceiver(radio, to: position) }
        }
        guard radios[present: radio.arrival].framesInFlight > 0 else { return }
        for channel in channels.indices {
            for index in channels[channel].onAir.indices where channels[channel].onAir[index].radio == radio {
                channels[channel].onAir[index].position = position
            }
        }
    }

    /// The share of frames that get lost between two radios, in one direction, over and above what physics takes.
    /// Half of them go unheard, half arrive damaged.
    public mutating func setLoss(_ share: Ratio, from transmitter: RadioID, to receiver: RadioID) {
        guard contains(transmitter), contains(receiver) else { return }
        losses.set(share, from: transmitter, to: receiver)
    }

    /// The same for every link that has no share of its own.
    public mutating func setLossEverywhere(_ share: Ratio) {
        losses.everywhere = share
    }

    /// How loudly one radio hears another that sends with the given power.
    public mutating func strength(of power: SignalStrength, from transmitter: RadioID, at receiver: RadioID) -> Int {
        strength(
            of: power,
            from: (transmitter, position(of: transmitter)),
            at: (receiver, position(of: receiver))
        )
    }

    // MARK: Listening

    /// Lets a radio listen from an instant on (now or later) for frames that begin no later than `until`.
    ///
    /// What it did before is forgotten. The number answered names this listening; pass it to `endListening`.
    public mutating func listen(
        _ radio: RadioID,
        on channel: ChannelIndex,
        phy: PHY,
        syncWord: UInt32,
        from since: Instant,
        until: Instant
    ) -> UInt32 {
        listen(radio, on: channel, phy: phy, syncWord: syncWord, from: since, until: until, for: nil)
    }

    /// The same for those frames alone that a filter admits.
    package mutating func listen(
        _ radio: RadioID,
        on channel: ChannelIndex,
        phy: PHY,
        syncWord: UInt32,
        from since: Instant,
        until: Instant,
        for filter: FrameFilter?
    ) -> UInt32 {
        guard let state = radios[radio.arrival], !state.isRemoved else {
            preconditionFailure("a radio that was taken off the air listens")
        }
        if let (channel, index) = state.listening { stop(radio, at: index, on: channel) }
        var listener = Listener(
            radio: radio,
            position: state.position,
            phy: phy,
            syncWord: syncWord,
            since: since,
            until: until,
            filter: filter
        )
        listener.sensitivity = state.sensitivity
        let place = Int(channel.index)
        let index = channels[place].listeners.append(listener)
        let generation = radios[present: radio.arrival].beginListening(on: place, index: index)
        // A frame whose preamble is still going out can be caught.
        for frame in channels[place].frames(since: since - Listener.preamble)
        where channels[place].listeners[index].hears(channels[place].onAir[frame]) {
            lockOn(channels[place].onAir[frame], listener: index, on: place)
            if channels[place].listeners[index].isLocked { channels[place].onAir[frame].hasReceivers = true }
        }
        return generation
    }

    /// Ends whatever the radio listens to, even in the middle of a frame.
    public mutating func stopListening(_ radio: RadioID) {
        guard let (channel, index) = radios[radio.arrival]?.listening else { return }
        stop(radio, at: index, on: channel)
    }

    private mutating func stop(_ radio: RadioID, at index: Int, on channel: Int) {
        if channels[channel].listeners[index].isLocked {
            channels[channel].receptions.removeAll { $0.receiver == radio }
        }
        radios[present: radio.arrival].listening = nil
        dropListener(at: index, on: channel)
    }

    /// Ends a listening whose time is over. False, and nothing changes, where a frame is being received, or where the
    /// radio does something else by now.
    public mutating func endListening(_ radio: RadioID, generation: UInt32) -> Bool {
        guard let state = radios[radio.arrival], state.generation == generation,
            let (channel, index) = state.listening, !channels[channel].listeners[index].isLocked
        else { return false }
        radios[present: radio.arrival].listening = nil
        dropListener(at: index, on: channel)
        return true
    }

    /// Whether a listening goes on, and no frame is being received: `endListening` would end it.
    ///
    /// Nothing changes; but the optimizer copies a value that a method borrows.
    public mutating func isWaiting(_ radio: RadioID, generation: UInt32) -> Bool {
        guard let state = radios[radio.arrival], state.generation == generation,
            let (channel, index) = state.listening
        else { return false }
        return !channels[channel].listeners[index].isLocked
    }

    /// Whether the radio is in the middle of receiving a frame.
    public func isReceiving(_ radio: RadioID) -> Bool {
        guard let (channel, index) = radios[radio.arrival]?.listening else { return false }
        return channels[channel].listeners[index].isLocked
    }

    /// Ends the listening of a radio that has received its frame.
    mutating func endListening(of radio: RadioID) {
        guard let (channel, index) = radios[present: radio.arrival].listening.take() else { return }
        dropListener(at: index, on: channel)
    }

    /// Takes a listener off its channel's list, of whose radio that is known already.
    private mutating func dropListener(at index: Int, on channel: Int) {
        guard channels[channel].listeners.remove(at: index) else { return }
        for (index, other) in channels[channel].listeners.compact() {
            radios[present: other.arrival].listening = (channel, index)
        }
    }

    // MARK: Transmitting

    /// Puts a frame on the air at `transmission.start`, which is now. The radio stops listening.
    public mutating func begin(_ transmission: consuming Transmission) -> TransmissionID {
        let radio = transmission.radio
        guard let state = radios[radio.arrival], !state.isRemoved else {
            preconditionFailure("a radio that was taken off the air transmits")
        }
        if let (channel, index) = state.listening { stop(radio, at: index, on: channel) }
        radios[present: radio.arrival].framesInFlight += 1
        if !channels[Int(transmission.channel.index)].onAir.isEmpty { collisions.frames += 1 }
        return beginShared(transmission, at: state.position)
    }

    /// Puts a frame on the air that began earlier. Radios that listen already do not receive it, and it spoils nothing that is
    /// being received; radios that begin to listen now may receive it, and it may spoil frames that begin from now on.
    package mutating func join(_ transmission: consuming Transmission) -> TransmissionID {
        guard let state = radios[transmission.radio.arrival], !state.isRemoved else {
            preconditionFailure("a radio that was taken off the air transmits")
        }
        radios[present: transmission.radio.arrival].framesInFlight += 1
        return joinShared(transmission, at: state.position)
    }

    /// When the last of the frames ends that began no earlier than an instant, within a distance of a place, by its square.
    package func end(
        ofFramesOn channel: ChannelIndex,
        since start: Instant,
        within square: UInt64,
        of place: Position
    ) -> Instant? {
        var end: Instant?
        let channel = Int(channel.index)
        for index in channels[channel].frames(since: start)
        where channels[channel].onAir[index].position.squaredDistance(to: place) <= square {
            end = max(end ?? .zero, transmissions[channels[channel].onAir[index].slot].end)
        }
        return end
    }

    /// Breaks a frame off whose radio turns to something else: who receives it has what came so far, and noise after it.
    public mutating func breakOff(_ id: TransmissionID, at now: Instant) {
        guard now < transmissions[id.slot].end else { return }
        let channel = Int(transmissions[id.slot].channel.index)
        channels[channel].removeFromAir(id.slot)
        for index in channels[channel].receptions.indices where channels[channel].receptions[index].slot == id.slot {
            channels[channel].receptions[index].spoiltFrom = channels[channel].receptions[index].spoiltFrom ?? now
        }
    }

    /// Takes a frame off the air at its end and answers, in `deliveries`, who got it and how.
    public mutating func end(_ id: TransmissionID, into deliveries: inout [Delivery]) -> Transmission {
        let transmission = transmissions.remove(id.slot)
        let channel = Int(transmission.channel.index)
        let frame = channels[channel].removeFromAir(id.slot)
        if radios[present: transmission.radio.arrival].endFrame() { radios.remove(transmission.radio.arrival) }
        // One that was broken off is not on the air any more, and may have receivers.
        guard frame?.hasReceivers != false else { return transmission }
        channels[channel].takeReceptions(of: id.slot, into: &ended)
        for reception in ended {
            endListening(of: reception.receiver)
            deliveries.append(delivery(of: transmission, as: reception))
        }
        ended.removeAll(keepingCapacity: true)
        return transmission
    }

    /// What a receiver gets of a frame that has ended.
    @inline(__always)
    mutating func delivery(of transmission: Transmission, as reception: OngoingReception) -> Delivery {
        Delivery(
            receiver: reception.receiver,
            reception: Reception(
                channel: transmission.channel,
                phy: transmission.phy,
                start: transmission.start,
                end: transmission.end,
                strength: SignalStrength(dBm: Int8(clamping: reception.strength)),
                frame: received(transmission, spoiltFrom: reception.spoiltFrom)
            ),
            isDamaged: reception.spoiltFrom != nil
        )
    }
}
