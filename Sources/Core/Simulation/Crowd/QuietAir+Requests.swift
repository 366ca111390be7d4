import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Scan requests to those whose advertising is here. No host is told of one, so that they are answered without the
/// controller. Whatever else such a device hears, its controller hears itself.
extension QuietAir {
    /// Somebody has heard a device's frame, which has ended then, and is about to ask it something, or to connect to it.
    func expectRequest(to device: Device, afterFrameUntil end: Instant) {
        guard let radio = device.radio else { return }
        let place = Int(radio.arrival.place)
        catchUp(place)
        guard isTaken(place), device.transmitPower == nil, advertisers[place].course.answersEverybody,
            advertisers[place].request == nil, advertisers[place].transmission == nil,
            let window = advertisers[place].awaitRequest(afterFrameUntil: end)
        else { return recall(device) }
        world.listen(
            radio,
            on: .advertising[advertisers[place].heardChannel],
            phy: .le1M,
            .advertising,
            from: window.since,
            until: window.until,
            for: Self.filter(requestsFor: address(of: place))
        )
    }

    /// The address that an advertiser gives as its own.
    private func address(of place: Int) -> DeviceAddress {
        let frame = frames[place]
        return AirFrame.firstAddress(of: frame, kind: AirFrame.advertisingHeader(of: frame).transmitter)
    }

    /// A device has heard something, which has ended then. False if that is for its controller.
    func takeRequest(_ reception: Reception, to device: Device, endedAt end: Instant) -> Bool {
        guard let place = place(of: device), advertisers[place].awaitsRequest, AirFrame.isWellFormed(reception.frame),
            AirFrame.hasValidCRC(reception.frame, crcInit: .advertising),
            case .scanReq(_, let asked)? = try? AdvertisingPDU(frame: reception.frame), asked == address(of: place)
        else { return false }
        scheduleWakeUp(place, at: advertisers[place].takeRequest(at: end))
        return true
    }

    /// Sends the response to a request if it is due. A wake-up for something else may have come.
    func sendResponse(_ place: Int) {
        guard case .received(let due) = advertisers[place].request,
            advertisers[place].drift.world(from: due) <= world.now,
            let response = world.device(of: advertisers[place].radio)?.controller?.scanResponse
        else { return }
        world.state.transmissionCount += 1
        _ = begin(advertisers[place].answer(response, at: world.now), of: place)
    }

    /// The time in which a device may be asked is over. False if its controller listens, and not this.
    func endWindow(of device: Device) -> Bool {
        guard let place = place(of: device), advertisers[place].awaitsRequest else { return false }
        goOn(place, after: world.heardInstant)
        return true
    }

    /// An event goes on with its next channel after a response, or after a window in which nobody has asked, that ended then.
    func goOn(_ place: Int, after end: Instant) {
        let next = advertisers[place].nextStart, now = world.now
        advertisers[place].goOn(after: end, at: now)
        guard advertisers[place].isAwake else { return }
        // A wake-up that came meanwhile was for nothing.
        let isNew = advertisers[place].nextStart != next
        if isNew || next <= now { scheduleWakeUp(place, at: advertisers[place].nextStart) }
        guard advertisers[place].presentChannels != 0 else { return }
        note(place, in: advertisers[place].cell)
        putOnAirWhatBegins(place)
    }
}
