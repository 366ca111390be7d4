import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

// From the host to the model.
extension KeyFobDevice {
    /// Handles one event of the fob's host.
    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        // What the host still had to say when the battery went out.
        guard isPowered else { return }
        switch event {
        case .poweredOn(let identity):
            stackStarted(identity, host: host, at: now, into: &actions)
            if let error = host.bondStoreError { tell(.bondsFailed(error), at: now) }
        case .startFailed(let failure), .controllerFailed(let failure):
            tell(.radioFailed(failure), at: now)
        case .advertisingStarted:
            feed(.advertisingStarted, host: host, at: now, into: &actions)
        case .advertisingEnded(.connected):
            // `connected` follows and says it better.
            break
        case .advertisingEnded:
            // Only one of the two changes the model, depending on its state.
            feed(.advertisingFailed, host: host, at: now, into: &actions)
            feed(.advertisingStopped, host: host, at: now, into: &actions)
        case .connected(let description):
            connected(description, host: host, at: now, into: &actions)
        case .disconnected(let id, let reason):
            disconnected(id, reason: reason, host: host, at: now, into: &actions)
        case .parametersChanged(let id, let parameters):
            if connection?.id == id { connection?.parameters = parameters }
        case .parameterUpdateCompleted(let id, _):
            if connection?.id == id { requester.finish() }
        case .server(let event):
            handle(event, host: host, at: now, into: &actions)
        case .security(let event): handle(event, at: now)
        default: break
        }
    }

    private func connected(
        _ description: ConnectionDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard description.role == .peripheral else { return }
        guard connection == nil else {
            // The fob has one place for a central. An order that is refused here means that it has gone already.
            try? host.disconnect(
                description.id,
                reason: .remoteDeviceTerminatedLowResources,
                at: now,
                into: &actions
            )
            return
        }
        connection = description
        tell(.connected(description.peer), at: now)
        if description.isBonded, let identity = description.peerIdentity {
            tell(.recognised(description.peer, identity: identity), at: now)
        }
        feed(.connected, host: host, at: now, into: &actions)
        if !options.pairing.waitsForRequest {
            // This has no effect on a controller that cannot encrypt.
            try? host.requestSecurity(description.id, at: now, into: &actions)
        }
        requester.connected(at: now, options: options)
        askForParameters(host: host, at: now, into: &actions)
    }

    private func disconnected(
        _ id: ConnectionID,
        reason: ControllerError,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let ended = connection, ended.id == id else { return }
        connection = nil
        requester.finish()
        tell(.disconnected(ended.peer, reason: reason), at: now)
        let lost = reason == .connectionTimeout
        feed(.disconnected(bySupervisionTimeout: lost), host: host, at: now, into: &actions)
    }

    private func handle(_ event: GATTServerEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .readRequested(let request, _, let handle, let offset):
            let answer = read(handle, offset: offset, host: host, at: now, into: &actions)
            // A value or a refusal, as a read is answered: the host throws on nothing else.
            try? host.respond(to: request, with: answer, at: now, into: &actions)
        case .writeRequested(let request, _, let writes, _):
            write(writes, request, host: host, at: now, into: &actions)
        case .subscriptionChanged(_, let handle, let subscription):
            guard let peer = connection?.peer, let uuid = type(of: handle, on: host) else { return }
            tell(.subscribed(peer, uuid, handle, on: !subscription.isEmpty), at: now)
        case .valueWritten, .indicationConfirmed: break
        }
    }

    private func read(
        _ handle: AttributeHandle,
        offset: Int,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) -> RequestAnswer {
        guard let value = handles?.value(at: handle) else { return .refused(.unlikelyError) }
        guard offset == 0 else { return .refused(.attributeNotLong) }
        var effects: [KeyFobEffect] = []
        let byte = model.read(value, into: &effects)
        carryOut(effects, host: host, at: now, into: &actions)
        return .value([byte])
    }

    /// All of the writes, or none.
    private func write(
        _ writes: [AttributeWrite],
        _ request: RequestID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        var events: [KeyFobEvent] = []
        for write in writes {
            guard let value = handles?.value(at: write.handle) else {
                return host.refuse(request, .unlikelyError, write.handle, at: now, into: &actions)
            }
            let refusal = value.refusal(
                of: write.value,
                offset: write.offset,
                enableTakesAnyByte: options.enableTakesAnyByte
            )
            if let refusal {
                return host.refuse(request, ATTError(refusal), write.handle, at: now, into: &actions)
            }
            events += write.value.map { .written(value, $0) }
        }
        try? host.respond(to: request, with: .written, at: now, into: &actions)
        for event in events { feed(event, host: host, at: now, into: &actions) }
    }
}

extension ATTError {
    /// The code that TI's firmware gives.
    fileprivate init(_ refusal: KeyFobValue.Refusal) {
        switch refusal {
        case .notLong: self = .attributeNotLong
        case .invalidLength: self = .invalidAttributeValueLength
        case .invalidValue: self = KeyFobTable.invalidValue
        case .notWritable: self = .writeNotPermitted
        }
    }
}
