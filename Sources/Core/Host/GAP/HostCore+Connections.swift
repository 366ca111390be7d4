internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// How the controller says that there is a connection, or none: either of the two events.
struct ConnectionAttempt {
    var status: ControllerError
    var handle: ConnectionHandle
    var role: ConnectionRole
    /// On the air, as far as the controller reports it.
    var peer: DeviceAddress
    /// The peer's identity, where the controller has resolved its address.
    var peerIdentity: DeviceAddress?
    /// The own private address, where the controller has made it.
    var ownPrivateAddress: DeviceAddress?
    var interval: UInt16
    var latency: UInt16
    var timeout: UInt16

    init(_ complete: LEConnectionComplete) {
        status = complete.status
        handle = complete.connection
        role = complete.role
        peer = complete.peer.address
        // Only a controller with a resolving list reports these types.
        peerIdentity = complete.peer.isIdentity ? complete.peer.address : nil
        interval = complete.interval
        latency = complete.latency
        timeout = complete.supervisionTimeout
    }

    init(_ complete: LEEnhancedConnectionComplete) {
        status = complete.status
        handle = complete.connection
        role = complete.role
        peerIdentity = complete.peer.isIdentity ? complete.peer.address : nil
        // Zeros stand for "none".
        let isPrivate = complete.peerPrivateAddress.value != 0
        peer = isPrivate ? complete.peerPrivateAddress : complete.peer.address
        // Some controllers name the identity without saying that they have resolved it.
        if isPrivate, complete.peerPrivateAddress.value != complete.peer.address.value {
            peerIdentity = complete.peer.address
        }
        ownPrivateAddress = complete.localPrivateAddress.value == 0 ? nil : complete.localPrivateAddress
        interval = complete.interval
        latency = complete.latency
        timeout = complete.supervisionTimeout
    }
}

/// Connections as they come and go.
extension HostCore {
    mutating func handleConnectionComplete(
        _ attempt: ConnectionAttempt,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard attempt.status == .success else {
            if attempt.status == .advertisingTimeout {
                gap.advertiser.directedTimeout(events: &actions.events)
            } else if attempt.status == .connectionFailedToBeEstablished, let unheard = gap.initiator.takeUnheard() {
                callAgain(unheard, at: now, into: &actions)
            } else {
                gap.initiator.failed(attempt.status, commands: &pipeline, events: &actions.events)
            }
            return
        }
        // A handle that is in use cannot be new; what the controller means by it is unknown.
        guard links.slot(of: attempt.handle) == nil else { return }
        guard links.count < configuration.maximumConnections else {
            let command = Disconnect(connection: attempt.handle, reason: .remoteDeviceTerminatedLowResources)
            pipeline.submitAnswer(Command.disconnect(command).packet(), for: .ignored)
            guard attempt.role == .central else { return }
            // The controller does not try any more.
            gap.initiator.failed(.connectionLimitExceeded, commands: &pipeline, events: &actions.events)
            return
        }
        guard isWelcome(attempt) else { return reject(attempt, at: now, into: &actions) }
        let link = HostLink(
            id: links.nextID(handle: attempt.handle),
            role: attempt.role,
            own: attempt.ownPrivateAddress ?? ownAddress(as: attempt.role),
            peer: attempt.peer,
            parameters: .reported(interval: attempt.interval, latency: attempt.latency, timeout: attempt.timeout),
            maximumMTU: att.maximumMTU,
            smp: security.newLink()
        )
        let slot = links.insert(link)
        identifyPeer(slot, resolved: attempt.peerIdentity)
        l2cap.opened()
        let description = links[slot].description
        switch attempt.role {
        case .central:
            if gap.initiator.connected(description, at: now) {
                begin(slot, at: now, into: &actions)
            } else {
                askForAnswer(slot, at: now, into: &actions)
            }
        case .peripheral:
            gap.advertiser.connected(description.id, events: &actions.events)
            begin(slot, at: now, into: &actions)
        }
    }

    /// Reports a connection, and starts what the host does by itself on a new one.
    mutating func begin(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        let description = links[slot].description
        actions.events.append(.connected(description))
        openSecurity(slot)
        askForLongPackets(description.id)
        askForLE2MIfWanted(description.id, at: now, into: &actions)
    }

    /// The connection in a slot is gone.
    mutating func close(_ slot: Int, reason: ControllerError, at now: Instant, into actions: inout HostActions) {
        let id = links[slot].id
        let wasTold = links[slot].control.isAnswered
        endChannels(slot: slot, reason: reason, into: &actions)
        l2cap.closed(inFlight: links[slot].l2cap.inFlight)
        links[slot].l2cap.inFlight = 0
        att.close(&links[slot], into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
        closeSecurity(slot, at: now, into: &actions)
        links.remove(slot)
        if wasTold { actions.events.append(.disconnected(id, reason: reason)) }
        drain(at: now, into: &actions)
    }

    private mutating func askForLongPackets(_ id: ConnectionID) {
        guard configuration.asksForLongPackets, controller.findings.features.contains(.dataPacketLengthExtension),
            controller.findings.offers(.leSetDataLength)
        else { return }
        // The application has not asked for it and does not hear if the controller refuses.
        pipeline.submitAnswer(Command.leSetDataLength(.longest(for: id.handle)).packet(), for: .ignored)
    }
}

extension LESetDataLength {
    /// 251 bytes, and the time they take on LE 1M. Core 6.0, Vol 6, Part B, 4.5.10.
    static func longest(for connection: ConnectionHandle) -> Self { Self(connection: connection, payloadBytes: 251) }

    /// So many bytes, and the time they take on LE 1M: 14 bytes more, at 8 µs each.
    init(connection: ConnectionHandle, payloadBytes: Int) {
        self.init(
            connection: connection,
            transmitOctets: UInt16(payloadBytes),
            transmitTime: UInt16((payloadBytes + 14) * 8)
        )
    }
}

extension ConnectionParameters {
    /// What a controller reports, brought into the range that the specification allows where it is outside.
    static func reported(interval: UInt16, latency: UInt16, timeout: UInt16) -> Self {
        let interval = min(max(interval, 6), 3200)
        let latency = min(latency, 499)
        let timeout = min(max(timeout, 10), 3200)
        if let exact = Self(intervalSteps: interval, latencyEvents: latency, timeoutSteps: timeout) { return exact }
        // The timeout is too short for this interval and latency; without latency, 32 s suffice for any.
        guard let repaired = Self(intervalSteps: interval, latencyEvents: 0, timeoutSteps: 3200) else {
            preconditionFailure("32 s are more than twice any connection interval")
        }
        return repaired
    }
}
