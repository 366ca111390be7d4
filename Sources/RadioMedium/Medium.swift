public import BluetoothValues
public import VirtualTime

/// The air that all radios share: who hears which frame, how loudly, and what spoils it.
///
/// A receiver gets a frame if it listened on the frame's channel, with the frame's PHY and sync word, from before the
/// sync word to the frame's end, if the signal reaches its sensitivity, and if nothing else on the channel came within
/// the capture threshold of it: a rival already there keeps the receiver from locking on, one that comes later damages
/// the bits from there on. The medium knows no time of its own: its owner tells it when transmissions begin and end.
public struct Medium: Sendable {
    public var propagation: Propagation {
        didSet {
            powerCache.forgetAll()
            reach = Reach(propagation)
        }
    }

    /// What has come to grief so far because two sent at once.
    public private(set) var collisions = Collisions()

    private let seed: UInt64
    private var radios: [Radio] = []
    private var channels = [Channel](repeating: Channel(), count: 40)
    private var transmissions = Slab<Transmission>()
    private var losses: LinkLosses
    private var powerCache = PowerCache()
    private var reach: Reach
    private var damage: SeededRandom

    public init(seed: UInt64, propagation: Propagation = Propagation()) {
        self.seed = seed
        self.propagation = propagation
        losses = LinkLosses(seed: seed)
        reach = Reach(propagation)
        damage = SeededRandom(seed: seed, purpose: "damaged bits")
    }

    // MARK: Radios

    public mutating func addRadio(at position: Position) -> RadioID {
        radios.append(Radio(position: position))
        return RadioID(rawValue: UInt32(radios.count - 1))
    }

    /// Takes a radio off the air for good.
    public mutating func removeRadio(_ radio: RadioID) {
        stopListening(radio)
        radios[radio].isRemoved = true
    }

    public func position(of radio: RadioID) -> Position { radios[radio].position }

    /// Moves a radio; what is in flight keeps the strength it began with.
    public mutating func move(_ radio: RadioID, to position: Position) {
        radios[radio].position = position
        powerCache.forgetAll()
    }

    /// The share of frames that get lost between two radios, in one direction, over and above what physics takes.
    /// Half of them go unheard, half arrive damaged.
    public mutating func setLoss(_ share: Ratio, from transmitter: RadioID, to receiver: RadioID) {
        losses.set(share, from: transmitter, to: receiver)
    }

    /// The same for every link that has no share of its own.
    public mutating func setLossEverywhere(_ share: Ratio) {
        losses.everywhere = share
    }

    /// How loudly one radio hears another that sends with the given power.
    public mutating func strength(of power: SignalStrength, from transmitter: RadioID, at receiver: RadioID) -> Int {
        Int(power.dBm) - pathLoss(between: transmitter, and: receiver)
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
        stopListening(radio)
        let generation = radios[radio].beginListening(
            Listening(channel: channel, phy: phy, syncWord: syncWord, since: since, until: until)
        )
        channels[channel].listeners.append(radio)
        // A frame whose preamble is still going out can be caught.
        for slot in channels[channel].onAir { lockOn(slot, radio) }
        return generation
    }

    /// Ends whatever the radio listens to, even in the middle of a frame.
    public mutating func stopListening(_ radio: RadioID) {
        guard let listening = radios[radio].listening else { return }
        radios[radio].listening = nil
        channels[listening.channel].listeners.removeFirst(equalTo: radio)
        if listening.isLocked { channels[listening.channel].receptions.removeAll { $0.receiver == radio } }
    }

    /// Ends a listening whose time is over. False, and nothing changes, where a frame is being received, or where the
    /// radio does something else by now.
    public mutating func endListening(_ radio: RadioID, generation: UInt32) -> Bool {
        guard let listening = radios[radio].listening, radios[radio].generation == generation, !listening.isLocked
        else { return false }
        stopListening(radio)
        return true
    }

    /// Whether the radio is in the middle of receiving a frame.
    public func isReceiving(_ radio: RadioID) -> Bool { radios[radio].listening?.isLocked ?? false }

    // MARK: Transmitting

    /// Puts a frame on the air at `transmission.start`, which is now. The radio stops listening.
    public mutating func begin(_ transmission: Transmission) -> TransmissionID {
        stopListening(transmission.radio)
        let channel = transmission.channel
        if !channels[channel].onAir.isEmpty { collisions.frames += 1 }
        for index in channels[channel].receptions.indices {
            spoilIfNear(reception: index, on: channel, by: transmission)
        }
        let slot = transmissions.insert(transmission)
        for receiver in channels[channel].listeners { lockOn(slot, receiver) }
        channels[channel].onAir.append(slot)
        return TransmissionID(slot: slot)
    }

    /// Breaks a frame off whose radio turns to something else: who receives it has what came so far, and noise after it.
    public mutating func breakOff(_ id: TransmissionID, at now: Instant) {
        let channel = transmissions[id.slot].channel
        guard now < transmissions[id.slot].end else { return }
        channels[channel].onAir.removeFirst(equalTo: id.slot)
        for index in channels[channel].receptions.indices where channels[channel].receptions[index].slot == id.slot {
            channels[channel].receptions[index].spoiltFrom = channels[channel].receptions[index].spoiltFrom ?? now
        }
    }

    /// Takes a frame off the air at its end and answers, in `deliveries`, who got it and how.
    public mutating func end(_ id: TransmissionID, into deliveries: inout [Delivery]) -> Transmission {
        let transmission = transmissions.remove(id.slot)
        let channel = transmission.channel
        channels[channel].onAir.removeFirst(equalTo: id.slot)
        guard channels[channel].receptions.contains(where: { $0.slot == id.slot }) else { return transmission }
        for reception in channels[channel].receptions where reception.slot == id.slot {
            radios[reception.receiver].listening = nil
            channels[channel].listeners.removeFirst(equalTo: reception.receiver)
            deliveries.append(
                Delivery(
                    receiver: reception.receiver,
                    reception: Reception(
                        channel: channel,
                        phy: transmission.phy,
                        start: transmission.start,
                        end: transmission.end,
                        strength: SignalStrength(dBm: Int8(clamping: reception.strength)),
                        frame: received(transmission, spoiltFrom: reception.spoiltFrom)
                    ),
                    isDamaged: reception.spoiltFrom != nil
                )
            )
        }
        channels[channel].receptions.removeAll { $0.slot == id.slot }
        return transmission
    }

    // MARK: Who hears what

    /// Lets a listening radio lock on to a frame that has just begun, if it can.
    private mutating func lockOn(_ slot: Int, _ receiver: RadioID) {
        let frame = transmissions[slot]
        guard let listening = radios[receiver].listening, !listening.isLocked, receiver != frame.radio,
            listening.hears(frame),
            !losesMore(than: Int(frame.power.dBm) - Int(propagation.sensitivity.dBm), from: frame.radio, to: receiver)
        else { return }
        let strength = strength(of: frame.power, from: frame.radio, at: receiver)
        guard strength >= Int(propagation.sensitivity.dBm) else { return }
        var spoiltFrom: Instant?
        for other in channels[frame.channel].onAir where other != slot {
            let rival = transmissions[other]
            guard rival.radio != receiver, !isHarmless(rival, to: receiver, hearing: strength) else { continue }
            let rivalStrength = self.strength(of: rival.power, from: rival.radio, at: receiver)
            if strength - rivalStrength < propagation.captureThreshold {
                // A rival from before drowns the sync word; one that began later than it spoils bits only.
                if rival.start <= frame.start {
                    collisions.receptions += 1
                    return
                }
                spoiltFrom = min(spoiltFrom ?? rival.start, rival.start)
            }
        }
        if spoiltFrom != nil { collisions.receptions += 1 }
        switch losses.draw(from: frame.radio, to: receiver) {
        case .unheard: return
        case .damaged: spoiltFrom = frame.start
        case .none: break
        }
        radios[receiver].listening?.isLocked = true
        channels[frame.channel].receptions.append(
            OngoingReception(receiver: receiver, slot: slot, strength: strength, spoiltFrom: spoiltFrom)
        )
    }

    private mutating func spoilIfNear(reception index: Int, on channel: ChannelIndex, by rival: Transmission) {
        let reception = channels[channel].receptions[index]
        guard reception.spoiltFrom == nil, reception.receiver != rival.radio,
            !isHarmless(rival, to: reception.receiver, hearing: reception.strength)
        else { return }
        let strength = strength(of: rival.power, from: rival.radio, at: reception.receiver)
        if reception.strength - strength < propagation.captureThreshold {
            channels[channel].receptions[index].spoiltFrom = rival.start
            collisions.receptions += 1
        }
    }

    /// Whether a signal is too far away to harm one of this strength. False if its strength has to be computed.
    private mutating func isHarmless(_ rival: Transmission, to receiver: RadioID, hearing strength: Int) -> Bool {
        let harmless = strength - propagation.captureThreshold
        return losesMore(than: Int(rival.power.dBm) - harmless - 1, from: rival.radio, to: receiver)
    }

    /// Whether a signal loses more than so many decibels, as far as the distance tells.
    private mutating func losesMore(than loss: Int, from transmitter: RadioID, to receiver: RadioID) -> Bool {
        let distance = radios[transmitter].position.squaredDistance(to: radios[receiver].position)
        return reach.isBeyond(distance, losing: loss)
    }

    private static let pairPurpose: SeededRandom.Purpose = "pair of radios"

    private mutating func pathLoss(between first: RadioID, and second: RadioID) -> Int {
        if let known = powerCache.loss(first, second) { return known }
        let low = min(first, second), high = max(first, second)
        var pair = SeededRandom(
            seed: seed,
            device: UInt64(low.rawValue) << 32 | UInt64(high.rawValue),
            purpose: Self.pairPurpose
        )
        let loss = propagation.loss(from: radios[low].position, to: radios[high].position, pair: pair.next())
        powerCache.keep(loss, first, second)
        return loss
    }

    /// The bytes as received: from the instant of the damage on, some bits are flipped.
    private mutating func received(_ transmission: Transmission, spoiltFrom: Instant?) -> [UInt8] {
        guard let spoiltFrom else { return transmission.frame }
        var frame = transmission.frame
        // The sync word was recognised, or the frame would not have been received at all; and a header is kept
        // whole so that the frame keeps its length.
        let perByte = transmission.phy.spanPerByte
        let passed = Int((spoiltFrom - transmission.start).nanoseconds / perByte.nanoseconds)
        let first = min(max(passed - 1, 6), frame.count - 1)
        for _ in 0..<3 {
            let place = first + Int(damage.next(below: UInt64(frame.count - first)))
            frame[place] ^= 1 << UInt8(damage.next(below: 8))
        }
        // Flips can cancel each other; one that cannot makes sure that the CRC fails.
        if frame == transmission.frame { frame[first] ^= 0x10 }
        return frame
    }
}

/// A frame in flight, by its place in the medium.
public struct TransmissionID: Hashable, Sendable {
    let slot: Int

    /// For queues that carry small integers.
    public var number: UInt32 { UInt32(slot) }
    public init(number: UInt32) { slot = Int(number) }
    init(slot: Int) { self.slot = slot }
}

/// One receiver's share of a frame that has ended.
public struct Delivery: Sendable {
    public let receiver: RadioID
    public let reception: Reception
    /// Whether the medium flipped bits: for traces; a receiver finds out by the CRC.
    public let isDamaged: Bool
}
