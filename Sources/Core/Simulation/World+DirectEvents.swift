import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Connection events of two devices that are alone on their channel: see `DirectEvent`.
extension World {
    /// A device wakes up. If it listens for the central of a connection from now on, and the two are alone, the event is
    /// computed at once where both sides send empty PDUs only, and otherwise goes from one to the other directly.
    ///
    /// True if it was computed at once, to its end.
    func beginConnectionEvent(of id: DeviceID) -> Bool {
        guard let (start, next) = state.queue.first, case .wakeUp(let other) = next,
            start - now < DirectEvent.longestStep, state.mayLeaveMediumOut, quietAir == nil,
            let peripheral = device(id), let central = device(other), peripheral.mayLeaveMediumOut,
            central.mayLeaveMediumOut, let own = peripheral.controller, let its = central.controller,
            let ownRadio = peripheral.radio, let itsRadio = central.radio,
            let event = own.event(from: now, with: its, at: start)
        else { return false }
        let ownPower = peripheral.transmitPower ?? event.peripheralPower
        let itsPower = central.transmitPower ?? event.centralPower
        let strengths = state.medium.strengths(
            betweenAlone: (ownRadio, ownPower),
            and: (itsRadio, itsPower),
            on: event.channel
        )
        guard let strengths else { return false }
        let down = DirectEvent.Side(device: central, radio: itsRadio, power: itsPower, strength: strengths.atSecond)
        let up = DirectEvent.Side(device: peripheral, radio: ownRadio, power: ownPower, strength: strengths.atFirst)
        if event.isEmpty, event.end <= state.unseenUntil, mayCarryOut(event, down, up) {
            carryOut(event, down, up)
            return true
        }
        state.direct = DirectEvent(on: event.channel, event.accessAddress, central: down, peripheral: up)
        state.directEventCount += 1
        return false
    }

    // MARK: Frame by frame

    /// Puts a frame on its way to the other side, if that hears it. False, and nothing has changed, otherwise.
    func sendDirectly(
        _ frame: [UInt8],
        _ channel: ChannelIndex,
        _ phy: PHY,
        _ power: SignalStrength,
        by device: Device
    ) -> Bool {
        guard let direct = state.direct, let isCentral = direct.isCentral(device),
            direct.isHeard(isCentral, on: channel, phy, device.transmitPower ?? power, at: now)
        else { return false }
        assert(AirFrame.accessAddress(of: frame) == direct.accessAddress, "a frame of another link goes directly")
        state.transmissionCount += 1
        state.directFrameCount += 1
        state.digest.absorb(beginning: now, from: direct.side(isCentral).radio, on: channel, frame)
        direct.course[windowOf: isCentral] = nil
        direct.course.flight = DirectEvent.Flight(
            isDown: isCentral,
            phy: phy,
            start: now,
            end: .init(instant: now + AirTime.span(ofFrame: frame, phy: phy), sequence: state.queue.takeSequence()),
            frame: frame
        )
        return true
    }

    /// Lets a side listen. False, and nothing has changed, if that is for something else than the other side.
    func listenDirectly(
        _ channel: ChannelIndex,
        _ phy: PHY,
        _ accessAddress: AccessAddress,
        _ since: Instant,
        _ until: Instant,
        by device: Device
    ) -> Bool {
        guard let direct = state.direct, let isCentral = direct.isCentral(device), channel == direct.channel,
            accessAddress == direct.accessAddress, direct.course.flight == nil
        else { return false }
        direct.course[windowOf: isCentral] = DirectEvent.Window(
            phy: phy,
            since: since,
            until: until,
            sequence: state.queue.takeSequence()
        )
        return true
    }

    /// The frame that is on its way has arrived.
    func endDirectFrame() {
        guard let direct = state.direct, let flight = direct.course.flight.take() else { return }
        direct.course[windowOf: !flight.isDown] = nil
        let strength = flight.isDown ? direct.peripheral.strength : direct.central.strength
        var reception = Reception(
            channel: direct.channel,
            phy: flight.phy,
            start: flight.start,
            end: flight.end.instant,
            strength: strength,
            frame: flight.frame
        )
        // Both controllers compute it from the same preset: `Controller.event` has compared them.
        reception.hasKnownCRC = true
        let sender = flight.isDown ? direct.central.device : direct.peripheral.device
        sender.callController(at: now) { controller, now, actions in controller.transmitted(at: now, into: &actions) }
        exchangePackets(of: sender)
        let radio = flight.isDown ? direct.peripheral.radio : direct.central.radio
        state.digest.absorb(delivery: radio, isDamaged: false)
        let receiver = flight.isDown ? direct.peripheral.device : direct.central.device
        guard isPresent(receiver) else { return }
        receiver.callController(at: now) { controller, now, actions in
            controller.received(reception, at: now, into: &actions)
        }
        exchangePackets(of: receiver)
    }
}

extension WorldState {
    /// Whether no tap is told of frames, and no window ends soon.
    var mayLeaveMediumOut: Bool { tap == nil && sharedAir == nil && listeningEnds.isEmpty }

    /// Keeps the next wake-up of a device if it is within the event that goes on. False if it is for the queue.
    mutating func keepsWakeUp(of device: Device, at instant: Instant) -> Bool {
        guard let direct, let isCentral = direct.isCentral(device) else { return false }
        // Two at once are more than is kept here.
        if direct.course[wakeUpOf: isCentral] != nil { endDirectEvent() }
        guard self.direct != nil, instant - now < DirectEvent.longestStep else { return false }
        direct.course[wakeUpOf: isCentral] = .init(instant: instant, sequence: queue.takeSequence())
        return true
    }

    /// Takes out the next event while a connection event goes on directly. Before anything happens that is no part of it,
    /// it ends.
    mutating func popEvent(notAfter limit: Instant, beside direct: DirectEvent) -> (
        instant: Instant, event: WorldEvent
    )? {
        if direct.course.isOver {
            // The next event may be another direct one.
            self.direct = nil
            giveBackWakeUps(of: direct)
            return popEvent(notAfter: limit)
        }
        let (step, place) = direct.course.next
        if let first = queue.nextPlace,
            DirectEvent.Place(instant: first.instant, sequence: first.sequence).precedes(place)
        {
            guard case .wakeUp(let id)? = queue.first?.event, listeningEnds.isEmpty,
                id == direct.central.device.id || id == direct.peripheral.device.id,
                first.instant < direct.course.windowEnd
            else {
                endDirectEvent()
                return popEvent(notAfter: limit)
            }
            return queue.popFirst(notAfter: limit)
        }
        guard listeningEnds.isEmpty else {
            endDirectEvent()
            return popEvent(notAfter: limit)
        }
        switch step {
        case .none:
            endDirectEvent()
            return popEvent(notAfter: limit)
        case .frameEnd:
            return place.instant <= limit ? (place.instant, .directFrameEnd) : nil
        case .wakeUp(let isCentral):
            guard place.instant <= limit else { return nil }
            direct.course[wakeUpOf: isCentral] = nil
            return (place.instant, .directWakeUp(isCentral: isCentral))
        }
    }

    /// Gives a connection event that goes on directly back to medium and queue, as they would have it.
    mutating func endDirectEvent() {
        guard let event = direct else { return }
        direct = nil
        let course = event.course
        let isCentralFirst = (course.centralWindow?.sequence ?? .max) < (course.peripheralWindow?.sequence ?? .max)
        giveBackWindow(of: event, isCentral: isCentralFirst)
        giveBackWindow(of: event, isCentral: !isCentralFirst)
        if let flight = course.flight {
            let sender = event.side(flight.isDown)
            let id = medium.begin(
                Transmission(
                    radio: sender.radio,
                    channel: event.channel,
                    phy: flight.phy,
                    power: sender.power,
                    syncWord: event.accessAddress.rawValue,
                    start: flight.start,
                    end: flight.end.instant,
                    frame: flight.frame
                )
            )
            sender.device.state.transmission = id
            queue.schedule(.transmissionEnd(number: id.number), at: flight.end.instant, sequence: flight.end.sequence)
        }
        giveBackWakeUps(of: event)
    }

    private mutating func giveBackWindow(of event: DirectEvent, isCentral: Bool) {
        guard let window = event.course[windowOf: isCentral] else { return }
        let radio = event.side(isCentral).radio
        let generation = medium.listen(
            radio,
            on: event.channel,
            phy: window.phy,
            syncWord: event.accessAddress.rawValue,
            from: window.since,
            until: window.until
        )
        // A window that is behind has a frame in it, so that its end does not matter any more.
        guard window.until >= now else { return }
        schedule(endOf: radio, generation: generation, at: window.until, sequence: window.sequence)
    }

    private mutating func giveBackWakeUps(of event: DirectEvent) {
        if let wakeUp = event.course.centralWakeUp { giveBack(wakeUp, of: event.central.device) }
        if let wakeUp = event.course.peripheralWakeUp { giveBack(wakeUp, of: event.peripheral.device) }
    }

    private mutating func giveBack(_ wakeUp: DirectEvent.Place, of device: Device) {
        device.state.wakeUps.append(wakeUp.instant)
        queue.schedule(.wakeUp(device.id), at: wakeUp.instant, sequence: wakeUp.sequence)
    }
}

extension Device {
    /// Whether it is on this air, by the world's clock, and its radio is silent.
    fileprivate var mayLeaveMediumOut: Bool { state.drift == .none && isAtRest }

    /// Whether it transmits nothing, and has done all that there was to do.
    var isAtRest: Bool { state.transmission == nil && !state.hasControllerActions && !state.hasHostActions }
}
