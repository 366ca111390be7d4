import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A connection's use of the radio: a fixed start at each event, which the peer knows.
extension ConnectionBox: RadioActivity {
    func booking(in controller: inout ControllerCore) -> RadioBooking? { connection.nextStart.map(booking) }

    /// What is booked for an event that begins at an instant.
    func booking(at start: Instant) -> RadioBooking {
        RadioBooking(
            start: start,
            latestStart: start,
            span: connection.exchangeSpan(),
            priority: priority
        )
    }

    private var priority: RadioPriority {
        RadioPriority(rank: .fixed, missedInARow: connection.schedule.missedInARow)
    }

    func priority(in controller: inout ControllerCore) -> RadioPriority { priority }

    func isBusy(in controller: inout ControllerCore) -> Bool { true }

    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.beginEvent(of: self, at: now, into: &actions)
    }

    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.passOver(self, at: now, into: &actions)
    }

    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.closeEvent(self, at: now, into: &actions)
    }

    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.transmitted(self, at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.received(reception, of: self, at: now, into: &actions)
    }

    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothing(self, at: now, into: &actions)
    }

    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.takeTurn(self, at: now, into: &actions)
    }
}

/// Connection events: who transmits when, and when it is over. Core 6.0, Vol 6, Part B, 4.5.6.
extension ControllerCore {
    /// The next event of a connection is due.
    mutating func requestEvent(of box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        request(box.booking(at: now), for: box, at: now, into: &actions)
    }

    /// The connection has the radio for its event.
    mutating func beginEvent(of box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        var output = LinkOutput()
        box.connection.startEvent(at: now, into: &output)
        guard deliver(output, of: box, at: now, into: &actions) else { return }
        let anchor = box.connection.schedule.anchor
        let limit = min(nextFixedStart(except: box), anchor + box.connection.parameters.interval.span)
        box.connection.event.limit = limit - Self.changeover
        if box.connection.role == .central {
            transmit(box, at: now, into: &actions)
        } else {
            let widening = box.connection.schedule.windowWidening(at: anchor)
            box.connection.event.phase = .awaitingAnchor
            actions.radio.append(
                .listen(
                    channel: box.connection.event.channel,
                    phy: box.connection.phys.receive,
                    accessAddress: box.connection.accessAddress,
                    since: anchor - widening,
                    until: anchor + box.connection.schedule.windowSize + widening
                )
            )
        }
    }

    /// Another activity has the radio: the event does not take place.
    mutating func passOver(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        var output = LinkOutput()
        box.connection.missEvent(at: now, into: &output)
        _ = deliver(output, of: box, at: now, into: &actions)
    }

    /// Our next frame, with `limit` bytes of data at most; the last of its event if that is given.
    private mutating func transmit(
        _ box: ConnectionBox,
        limit: Int? = nil,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let mayAnnounceMore = limit == nil && box.connection.mayAnnounceMore(at: now) && !mustYield(box, at: now)
        guard let frame = box.connection.nextFrame(moreAllowed: mayAnnounceMore, limit: limit) else {
            return finishLink(box, reason: .connectionTerminatedMICFailure, at: now, into: &actions)
        }
        box.connection.event.phase = .transmitting
        actions.radio.append(
            .transmit(
                channel: box.connection.event.channel,
                phy: box.connection.phys.transmit,
                power: configuration.transmitPower,
                frame: frame
            )
        )
    }

    /// Our frame has gone out: listen for the answer, or for the central's next packet.
    mutating func transmitted(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        if let reason = box.connection.procedures.peerTerminates {
            // That frame carried the acknowledgement.
            return finishLink(box, reason: reason, at: now, into: &actions)
        }
        let goesOn =
            box.connection.role == .central || box.connection.event.hasMore && !mustYield(box, at: now)
        guard goesOn else { return endEvent(box, at: now, into: &actions) }
        box.connection.event.phase = .listening
        let window = answerWindow(after: now)
        actions.radio.append(
            .listen(
                channel: box.connection.event.channel,
                phy: box.connection.phys.receive,
                accessAddress: box.connection.accessAddress,
                since: window.since,
                until: window.until
            )
        )
    }

    mutating func received(
        _ reception: Reception,
        of box: ConnectionBox,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        var output = LinkOutput()
        let knowledge = localKnowledge
        box.connection.receive(
            reception,
            at: now,
            knowing: knowledge,
            into: &output,
            packets: &actions.packets
        )
        guard deliver(output, of: box, at: now, into: &actions) else { return }
        if box.connection.queue.completedPackets >= 4 { reportCompleted(box, into: &actions) }
        if box.connection.event.badPackets >= 2 { return endEvent(box, at: now, into: &actions) }
        box.connection.event.phase = .turnaround
        deadlines.arm(.turnaround, at: now + AirTime.interFrameSpace)
    }

    mutating func heardNothing(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        endEvent(box, at: now, into: &actions)
    }

    /// The inter frame space is over: a peripheral answers; a central goes on if there is more and time for it.
    mutating func takeTurn(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        if box.connection.role == .central {
            guard box.connection.event.hasMore, !mustYield(box, at: now) else {
                return endEvent(box, at: now, into: &actions)
            }
            guard now + box.connection.exchangeSpan() <= box.connection.event.limit else {
                // There is no time for all of the next packet, but there may be for its beginning.
                guard let fitting = box.connection.payloadFitting(at: now) else {
                    return endEvent(box, at: now, into: &actions)
                }
                return transmit(box, limit: fitting, at: now, into: &actions)
            }
        }
        transmit(box, at: now, into: &actions)
    }

    /// The event is over; the radio is free for others.
    private mutating func endEvent(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        reportCompleted(box, into: &actions)
        var output = LinkOutput()
        box.connection.endEvent(at: now, into: &output)
        guard deliver(output, of: box, at: now, into: &actions) else { return }
        radioFreed(at: now, into: &actions)
    }

    /// Ends the event of a connection that loses the radio.
    mutating func closeEvent(_ box: ConnectionBox, at now: Instant, into actions: inout ControllerActions) {
        reportCompleted(box, into: &actions)
        var output = LinkOutput()
        box.connection.endEvent(isCutShort: true, at: now, into: &output)
        deliver(output, of: box, at: now, into: &actions)
    }
}
