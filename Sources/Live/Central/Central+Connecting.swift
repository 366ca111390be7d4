import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatVirtualTime

extension Central {
    /// Connects to a device that was heard, trying again until the time is over if it does not answer.
    public func connect(to device: DiscoveryCache.Entry, within patience: TimeSpan) async throws(OperationFailure) {
        let peer = device.address
        try await order { host, now, actions throws(OrderError) in
            let parameters = ConnectParameters(timeout: patience, untilAnswered: true)
            try host.connect(to: peer, parameters, at: now, into: &actions)
        }
        let new = try await wait { event throws(OperationFailure) -> ConnectionDescription? in
            switch event {
            case .connected(let new) where new.role == .central: return new
            case .connectFailed(_, let failure): throw OperationFailure(failure, connectingTo: peer)
            default: return nil
            }
        }
        adopt(new)
        try await exchangeMTU(new)
    }

    /// Waits until the link to a bonded peer is encrypted, which the host does by itself: before that nothing is sent
    /// to the peer, and nothing from it is believed.
    public func encryptIfBonded() async throws(OperationFailure) {
        guard let connection, connection.isBonded else { return }
        let pairing = pairingAdvice
        let peer = connection.peer
        if !security.isEncrypted {
            _ = try await wait(for: .seconds(30)) { [self] _ in security.isEncrypted ? () : nil }
        }
        guard security.isEncrypted else {
            throw OperationFailure("the link to \(peer) was not encrypted, although there is a bond")
        }
        guard !security.isWeakerThanBond else {
            throw OperationFailure(
                "the link to \(peer) is encrypted less well than the bond was; pair anew: `\(pairing)`"
            )
        }
    }

    /// Every connection begins with this, so that what follows may be long.
    private func exchangeMTU(_ new: ConnectionDescription) async throws(OperationFailure) {
        let procedure = try await order { host, now, actions throws(OrderError) in
            try host.exchangeMTU(new.id, at: now, into: &actions)
        }
        try await wait { event -> Void? in
            switch event {
            // The reason why the link ended says more than the procedure's.
            case .client(.procedureCompleted(procedure, _, .failed(.disconnected))): nil
            case .client(.procedureCompleted(procedure, _, _)): ()
            default: nil
            }
        }
    }
}

extension OperationFailure {
    fileprivate init(_ failure: ConnectFailure, connectingTo peer: DeviceAddress) {
        switch failure {
        case .refused(.connectionFailedToBeEstablished):
            let error = ControllerError.connectionFailedToBeEstablished
            self.init("\(peer) does not answer: \(error)", hciError: error.rawValue)
        case .refused(let error): self.init("no connection to \(peer): \(error)", hciError: error.rawValue)
        case .timeout, .cancelled:
            self.init("\(peer) was heard, but no connection came about in time", .nothingFound)
        case .controllerFailed: self.init("no connection to \(peer): the controller failed")
        }
    }
}
