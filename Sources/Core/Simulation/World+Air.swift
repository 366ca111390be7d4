import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// What happens between the controllers' radios and the medium.
extension World {
    func endTransmission(_ id: TransmissionID) {
        if let air = state.sharedAir { return endOwnFrame(id, on: air) }
        let transmission = state.endTransmission(id)
        // A controller that has lent out its advertising is not told when a frame ends.
        let isQuiet = quietAir?.ended(id, of: transmission.radio) ?? false
        if !isQuiet, let sender = device(of: transmission.radio) { finishTransmission(id, of: sender) }
        deliverAll(of: transmission, from: nil)
    }

    func finishTransmission(_ id: TransmissionID, of sender: Device) {
        // A sender that broke its frame off does not wait for its end.
        guard sender.state.transmission == id else { return }
        sender.state.transmission = nil
        sender.rawRadio?.resume()
        guard sender.controller != nil else { return }
        sender.callController(at: now) { controller, now, actions in controller.transmitted(at: now, into: &actions) }
        exchangePackets(of: sender)
    }

    /// Delivers a frame that has ended to those who got it.
    ///
    /// - Parameter place: where it began, if that is known.
    func deliverAll(of transmission: Transmission, from place: Position?) {
        // Receivers may transmit in turn, but no frame can end before this call does.
        var deliveries: [Delivery] = []
        swap(&deliveries, &state.deliveries)
        var isAnswered = false
        deliveries.drain { delivery in
            let receiver = delivery.receiver
            deliver(delivery, of: transmission)
            // One who waits for nobody's advertisements is about to answer none.
            guard let quietAir, let device = device(of: receiver), device.state.hearer != nil,
                device.controller?.isAboutToAnswer == true,
                let place = place ?? state.knownPosition(of: transmission.radio)
            else { return }
            quietAir.asks(device, transmission.radio, at: place)
            isAnswered = true
        }
        swap(&deliveries, &state.deliveries)
        if isAnswered, let sender = device(of: transmission.radio) {
            sender.state.quietAir?.expectRequest(to: sender, afterFrameUntil: transmission.end)
        }
    }

    private func deliver(_ delivery: Delivery, of transmission: Transmission) {
        if let air = state.sharedAir {
            air.note(delivery.receiver) { digest in
                digest.absorb(UInt64(bitPattern: delivery.reception.end.nanoseconds))
                digest.absorb(UInt64(transmission.radio.rawValue) << 1 | (delivery.isDamaged ? 1 : 0))
                digest.absorb(Int(delivery.reception.strength.dBm))
            }
        } else {
            state.digest.absorb(delivery: delivery.receiver, isDamaged: delivery.isDamaged)
        }
        guard let receiver = device(of: delivery.receiver) else { return }
        state.tap?.received(delivery, transmission, by: receiver.id)
        if let rawRadio = receiver.rawRadio { rawRadio.received(delivery.reception) }
        guard receiver.controller != nil else { return }
        if let air = receiver.state.quietAir, air.takeRequest(delivery.reception, to: receiver, endedAt: heardInstant) {
            return
        }
        let drift = receiver.state.drift
        receiver.callController(at: heardInstant) { controller, now, actions in
            if drift == .none {
                controller.received(delivery.reception, at: now, into: &actions)
            } else {
                controller.received(delivery.reception.seen(through: drift), at: now, into: &actions)
            }
        }
        exchangePackets(of: receiver)
    }

    func carryOut(_ order: consuming RadioOrder, radio: RadioID, of device: Device) {
        // A device that was removed while it was busy has no radio any more.
        guard isPresent(device) else { return }
        device.state.radioOrders &+= 1
        switch order {
        case .stop:
            takeToMedium(device)
            state.medium.stopListening(radio)
        case .transmit(let channel, let phy, let power, let frame):
            if state.direct != nil, sendDirectly(frame, channel, phy, power, by: device) { return }
            takeToMedium(device)
            transmit(frame, on: channel, phy: phy, power: power, radio: radio, of: device)
        case .listen(let channel, let phy, let accessAddress, let since, let until):
            if state.direct != nil, listenDirectly(channel, phy, accessAddress, since, until, by: device) { return }
            takeToMedium(device)
            guard quietAir?.listens(device, on: channel) ?? true else { return }
            listen(
                radio,
                on: channel,
                phy: phy,
                accessAddress,
                from: device.state.drift.world(from: since),
                until: device.state.drift.world(from: until),
                for: quietAir?.filter(of: device, on: channel)
            )
        }
    }

    /// Has a radio listen for frames that begin in that time.
    func listen(
        _ radio: RadioID,
        on channel: ChannelIndex,
        phy: PHY,
        _ accessAddress: AccessAddress,
        from since: Instant,
        until end: Instant,
        for filter: FrameFilter?
    ) {
        let generation = state.medium.listen(
            radio,
            on: channel,
            phy: phy,
            syncWord: accessAddress.rawValue,
            from: since,
            until: end,
            for: filter
        )
        state.schedule(endOf: radio, generation: generation, at: end + (state.sharedAir?.delay ?? .zero))
    }

    /// A radio turns to something else, in the medium.
    func takeToMedium(_ device: Device) {
        state.endDirectEvent()
        breakOffTransmission(of: device)
    }

    /// Puts a frame on the air now.
    func transmit(
        _ frame: consuming [UInt8],
        on channel: ChannelIndex,
        phy: PHY,
        power: SignalStrength,
        radio: RadioID,
        of device: Device
    ) {
        let transmission = Transmission(
            radio: radio,
            channel: channel,
            phy: phy,
            power: device.transmitPower ?? power,
            syncWord: AirFrame.accessAddress(of: frame).rawValue,
            start: now,
            end: now + AirTime.span(ofFrame: frame, phy: phy),
            frame: frame
        )
        state.transmissionCount += 1
        if let air = state.sharedAir { return share(transmission, of: device, on: air) }
        device.state.transmission = putOnAir(consume transmission)
    }

    /// A frame begins, now or a moment ago.
    ///
    /// - Parameters:
    ///   - sender: who sends, and where it began; nil for the one whose radio it is, where that is.
    ///   - hasBegun: whether that was before this moment, though it may be in this instant.
    /// - Returns: nil if a tap has taken the sender out of the world.
    func putOnAir(
        _ transmission: consuming Transmission,
        from sender: (id: DeviceID, place: Position)? = nil,
        hasBegun: Bool = false
    ) -> TransmissionID? {
        if let air = state.sharedAir {
            let place = sender?.place ?? state.position(of: transmission.radio)
            return shareQuietly(transmission, from: sender?.id, at: place, on: air)
        }
        quietAir?.begins(transmission, at: sender?.place ?? state.position(of: transmission.radio))
        state.digest.absorb(
            beginning: transmission.start,
            from: transmission.radio,
            on: transmission.channel,
            transmission.frame
        )
        if let tap = state.tap, let sender = sender?.id ?? device(of: transmission.radio)?.id {
            tap.transmitted(transmission, by: sender)
        }
        guard state.medium.contains(transmission.radio) else { return nil }
        let end = transmission.end
        let isLate = hasBegun || transmission.start < now
        let id = isLate ? state.medium.join(consume transmission) : state.medium.begin(consume transmission)
        state.queue.schedule(.transmissionEnd(number: id.number), at: end)
        return id
    }

    func breakOffTransmission(of device: Device) {
        guard let transmission = device.state.transmission else { return }
        device.state.transmission = nil
        if let air = state.sharedAir { return breakOffShared(transmission, on: air) }
        state.medium.breakOff(transmission, at: now)
    }
}

extension TraceDigest {
    /// A frame begins.
    mutating func absorb(beginning start: Instant, from radio: RadioID, on channel: ChannelIndex, _ frame: [UInt8]) {
        absorb(UInt64(bitPattern: start.nanoseconds))
        absorb(UInt64(radio.rawValue) << 8 | UInt64(channel.index))
        absorb(frame)
    }

    /// A frame has been delivered.
    mutating func absorb(delivery receiver: RadioID, isDamaged: Bool) {
        absorb(UInt64(receiver.rawValue) << 1 | (isDamaged ? 1 : 0))
    }
}
