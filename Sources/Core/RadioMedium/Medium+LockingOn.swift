package import BluethroatBluetoothValues
import BluethroatVirtualTime

/// Which receiver gets which frame.
extension Medium {
    /// Lets all radios lock on to a frame that begins now that wait for such a frame and can.
    mutating func offer(_ frame: FrameOnAir, on channel: Int) {
        guard channels[channel].listeners.placeCount > 0 else { return }
        // Beyond this distance the signal is weaker than any radio can follow.
        let loss = Int(frame.power.dBm) - weakestFollowed
        let distance = reach.greatestDistance(losing: loss), square = reach.greatestSquaredDistance(losing: loss)
        if channels[channel].listeners.find(near: frame.position, distance: distance, into: &near) {
            for index in near where channels[channel].listeners[index].awaits(frame, within: square) {
                offer(frame, toListener: index, on: channel)
            }
            near.removeAll(keepingCapacity: true)
        } else {
            for index in channels[channel].listeners.indices
            where channels[channel].listeners[index].awaits(frame, within: square) {
                offer(frame, toListener: index, on: channel)
            }
        }
    }

    /// A radio that is receiving another frame misses this one.
    private mutating func offer(_ frame: FrameOnAir, toListener index: Int, on channel: Int) {
        guard channels[channel].listeners[index].isLocked else { return lockOn(frame, listener: index, on: channel) }
        if strength(of: frame, atListener: index, on: channel) != nil { collisions.receptions += 1 }
    }

    /// How strongly a frame would be received; nil if the radio does not want it, or cannot follow it.
    private mutating func strength(of frame: FrameOnAir, atListener index: Int, on channel: Int) -> Int? {
        let listener = channels[channel].listeners[index]
        let sensitivity = sensitivity(listener.sensitivity)
        if let filter = listener.filter, !filter.admits(transmissions[frame.slot].frame) { return nil }
        guard listener.radio != frame.radio,
            !losesMore(than: Int(frame.power.dBm) - sensitivity, from: frame, to: listener.position)
        else { return nil }
        let strength = strength(
            of: frame.power,
            from: (frame.radio, frame.position),
            at: (listener.radio, listener.position)
        )
        return strength >= sensitivity ? strength : nil
    }

    /// The weakest signal in dBm that a radio can follow, by its own limit or else by the propagation's.
    func sensitivity(_ own: SignalStrength?) -> Int { Int((own ?? propagation.sensitivity).dBm) }

    /// Lets a radio that waits for such a frame lock on to one that has just begun, if it can.
    mutating func lockOn(_ frame: FrameOnAir, listener index: Int, on channel: Int) {
        guard let strength = strength(of: frame, atListener: index, on: channel) else { return }
        let listener = channels[channel].listeners[index]
        let receiver = (listener.radio, listener.position)
        var spoiltFrom: Instant?
        // The distance beyond which even the loudest is harmless.
        let harmful = reach.greatestSquaredDistance(losing: loudest - strength + propagation.captureThreshold - 1)
        for place in channels[channel].onAir.indices
        where channels[channel].onAir[place].position.squaredDistance(to: receiver.1) <= harmful {
            let rival = channels[channel].onAir[place]
            guard rival.slot != frame.slot, rival.radio != listener.radio,
                !isHarmless(rival, to: receiver.1, hearing: strength)
            else { continue }
            let rivalStrength = self.strength(of: rival.power, from: (rival.radio, rival.position), at: receiver)
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
        switch losses.draw(from: frame.radio, to: listener.radio) {
        case .unheard: return
        case .damaged: spoiltFrom = frame.start
        case .none: break
        }
        faintest = min(faintest, strength)
        channels[channel].listeners[index].isLocked = true
        channels[channel].receptions.append(
            OngoingReception(
                receiver: listener.radio,
                place: listener.position,
                slot: frame.slot,
                strength: strength,
                spoiltFrom: spoiltFrom
            )
        )
    }

    /// What is being received on a channel is spoilt by a frame that begins, where that is near enough.
    mutating func spoilReceptions(on channel: Int, by rival: FrameOnAir) {
        // The distance beyond which even the faintest reception comes to no harm.
        let harmful = reach.greatestSquaredDistance(
            losing: Int(rival.power.dBm) - faintest + propagation.captureThreshold - 1
        )
        for index in channels[channel].receptions.indices
        where channels[channel].receptions[index].place.squaredDistance(to: rival.position) <= harmful {
            spoilIfNear(reception: index, on: channel, by: rival)
        }
    }

    private mutating func spoilIfNear(reception index: Int, on channel: Int, by rival: FrameOnAir) {
        let reception = channels[channel].receptions[index]
        guard reception.spoiltFrom == nil, reception.receiver != rival.radio else { return }
        guard !isHarmless(rival, to: reception.place, hearing: reception.strength) else { return }
        let strength = strength(
            of: rival.power,
            from: (rival.radio, rival.position),
            at: (reception.receiver, reception.place)
        )
        if reception.strength - strength < propagation.captureThreshold {
            channels[channel].receptions[index].spoiltFrom = rival.start
            collisions.receptions += 1
        }
    }

    /// Whether a signal is too far away to harm one of this strength. False if its strength has to be computed.
    private mutating func isHarmless(_ rival: FrameOnAir, to place: Position, hearing strength: Int) -> Bool {
        let harmless = strength - propagation.captureThreshold
        return losesMore(than: Int(rival.power.dBm) - harmless - 1, from: rival, to: place)
    }

    /// Whether the distance alone shows that a signal loses more than so many decibels.
    private mutating func losesMore(than loss: Int, from frame: FrameOnAir, to place: Position) -> Bool {
        reach.isBeyond(frame.position.squaredDistance(to: place), losing: loss)
    }

    /// How loudly one radio hears another that sends with the given power, in dBm.
    package mutating func strength(
        of power: SignalStrength,
        from transmitter: (RadioID, Position),
        at receiver: (RadioID, Position)
    ) -> Int {
        Int(power.dBm) - pathLoss(between: transmitter, and: receiver)
    }

    private static let pairPurpose: SeededRandom.Purpose = "pair of radios"

    mutating func pathLoss(between first: (RadioID, Position), and second: (RadioID, Position)) -> Int {
        let squaredDistance = first.1.squaredDistance(to: second.1)
        if let known = powerCache.loss(first.0, second.0, at: squaredDistance) { return known }
        let low = min(first.0, second.0), high = max(first.0, second.0)
        var pair = SeededRandom(
            seed: seed,
            device: UInt64(low.rawValue) << 32 | UInt64(high.rawValue),
            purpose: Self.pairPurpose
        )
        let loss = propagation.loss(atSquaredDistance: squaredDistance, pair: pair.next())
        powerCache.keep(loss, first.0, second.0, at: squaredDistance)
        return loss
    }

    /// The bytes as received: from the instant of the damage on, some bits are flipped.
    mutating func received(_ transmission: Transmission, spoiltFrom: Instant?) -> [UInt8] {
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
