public import BluethroatBluetoothValues
package import BluethroatVirtualTime

/// The air of a world that is one part of a larger one: frames come from radios of all parts, told some time after they
/// began. The medium is as much behind the radios' orders, so that it is told of each in time.
///
/// A frame keeps the position in which it began. Nothing here depends on which part a radio belongs to: shadowing, losses
/// and damage are drawn by the radios' numbers, which are those of the larger world.
extension Medium {
    /// The number of the radio that arrives next.
    package mutating func setNextNumber(_ number: UInt32) { radios.skip(to: number) }

    /// Puts a frame on the air whose radio is in this part or in another, and is not looked at.
    ///
    /// Of frames that begin at the same instant the caller puts the one with the lower radio number first.
    package mutating func beginShared(_ transmission: consuming Transmission, at position: Position) -> TransmissionID {
        let channel = Int(transmission.channel.index)
        let frame = FrameOnAir(transmission, slot: transmissions.nextPlace, position: position)
        let slot = transmissions.insert(transmission)
        loudest = max(loudest, Int(frame.power.dBm))
        if !channels[channel].receptions.isEmpty { spoilReceptions(on: channel, by: frame) }
        let receptions = channels[channel].receptions.count
        offer(frame, on: channel)
        channels[channel].onAir.append(frame)
        if channels[channel].receptions.count > receptions {
            channels[channel].onAir[channels[channel].onAir.count - 1].hasReceivers = true
        }
        return TransmissionID(slot: slot)
    }

    /// As `join`, for such a frame.
    package mutating func joinShared(_ transmission: consuming Transmission, at position: Position) -> TransmissionID {
        let channel = Int(transmission.channel.index)
        let frame = FrameOnAir(transmission, slot: transmissions.nextPlace, position: position)
        let slot = transmissions.insert(transmission)
        loudest = max(loudest, Int(frame.power.dBm))
        // A radio that begins to listen receives the earliest frame that it can. Few frames on the air began later.
        let place = channels[channel].onAir.lastIndex { $0.start <= frame.start }.map { $0 + 1 } ?? 0
        channels[channel].onAir.insert(frame, at: place)
        return TransmissionID(slot: slot)
    }

    /// As `setLoss`, from a radio that may be in another part.
    package mutating func setSharedLoss(_ share: Ratio, from transmitter: RadioID, to receiver: RadioID) {
        guard contains(receiver) else { return }
        losses.set(share, from: transmitter, to: receiver)
    }

    /// When a frame that is on the air began.
    package func start(of id: TransmissionID) -> Instant { transmissions[id.slot].start }

    /// Takes such a frame off the air at its end and answers, in `deliveries`, who of this part got it and how; and where it
    /// began, if it was not broken off.
    package mutating func endShared(
        _ id: TransmissionID,
        into deliveries: inout [Delivery]
    ) -> (Transmission, from: Position?) {
        let transmission = transmissions.remove(id.slot)
        let channel = Int(transmission.channel.index)
        let frame = channels[channel].removeFromAir(id.slot)
        // One that was broken off is not on the air any more, and may have receivers.
        guard frame?.hasReceivers != false else { return (transmission, frame?.position) }
        channels[channel].takeReceptions(of: id.slot, into: &ended)
        for reception in ended {
            endListening(of: reception.receiver)
            // A stream for each reception: which others were damaged before, and where, does not matter.
            let pair = UInt64(reception.receiver.rawValue) << 32 | UInt64(transmission.radio.rawValue)
            let start = UInt64(bitPattern: transmission.start.nanoseconds) &* 0x9e37_79b9_7f4a_7c15
            damage = SeededRandom(seed: seed, device: pair ^ start, purpose: "damaged bits of a reception")
            deliveries.append(delivery(of: transmission, as: reception))
        }
        ended.removeAll(keepingCapacity: true)
        return (transmission, frame?.position)
    }
}

extension Propagation {
    /// How far away a radio that sends with this power can matter to any receiver, in millimetres: as a signal, or by
    /// spoiling the faintest one. Nil if no distance is too great.
    ///
    /// - Parameter keenest: the weakest signal that a receiver with a sensitivity of its own can follow.
    public func interferenceReach(of power: SignalStrength, heardBy keenest: SignalStrength? = nil) -> Int64? {
        distance(losing: loss(of: power, heardBy: keenest) + max(captureThreshold, 0))
    }

    /// How far away a radio that sends with this power can be heard, in millimetres; as `interferenceReach`.
    public func hearingReach(of power: SignalStrength, heardBy keenest: SignalStrength? = nil) -> Int64? {
        distance(losing: loss(of: power, heardBy: keenest))
    }

    private func loss(of power: SignalStrength, heardBy keenest: SignalStrength?) -> Int {
        Int(power.dBm) - min(Int(sensitivity.dBm), Int((keenest ?? sensitivity).dBm))
    }

    private func distance(losing loss: Int) -> Int64? {
        let square = greatestSquaredDistance(losing: max(loss, 0))
        guard square < UInt64(Int64.max) else { return nil }
        return Int64(Double(square).squareRoot().rounded(.up)) + 1
    }
}
