public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// Orders to a central.
extension WorkbenchCentral {
    /// Scans actively, or stops doing so.
    public func scan(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        guard isOn != wantsToScan else { return }
        wantsToScan = isOn
        changeCount += 1
        log.note(.scan, at: now, outcome: isOn ? "started" : "stopped")
        applyWantedScanning(host: host, at: now, into: &actions)
    }

    /// Forgets who was heard, except that those who are heard again come back.
    public func forgetSightings() {
        sightings = DiscoveryCache()
        sightingCount += 1
    }

    /// Connects, trying again where the peer did not hear it; gives up after `patience`.
    public func connect(
        to peer: DeviceAddress,
        patience: TimeSpan = .seconds(10),
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<CentralLink>
    ) {
        if let link = links.first(where: { $0.peer == peer }) { return answer(.success(link)) }
        let entry = log.begin(.connect, at: now, peer: peer)
        changeCount += 1
        guard connecting == nil else {
            return refuse(entry, .init(kind: .notNow, sentence: "a connection is just being made"), at: now, answer)
        }
        do {
            let parameters = ConnectParameters(timeout: patience, untilAnswered: true)
            try host.connect(to: peer, parameters, at: now, into: &actions)
            connecting = ConnectionAttempt(peer: peer, entry: entry, answer: answer)
        } catch {
            refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
    }

    public func disconnect(_ peer: DeviceAddress, host: Host, at now: Instant, into actions: inout HostActions)
        throws(Refusal)
    {
        if connecting?.peer == peer {
            connecting?.isGivenUp = true
            try? host.cancelConnect(at: now, into: &actions)
            return
        }
        let link = try link(to: peer)
        try? host.disconnect(links[link].id, at: now, into: &actions)
    }

    /// Pairs, and makes a bond. What a person has to say in between is the link's `question`.
    public func pair(
        _ peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<LinkSecurity>
    ) {
        guard let link = links.first(where: { $0.peer == peer }) else { return answer(.failure(.notConnected(peer))) }
        let entry = log.begin(.pair, at: now, peer: peer)
        changeCount += 1
        do {
            try host.pair(link.id, at: now, into: &actions)
            pairings[link.id] = (entry, answer)
        } catch {
            refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
    }

    /// What a person says to the question of a pairing.
    public func answer(
        _ word: PairingAnswer,
        to peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(Refusal) {
        let link = try link(to: peer)
        guard links[link].question != .consent || word != .agree else {
            // The peer has asked for it, and it is the central that begins.
            links[link].question = nil
            return pair(peer, host: host, at: now, into: &actions) { _ in }
        }
        do {
            try host.answer(word, on: links[link].id, at: now, into: &actions)
        } catch {
            throw Refusal(kind: .notNow, sentence: "\(error)")
        }
        links[link].question = nil
        changeCount += 1
    }

    /// The central is removed: all open orders are refused.
    func abandon(at now: Instant) {
        let refusal = Refusal(kind: .notNow, sentence: "the central was removed")
        if let attempt = connecting { attempt.answer(.failure(refusal)) }
        connecting = nil
        for number in procedures.values.sorted(by: { $0.entry < $1.entry }) {
            number.answer(.failed(.disconnected), now)
        }
        procedures = [:]
        for labelling in labellings { labelling.answer(.failure(refusal)) }
        labellings = []
        for pairing in pairings.values.sorted(by: { $0.entry < $1.entry }) { pairing.answer(.failure(refusal)) }
        pairings = [:]
    }

    // MARK: Help

    func peer(of id: ConnectionID) -> DeviceAddress? {
        links.first { $0.id == id }?.peer
    }

    func link(to peer: DeviceAddress) throws(Refusal) -> Int {
        guard let index = links.firstIndex(where: { $0.peer == peer }) else { throw .notConnected(peer) }
        return index
    }

    func change(_ id: ConnectionID, _ body: (inout CentralLink) -> Void) {
        guard let index = links.firstIndex(where: { $0.id == id }) else { return }
        body(&links[index])
        changeCount += 1
    }

    func refuse<Value>(_ entry: Int, _ refusal: Refusal, at now: Instant, _ answer: Answer<Value>) {
        log.end(entry, at: now, outcome: refusal.sentence, hasFailed: true)
        changeCount += 1
        answer(.failure(refusal))
    }
}
