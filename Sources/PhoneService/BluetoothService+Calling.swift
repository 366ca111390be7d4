import BluetoothValues
import Host
import VirtualTime

/// The making of connections. Apps may want any number at once, for as long as they like; the host looks for one at a
/// time. A single peer is called until it comes. Of several that are wanted, each is called when it has been heard.
extension BluetoothService {
    /// How long a peer is called that was just heard.
    private static let callLength = TimeSpan.seconds(4)

    /// An app wants to be connected.
    func connect(_ peer: Int, _ request: ConnectRequest, client: Int, at now: Instant) {
        var followsEnd = false
        if let wish = central.clients[client].wish(for: peer) {
            central.clients[client].wishes[wish].request = request
            guard central.clients[client].wishes[wish].isLeaving else { return }
            // Wanted anew while the connection that there was is being ended.
            central.clients[client].wishes.remove(at: wish)
            followsEnd = true
        }
        central.wishCount += 1
        let delay = TimeSpan.microseconds(Int64(max(0, min(request.startDelay, 1e9)) * 1e6))
        var wish = Wish(peer: peer, request: request, number: central.wishCount, start: now + delay)
        wish.followsEnd = followsEnd
        central.clients[client].wishes.append(wish)
        // Another app is connected already.
        if let link = central.link(to: peer), !central.links[link].isEnding, delay == .zero {
            join(client: client, link: link)
        }
    }

    /// An app wants to be connected no longer.
    func leave(
        _ peer: Int,
        client: Int,
        isTold: Bool,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // Where there is no wish, the app has been told already that it has ended.
        guard let wish = central.clients[client].wish(for: peer) else { return }
        if central.clients[client].wishes[wish].followsEnd, isTold {
            // There is the end to wait for that was under way before.
            central.clients[client].wishes[wish].followsEnd = false
            central.clients[client].wishes[wish].isConnected = true
            central.clients[client].wishes[wish].isLeaving = true
            return
        }
        let isConnected = central.clients[client].wishes[wish].isConnected
        guard isConnected, let link = central.link(to: peer) else {
            central.clients[client].wishes.remove(at: wish)
            if isTold { tellDisconnected(peer, client: client, nil, at: now) }
            return
        }
        guard !central.clients[client].wishes[wish].isLeaving else { return }
        let session = central.clients[client].id
        let abandoned = central.links[link].dropEverything(of: session)
        closeChannels(of: session, on: central.links[link].id, host: host, at: now, into: &actions)
        let isShared =
            central.links[link].isIncoming
            || central.clients.indices.contains { other in
                other != client && central.clients[other].wishes.contains { $0.peer == peer && !$0.isLeaving }
            }
        if isShared || !isTold {
            central.clients[client].wishes.remove(at: wish)
            if isTold { tellDisconnected(peer, client: client, nil, at: now) }
        } else {
            central.clients[client].wishes[wish].isLeaving = true
        }
        if isShared {
            for handle in abandoned {
                central.links[link].jobs.append(LinkJob(work: .unsubscribe(handle), session: nil))
            }
            advance(link, host: host, at: now, into: &actions)
        } else {
            end(link, because: nil, host: host, at: now, into: &actions)
        }
    }

    /// Looks for those who are wanted.
    func placeCall(host: Host, at now: Instant, into actions: inout HostActions) {
        for client in central.clients.indices {
            for wish in central.clients[client].wishes.indices where central.clients[client].wishes[wish].start <= now {
                central.clients[client].wishes[wish].hasBegun = true
                // What was to wait is wanted now, and another app may be connected.
                let peer = central.clients[client].wishes[wish].peer
                if !central.clients[client].wishes[wish].isConnected, let link = central.link(to: peer),
                    !central.links[link].isEnding
                {
                    join(client: client, link: link)
                }
            }
        }
        let wanted = central.wanted(at: now)
        if let call = central.call {
            guard !call.isCancelled, !wanted.contains(call.peer) || call.isPatient && wanted.count > 1 else { return }
            central.call?.isCancelled = true
            try? host.cancelConnect(at: now, into: &actions)
        } else if wanted.count == 1, central.retry == nil {
            call(wanted[0], isPatient: true, host: host, at: now, into: &actions)
        }
    }

    func call(_ peer: Int, isPatient: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        // A peer that did not hear it is called again, and the apps notice nothing.
        var parameters = ConnectParameters(untilAnswered: true)
        if !isPatient { parameters.timeout = Self.callLength }
        do {
            try host.connect(to: central.peers[peer].address, parameters, at: now, into: &actions)
            central.call = CentralSide.Call(peer: peer, isPatient: isPatient)
        } catch {
            central.retry = now + .milliseconds(100)
        }
    }

    /// The host has given up.
    func callEnded(_ failure: ConnectFailure, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let call = central.call else { return proceed(host: host, at: now, into: &actions) }
        central.call = nil
        switch failure {
        case .cancelled, .timeout, .controllerFailed: break
        case .refused(.connectionFailedToBeEstablished), .refused(.advertisingTimeout):
            // The peer was there and is gone again; it is waited for as before.
            break
        case .refused(let error):
            let fault = LocalFault(failureToConnect: error)
            for client in central.clients.indices {
                guard let wish = central.clients[client].wish(for: call.peer) else { continue }
                central.clients[client].wishes.remove(at: wish)
                let name = name(of: call.peer, for: client)
                tell(.central(.connectFailed(name, .local(fault))), to: central.clients[client].id)
            }
        }
        proceed(host: host, at: now, into: &actions)
    }
}

extension LocalFault {
    init(failureToConnect error: ControllerError) {
        self =
            switch error {
            case .connectionLimitExceeded, .memoryCapacityExceeded: .connectionLimitReached
            default: .connectionFailed
            }
    }

    /// How a connection ended without the app's wish.
    init(loss error: ControllerError) {
        self =
            switch error {
            case .connectionTimeout, .linkLayerResponseTimeout: .connectionTimeout
            case .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
                .remoteDeviceTerminatedPowerOff:
                .peripheralDisconnected
            case .connectionFailedToBeEstablished: .connectionFailed
            case .connectionTerminatedMICFailure: .encryptionTimedOut
            case .pinOrKeyMissing: .peerRemovedPairingInformation
            default: .unknown
            }
    }
}
