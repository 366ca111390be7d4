import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Advertising events. Core 6.0, Vol 6, Part B, 4.4.2.
extension ControllerCore {
    /// Begins an event that is due, or goes on with one, if the radio allows; ends high duty cycle advertising when its
    /// time is over.
    mutating func goOnAdvertising(at now: Instant, into actions: inout ControllerActions) {
        switch advertiser.phase {
        case .off, .lent, .transmitting, .listening, .turnaround, .answering: return
        case .waiting, .heldUp: break
        }
        if let end = advertiser.end {
            guard now < end else { return endHighDutyAdvertising(into: &actions) }
            // What would end after the time is over does not begin any more.
            guard now + advertisingSpan <= end else { return advertiser.holdUp() }
        }
        guard advertiser.nextEvent <= now else { return }
        let activity = AdvertisingActivity.shared
        guard grants(advertisingBooking, to: activity, at: now) else { return advertiser.holdUp() }
        takeRadio(at: now, into: &actions)
        giveRadio(to: activity)
        activity.granted(by: &self, at: now, into: &actions)
    }

    /// Advertising has the radio for the next PDU.
    mutating func beginAdvertisement(at now: Instant, into actions: inout ControllerActions) {
        if advertiser.channelsLeft == 0 {
            advertiser.channelsLeft = advertiser.parameters.channelMap & 0b111
            if advertiser.parameters.ownAddressType.prefersPrivate { renewAdvertisingAddresses(at: now) }
        }
        transmitAdvertisement(into: &actions)
    }

    /// The next PDU, and what it may lead to.
    var advertisingBooking: RadioBooking {
        mutating get {
            RadioBooking(
                start: advertiser.nextEvent,
                latestStart: advertiser.end ?? .distantFuture,
                span: advertisingSpan,
                priority: RadioPriority(rank: .flexible)
            )
        }
    }

    /// How long one PDU takes with an answer: the scan request and response, or the connection request.
    private var advertisingSpan: TimeSpan {
        mutating get {
            let advertisement = AirTime.span(ofFrame: advertiser.advertisement, phy: .le1M)
            guard advertiser.parameters.type != .nonConnectable else { return advertisement }
            let request = AirTime.span(payloadBytes: ConnectIndication.payloadLength, phy: .le1M)
            let response = AirTime.span(ofFrame: advertiser.response, phy: .le1M)
            return advertisement + request + response + AirTime.interFrameSpace * 2
        }
    }

    private mutating func transmitAdvertisement(into actions: inout ControllerActions) {
        advertiser.transmit()
        actions.radio.append(
            .transmit(
                channel: advertiser.channel,
                phy: .le1M,
                power: configuration.transmitPower,
                frame: advertiser.advertisement
            )
        )
    }

    mutating func transmittedAdvertising(at now: Instant, into actions: inout ControllerActions) {
        guard advertiser.phase == .transmitting, advertiser.isScannable || advertiser.isConnectable else {
            return nextAdvertisingChannel(at: now, into: &actions)
        }
        advertiser.goOn(.listening)
        let window = answerWindow(after: now)
        actions.radio.append(
            .listen(
                channel: advertiser.channel,
                phy: .le1M,
                accessAddress: .advertising,
                since: window.since,
                until: window.until
            )
        )
    }

    mutating func heardNothingAdvertising(at now: Instant, into actions: inout ControllerActions) {
        nextAdvertisingChannel(at: now, into: &actions)
    }

    /// An answer to our advertisement: a scan request, a connection request, or nothing for us.
    mutating func receivedAdvertising(_ reception: Reception, at now: Instant, into actions: inout ControllerActions) {
        let frame = reception.frame
        guard AirFrame.isWellFormed(frame), AirFrame.hasValidCRC(frame, crcInit: .advertising) else {
            return nextAdvertisingChannel(at: now, into: &actions)
        }
        switch try? AdvertisingPDU(frame: frame) {
        case .scanReq(let scanner, advertiser.ownAddress.onAir)
        where advertiser.isScannable && answersScans(of: resolvingList.identify(scanner)):
            advertiser.goOn(.turnaround)
            deadlines.arm(.turnaround, at: now + AirTime.interFrameSpace)
        case .connectInd(let indication)
        where advertiser.isConnectable && indication.advertiser == advertiser.ownAddress.onAir:
            let initiator = resolvingList.identify(indication.initiator)
            guard acceptsConnection(from: initiator) else { return nextAdvertisingChannel(at: now, into: &actions) }
            acceptConnection(indication, from: initiator, at: now, into: &actions)
        default:
            nextAdvertisingChannel(at: now, into: &actions)
        }
    }

    private mutating func answersScans(of scanner: HeardDevice) -> Bool {
        !scanner.isRefused && (advertiser.answersStrangers || filterAcceptList.contains(scanner.device))
    }

    private mutating func acceptsConnection(from initiator: HeardDevice) -> Bool {
        guard !initiator.isRefused, connectionCount < configuration.connectionLimit,
            !isConnected(from: advertiser.ownAddress, to: initiator)
        else { return false }
        // Directed advertising takes no notice of the list. 4.3.2.
        if advertiser.isDirected { return initiator.device == advertiser.parameters.peer.address }
        switch advertiser.parameters.filterPolicy {
        case .everybody, .scansFromList: return true
        case .connectionsFromList, .onlyFromList: return filterAcceptList.contains(initiator.device)
        }
    }

    /// The inter frame space after a scan request is over.
    mutating func answerScan(at now: Instant, into actions: inout ControllerActions) {
        advertiser.goOn(.answering)
        actions.radio.append(
            .transmit(
                channel: advertiser.channel,
                phy: .le1M,
                power: configuration.transmitPower,
                frame: advertiser.response
            )
        )
    }

    private mutating func nextAdvertisingChannel(at now: Instant, into actions: inout ControllerActions) {
        // The lowest channel has been served.
        advertiser.channelsLeft &= advertiser.channelsLeft &- 1
        if advertiser.channelsLeft == 0 {
            advertiser.wait(at: now, delay: &random.advertisingDelay)
        } else if grants(advertisingBooking, to: AdvertisingActivity.shared, at: now) {
            return transmitAdvertisement(into: &actions)
        } else {
            advertiser.holdUp()
        }
        radioFreed(at: now, into: &actions)
    }

    /// A device connects to us: advertising is over, a connection begins as peripheral. 4.5.
    private mutating func acceptConnection(
        _ indication: ConnectIndication,
        from initiator: HeardDevice,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        advertiser.stop()
        releaseRadio()
        let usesSecond = indication.supportsChannelSelection2 && configuration.supportsChannelSelection2
        let plan = ConnectionPlan(indication: indication, own: advertiser.ownAddress, peer: initiator)
        addConnection(.peripheral, plan, usesSecondAlgorithm: usesSecond, requestEnd: now, into: &actions)
        radioFreed(at: now, into: &actions)
    }

    /// No connection within 1.28 s. Vol 4, Part E, 7.8.9.
    private mutating func endHighDutyAdvertising(into actions: inout ControllerActions) {
        advertiser.stop()
        sendConnectionComplete(failed: .advertisingTimeout, role: .peripheral, into: &actions)
    }
}
