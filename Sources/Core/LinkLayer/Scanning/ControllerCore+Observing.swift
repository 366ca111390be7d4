package import BluethroatAirPackets
package import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Scanning and initiating share the radio: one listening serves both. Core 6.0, Vol 6, Part B, 4.4.3, 4.4.4.
extension ControllerCore {
    /// Listens if a window is open, else notes when the next one opens.
    mutating func observe(at now: Instant, into actions: inout ControllerActions) {
        guard agenda.isFree else { return }
        let initiating = initiator?.schedule.state(at: now)
        let scanning = scanner?.schedule.state(at: now)
        deadlines.disarm(.observation)
        // An open window of the initiator comes first; whatever is heard serves the scanner too.
        let open =
            initiating.flatMap { state in state.channel.map { ($0, state.change) } }
            ?? scanning.flatMap { state in state.channel.map { ($0, state.change) } }
        guard let (channel, end) = open else {
            let opening = min(initiating?.change ?? .distantFuture, scanning?.change ?? .distantFuture)
            if opening != .distantFuture { deadlines.arm(.observation, at: opening) }
            return
        }
        giveRadio(to: ObservingActivity.shared)
        observation = .listening
        // The scanner's window is looked at again when one of the initiator's opens.
        let until = initiating.map { min($0.change, end) } ?? end
        actions.radio.append(
            .listen(channel: channel, phy: .le1M, accessAddress: .advertising, since: now, until: until)
        )
    }

    /// Whether a request is about to go out or its answer to come: others with time to spare let it finish.
    var isObservingBusily: Bool {
        mutating get {
            guard isObserving else { return false }
            if case .listening = observation { return false }
            return true
        }
    }

    /// What is being observed has changed: begin anew.
    mutating func restartObserving(at now: Instant, into actions: inout ControllerActions) {
        // A connection request on the air has to come to its end, since the peer may take it.
        if isObserving, case .connecting = observation { return }
        if isObserving {
            actions.radio.append(.stop)
            releaseRadio()
            observation = .listening
        }
        lastObserved = now
        if agenda.isFree { observe(at: now, into: &actions) }
    }

    mutating func heardNothingObserving(at now: Instant, into actions: inout ControllerActions) {
        if case .awaitingResponse = observation { noteScanResponse(false) }
        radioFreed(at: now, into: &actions)
    }

    mutating func receivedObserving(_ reception: Reception, at now: Instant, into actions: inout ControllerActions) {
        let frame = reception.frame
        guard AirFrame.isWellFormed(frame), AirFrame.hasValidCRC(frame, crcInit: .advertising),
            AirFrame.hasAdvertiserLength(frame)
        else {
            if case .awaitingResponse = observation { noteScanResponse(false) }
            return radioFreed(at: now, into: &actions)
        }
        let header = AirFrame.advertisingHeader(of: frame)
        let address = AirFrame.firstAddress(of: frame, kind: header.transmitter)
        if case .awaitingResponse(let asked, _) = observation {
            let isAnswer = header.type == .scanRsp && address == asked.onAir
            noteScanResponse(isAnswer)
            if isAnswer { report(frame, header, asked, reception.strength, into: &actions) }
            return radioFreed(at: now, into: &actions)
        }
        guard header.type.isAdvertisement else { return radioFreed(at: now, into: &actions) }
        let advertiser = resolvingList.identify(address)
        guard !advertiser.isRefused else { return radioFreed(at: now, into: &actions) }
        let isAdmitted = scanner != nil && admits(frame, header, advertiser, reception.strength, into: &actions)
        if isAdmitted { report(frame, header, advertiser, reception.strength, into: &actions) }
        if prepareConnection(frame, header, advertiser, reception, at: now) { return }
        if isAdmitted, mayAsk(advertiser, header, at: now) {
            observation = .aboutToAsk(advertiser, reception.channel)
            deadlines.arm(.turnaround, at: now + AirTime.interFrameSpace)
            return
        }
        radioFreed(at: now, into: &actions)
    }

    mutating func takeTurnObserving(at now: Instant, into actions: inout ControllerActions) {
        switch observation {
        case .aboutToAsk(let advertiser, let channel):
            guard let scanner else { return radioFreed(at: now, into: &actions) }
            let own = ownAddress(scanner.parameters.ownAddressType, towards: advertiser.device, at: now)
            observation = .asking(advertiser, channel)
            let request = AdvertisingPDU.scanReq(scanner: own?.onAir ?? scanner.identity, advertiser: advertiser.onAir)
            transmit(request, on: channel, into: &actions)
        case .aboutToConnect(let plan, let channel):
            observation = .connecting(plan)
            transmit(.connectInd(plan.indication), on: channel, into: &actions)
        case .listening, .asking, .awaitingResponse, .connecting:
            radioFreed(at: now, into: &actions)
        }
    }

    mutating func transmittedObserving(at now: Instant, into actions: inout ControllerActions) {
        switch observation {
        case .asking(let advertiser, let channel):
            observation = .awaitingResponse(advertiser, channel)
            let window = answerWindow(after: now)
            actions.radio.append(
                .listen(
                    channel: channel,
                    phy: .le1M,
                    accessAddress: .advertising,
                    since: window.since,
                    until: window.until
                )
            )
        case .connecting(let plan):
            observation = .listening
            releaseRadio()
            initiator = nil
            let usesSecond = plan.indication.supportsChannelSelection2
            addConnection(.central, plan, usesSecondAlgorithm: usesSecond, requestEnd: now, into: &actions)
            radioFreed(at: now, into: &actions)
        case .listening, .aboutToAsk, .awaitingResponse, .aboutToConnect:
            radioFreed(at: now, into: &actions)
        }
    }

    private mutating func transmit(
        _ pdu: AdvertisingPDU,
        on channel: ChannelIndex,
        into actions: inout ControllerActions
    ) {
        actions.radio.append(
            .transmit(
                channel: channel,
                phy: .le1M,
                power: configuration.transmitPower,
                frame: AirFrame.make(advertising: pdu)
            )
        )
    }

    // MARK: Scanning

    /// Whether an advertisement passes the scan filter policy. 4.3.3. One that calls a private address that may be ours
    /// or not is left to the host, if the policy says so.
    private mutating func admits(
        _ frame: [UInt8],
        _ header: AdvertisingHeader,
        _ advertiser: HeardDevice,
        _ strength: SignalStrength,
        into actions: inout ControllerActions
    ) -> Bool {
        guard let scanner else { return false }
        let policy = scanner.parameters.filterPolicy
        switch policy {
        case .basicUnfiltered, .extendedUnfiltered: break
        case .basicFiltered, .extendedFiltered:
            guard filterAcceptList.contains(advertiser.device) else { return false }
        }
        guard header.type == .advDirectInd else { return true }
        let target = AirFrame.secondAddress(of: frame, kind: header.receiver)
        if target == scanner.identity || resolvingList.isOurs(target) { return true }
        if policy == .extendedUnfiltered || policy == .extendedFiltered, target.randomSubtype == .resolvablePrivate {
            reportUnresolved(target, from: advertiser, strength, into: &actions)
        }
        return false
    }

    /// Whether a scan request follows an advertisement: scanning is active, the advertiser answers, no other activity
    /// needs the radio, and the back-off count is down. With duplicates filtered, an answer that is known is not asked
    /// for.
    private mutating func mayAsk(_ advertiser: HeardDevice, _ header: AdvertisingHeader, at now: Instant) -> Bool {
        guard scanner?.parameters.isActive == true, header.type == .advInd || header.type == .advScanInd,
            scanner?.duplicates?.contains(advertiser.device, .scanResponse) != true
        else { return false }
        let request = AirTime.span(payloadBytes: 12, phy: .le1M), response = AirTime.span(payloadBytes: 37, phy: .le1M)
        guard hasRoom(for: request + response + AirTime.interFrameSpace * 2, at: now) else { return false }
        return scanner?.backoff.mayAsk() ?? false
    }

    private mutating func noteScanResponse(_ success: Bool) {
        scanner?.backoff.note(success: success, stream: &random.backoff)
    }

    /// LE Advertising Report, written straight from the frame. Vol 4, Part E, 7.7.65.2.
    private mutating func report(
        _ frame: [UInt8],
        _ header: AdvertisingHeader,
        _ advertiser: HeardDevice,
        _ strength: SignalStrength,
        into actions: inout ControllerActions
    ) {
        let type: AdvertisingReportType
        switch header.type {
        case .advInd: type = .connectable
        case .advDirectInd: type = .directed
        case .advScanInd: type = .scannable
        case .advNonconnInd: type = .nonConnectable
        case .scanRsp: type = .scanResponse
        default: return
        }
        guard scanner != nil, scanner?.duplicates?.admits(advertiser.device, type) ?? true,
            masks.allow(.advertisingReport)
        else { return }
        let data = type == .directed ? 0..<0 : (AirFrame.payloadOffset + 6)..<(frame.count - 3)
        var packet: [UInt8] = []
        packet.reserveCapacity(15 + data.count)
        packet.append(PacketIndicator.event.rawValue)
        packet.append(EventCode.leMeta.rawValue)
        packet.append(UInt8(12 + data.count))
        packet.append(LESubeventCode.advertisingReport.rawValue)
        packet.append(1)
        packet.append(type.rawValue)
        advertiser.peer.write(to: &packet)
        packet.append(UInt8(data.count))
        packet.append(contentsOf: frame.span.bytes.extracting(data))
        packet.appendInt8(strength.dBm)
        actions.packets.append(packet)
    }

    /// LE Directed Advertising Report. Vol 4, Part E, 7.7.65.11.
    private mutating func reportUnresolved(
        _ target: DeviceAddress,
        from advertiser: HeardDevice,
        _ strength: SignalStrength,
        into actions: inout ControllerActions
    ) {
        guard scanner?.duplicates?.admits(advertiser.device, .directed) ?? true else { return }
        let report = LEDirectedAdvertisingReport.Report(
            type: .directed,
            peer: advertiser.peer,
            target: PeerAddress(target),
            rssi: strength
        )
        send(.leDirectedAdvertisingReport(LEDirectedAdvertisingReport(reports: [report])), into: &actions)
    }
}

extension AirFrame {
    /// Whether the payload is as long as its type demands, for the types that advertisers send; of other types nothing
    /// is said but that an address fits. Core 6.0, Vol 6, Part B, 2.3.
    static func hasAdvertiserLength(_ frame: [UInt8]) -> Bool {
        let length = frame.count - overhead
        switch advertisingHeader(of: frame).type {
        case .advInd, .advNonconnInd, .advScanInd, .scanRsp: return 6...37 ~= length
        case .advDirectInd: return length == 12
        default: return length >= 6
        }
    }

    /// The address at the payload's beginning: the advertiser's, in everything an advertiser sends.
    package static func firstAddress(of frame: [UInt8], kind: DeviceAddress.Kind) -> DeviceAddress {
        address(of: frame, at: payloadOffset, kind: kind)
    }

    /// The address after it: whom a directed advertisement or a request is for.
    static func secondAddress(of frame: [UInt8], kind: DeviceAddress.Kind) -> DeviceAddress {
        address(of: frame, at: payloadOffset + 6, kind: kind)
    }

    private static func address(of frame: [UInt8], at offset: Int, kind: DeviceAddress.Kind) -> DeviceAddress {
        var value: UInt64 = 0
        for index in stride(from: offset + 5, through: offset, by: -1) { value = value << 8 | UInt64(frame[index]) }
        return DeviceAddress(value: value, kind: kind)
    }
}
