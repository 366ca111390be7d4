import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Making connections. Core 6.0, Vol 6, Part B, 4.4.4; Vol 4, Part E, 7.8.12, 7.8.13.
extension ControllerCore {
    mutating func createConnection(
        _ command: LECreateConnection,
        at now: Instant,
        into actions: inout ControllerActions
    )
        -> ControllerError
    {
        guard initiator == nil else { return .commandDisallowed }
        guard Self.isScanTiming(interval: command.scanInterval, window: command.scanWindow),
            let range = command.range, command.minimumEventLength <= command.maximumEventLength
        else { return .invalidCommandParameters }
        guard command.filterPolicy == .list || command.peer.isDevice, hasOwnAddress(for: command, at: now) else {
            return .invalidCommandParameters
        }
        guard connectionCount < configuration.connectionLimit else { return .connectionLimitExceeded }
        if command.filterPolicy == .peer {
            guard !isConnected(to: command.peer.address) else { return .connectionAlreadyExists }
        }
        guard
            let parameters = ConnectionParameters(
                interval: chooseInterval(range),
                latency: range.latency,
                supervisionTimeout: range.supervisionTimeout
            )
        else { return .invalidCommandParameters }
        initiator = Initiator(
            command: command,
            parameters: parameters,
            schedule: ScanSchedule(interval: command.scanInterval, window: command.scanWindow, start: now)
        )
        restartObserving(at: now, into: &actions)
        return .success
    }

    /// Ends initiating; the host hears of it in LE Connection Complete as well.
    mutating func cancelCreateConnection(at now: Instant, into actions: inout ControllerActions) -> ControllerError {
        guard initiator != nil else { return .commandDisallowed }
        // A connection request that is going out this moment is no longer to be stopped.
        if isObserving, case .connecting = observation { return .commandDisallowed }
        initiator = nil
        restartObserving(at: now, into: &actions)
        return .success
    }

    static func isScanTiming(interval: UInt16, window: UInt16) -> Bool {
        (0x0004...0x4000).contains(interval) && (0x0004...0x4000).contains(window) && window <= interval
    }

    /// Whether the address needed will be there: a random one must have been set, unless a private one takes its place.
    private mutating func hasOwnAddress(for command: LECreateConnection, at now: Instant) -> Bool {
        if identityAddress(command.ownAddressType) != nil { return true }
        guard command.filterPolicy == .peer else { return false }
        return ownAddress(command.ownAddressType, towards: command.peer.address, at: now) != nil
    }

    mutating func isConnected(to peer: DeviceAddress) -> Bool {
        connections.contains { $0?.connection.identity.isConnected(to: peer) ?? false }
    }

    /// Between two devices there is one connection at most, whatever addresses they use now. Vol 6, Part B, 4.5.
    mutating func isConnected(from own: OwnAddress, to peer: HeardDevice) -> Bool {
        connections.contains { $0?.connection.identity.isConnected(from: own, to: peer) ?? false }
    }

    /// The shortest interval that the host allows and that divides, or is divided by, those of the other connections
    /// as central: their events can then be kept apart for good. The shortest at all where there is no such interval.
    private mutating func chooseInterval(_ range: ConnectionParameterRange) -> ConnectionInterval {
        let others = connections.compactMap { box in
            box.flatMap { $0.connection.role == .central ? $0.connection.parameters.interval.steps : nil }
        }
        let fitting = (range.minimumInterval.steps...range.maximumInterval.steps).first { steps in
            others.allSatisfy { $0 % steps == 0 || steps % $0 == 0 }
        }
        return fitting.flatMap { ConnectionInterval(steps: $0) } ?? range.minimumInterval
    }

    /// Whether an advertisement leads to a connection; then the request follows after the inter frame space.
    mutating func prepareConnection(
        _ frame: [UInt8],
        _ header: AdvertisingHeader,
        _ advertiser: HeardDevice,
        _ reception: Reception,
        at now: Instant
    ) -> Bool {
        guard let initiator, initiator.wants(advertiser, accepted: filterAcceptList),
            connectionCount < configuration.connectionLimit,
            let own = ownAddress(initiator.command.ownAddressType, towards: advertiser.device, at: now),
            !isConnected(from: own, to: advertiser)
        else { return false }
        switch header.type {
        case .advInd: break
        case .advDirectInd:
            // A device that is private towards this peer no longer answers to its identity address.
            let target = AirFrame.secondAddress(of: frame, kind: header.receiver)
            guard target == own.onAir || resolvingList.isOurs(target) else { return false }
        default: return false
        }
        let request = AirTime.span(payloadBytes: ConnectIndication.payloadLength, phy: .le1M)
        let span = AirTime.interFrameSpace + request
        guard hasRoom(for: span, at: now) || mayPostponeFixedBookings(for: span, at: now) else { return false }
        let end = now + span
        let interval = initiator.parameters.interval
        guard
            let window = TransmitWindow(
                sizeSteps: UInt8(min(2, interval.steps - 1)),
                offsetSteps: freeOffset(from: end + Self.transmitWindowDelay, interval: interval),
                interval: interval
            ), let hop = HopIncrement(UInt8(5 + random.connection.next(below: 12)))
        else { return false }
        let indication = ConnectIndication(
            initiator: own.onAir,
            advertiser: advertiser.onAir,
            accessAddress: .random(using: &random.connection),
            crcInit: CRCInit(UInt32(random.connection.next(below: 1 << 24))),
            window: window,
            parameters: initiator.parameters,
            channelMap: hostChannels,
            hopIncrement: hop,
            sleepClockAccuracy: configuration.sleepClockAccuracy,
            supportsChannelSelection2: header.supportsChannelSelection2 && configuration.supportsChannelSelection2
        )
        agenda.protect(until: end)
        let plan = ConnectionPlan(indication: indication, own: own, peer: advertiser)
        observation = .aboutToConnect(plan, reception.channel)
        deadlines.arm(.turnaround, at: now + AirTime.interFrameSpace)
        return true
    }

    /// From the end of CONNECT_IND to the earliest transmit window. 4.5.3.
    static let transmitWindowDelay = TimeSpan.microseconds(1_250)

    /// An offset, in steps of 1.25 ms, that puts the new connection's anchor points farthest from those of the
    /// connections there are, seen modulo the shorter of both intervals.
    private mutating func freeOffset(from earliest: Instant, interval: ConnectionInterval) -> UInt16 {
        let others = connections.compactMap { $0 }
        guard !others.isEmpty else { return 0 }
        let step = TimeSpan.microseconds(1_250)
        var best: (offset: UInt16, distance: TimeSpan) = (0, TimeSpan(nanoseconds: -1))
        for offset in 0..<min(interval.steps, 80) {
            let anchor = earliest + step * Int64(offset)
            var distance = TimeSpan.seconds(1)
            for other in others {
                let period = min(other.connection.parameters.interval.span, interval.span)
                let phase = TimeSpan(
                    nanoseconds: ((anchor - other.connection.schedule.anchor) % period + period).nanoseconds
                        % period.nanoseconds
                )
                distance = min(distance, min(phase, period - phase))
            }
            if distance > best.distance { best = (offset, distance) }
            // Far enough for a long exchange.
            if distance >= step * 4 { break }
        }
        return best.offset
    }

    /// A connection begins, on either side. 4.5.
    mutating func addConnection(
        _ role: ConnectionRole,
        _ plan: ConnectionPlan,
        usesSecondAlgorithm: Bool,
        requestEnd: Instant,
        into actions: inout ControllerActions
    ) {
        let indication = plan.indication
        let slot = connections.firstIndex { $0 == nil } ?? connections.count
        guard slot < configuration.connectionLimit, let handle = ConnectionHandle(rawValue: UInt16(slot)) else {
            return sendConnectionComplete(failed: .connectionLimitExceeded, role: role, into: &actions)
        }
        let connection = Connection(
            handle: handle,
            role: role,
            plan: plan,
            usesSecondAlgorithm: usesSecondAlgorithm,
            firstAnchor: requestEnd + Self.transmitWindowDelay + indication.window.offset,
            at: requestEnd,
            configuration: configuration,
            dataLength: DataLength(
                transmitOctets: suggestedTransmitOctets,
                transmitTime: suggestedTransmitTime,
                mostOctets: configuration.mostDataOctets
            ),
            preference: defaultPHYs,
            shares: SessionShares(from: &random.secret)
        )
        let box = ConnectionBox(connection)
        if slot == connections.count { connections.append(box) } else { connections[slot] = box }
        connectionCount += 1
        sendConnectionComplete(box.connection, indication, into: &actions)
        send(
            .leChannelSelectionAlgorithm(
                LEChannelSelectionAlgorithm(connection: handle, algorithm: usesSecondAlgorithm ? .two : .one)
            ),
            into: &actions
        )
        // As a controller does whose host requests longer PDUs than every peer can take.
        if suggestedTransmitOctets > DataLength.leastOctets {
            var output = LinkOutput()
            box.connection.begin(.dataLengthUpdate, at: requestEnd, into: &output)
            deliver(output, of: box, at: requestEnd, into: &actions)
        }
    }

    private mutating func sendConnectionComplete(
        _ connection: borrowing Connection,
        _ indication: ConnectIndication,
        into actions: inout ControllerActions
    ) {
        let complete = LEEnhancedConnectionComplete(
            connection: connection.handle,
            role: connection.role,
            peer: connection.identity.peerIdentity,
            localPrivateAddress: connection.identity.localPrivateAddress,
            peerPrivateAddress: connection.identity.peerPrivateAddress,
            interval: connection.parameters.interval.steps,
            latency: connection.parameters.latency.events,
            supervisionTimeout: connection.parameters.supervisionTimeout.steps,
            centralClockAccuracy: connection.role == .peripheral ? indication.sleepClockAccuracy.rawValue : 0
        )
        send(complete, peerOnAir: PeerAddress(connection.identity.peer), into: &actions)
    }

    /// The same for a connection that did not come about.
    mutating func sendConnectionComplete(
        failed status: ControllerError,
        role: ConnectionRole,
        into actions: inout ControllerActions
    ) {
        guard let handle = ConnectionHandle(rawValue: 0) else { return }
        let peer = PeerAddress(DeviceAddress(value: 0, kind: .public))
        let complete = LEEnhancedConnectionComplete(
            status: status,
            connection: handle,
            role: role,
            peer: peer,
            interval: 0,
            latency: 0,
            supervisionTimeout: 0
        )
        send(complete, peerOnAir: peer, into: &actions)
    }

    /// LE Enhanced Connection Complete if the host has enabled it, else LE Connection Complete, which has the peer's
    /// address as it is on the air.
    private mutating func send(
        _ complete: LEEnhancedConnectionComplete,
        peerOnAir: PeerAddress,
        into actions: inout ControllerActions
    ) {
        guard !masks.allow(.enhancedConnectionComplete) else {
            return send(.leEnhancedConnectionComplete(complete), into: &actions)
        }
        let plain = LEConnectionComplete(
            status: complete.status,
            connection: complete.connection,
            role: complete.role,
            peer: peerOnAir,
            interval: complete.interval,
            latency: complete.latency,
            supervisionTimeout: complete.supervisionTimeout,
            centralClockAccuracy: complete.centralClockAccuracy
        )
        send(.leConnectionComplete(plain), into: &actions)
    }
}
