import BluetoothValues
import Host
import VirtualTime

extension Central {
    /// Connects to a device that was heard, trying again until the time is over.
    ///
    /// A connection exists for the controller as soon as it has sent its request, and vanishes at once if the peer never
    /// heard it (error 0x3E). So it counts only when the peer has answered something: the exchange of MTUs.
    func connect(to device: DiscoveryCache.Entry, within patience: TimeSpan) async throws(CommandFailure) {
        let deadline = present + patience
        while true {
            let left = max(deadline - present, .seconds(1))
            guard let new = try await establish(device.address, within: left) else {
                throw CommandFailure("\(device.address) was heard, but no connection came about in time", .nothingFound)
            }
            if try await isProven(new) {
                adopt(new)
                return
            }
            guard present < deadline else {
                throw CommandFailure(
                    "\(device.address) does not answer: \(ControllerError.connectionFailedToBeEstablished)",
                    hciError: ControllerError.connectionFailedToBeEstablished.rawValue
                )
            }
        }
    }

    /// Waits until the link to a bonded peer is encrypted, which the host sees to by itself: nothing is told to a peer,
    /// and nothing believed, that cannot show that it is the one.
    func encryptIfBonded() async throws(CommandFailure) {
        guard let connection, connection.isBonded else { return }
        let pairing = pairingAdvice
        let peer = connection.peer
        if !security.isEncrypted {
            _ = try await wait(for: .seconds(30)) { [self] _ in security.isEncrypted ? () : nil }
        }
        guard security.isEncrypted else {
            throw CommandFailure("the link to \(peer) was not encrypted, although there is a bond")
        }
        guard !security.isWeakerThanBond else {
            throw CommandFailure(
                "the link to \(peer) is encrypted less well than the bond was; pair anew: `\(pairing)`"
            )
        }
    }

    /// A connection that the controller believes in; nil if there is none in time.
    private func establish(
        _ peer: DeviceAddress,
        within patience: TimeSpan
    ) async throws(CommandFailure) -> ConnectionDescription? {
        try await order { host, now, actions throws(OrderError) in
            try host.connect(to: peer, ConnectParameters(timeout: patience), at: now, into: &actions)
        }
        let outcome: ConnectionDescription?? = try await wait { event throws(CommandFailure) in
            switch event {
            case .connected(let new) where new.role == .central: return .some(new)
            case .connectFailed(_, .timeout), .connectFailed(_, .refused(.connectionFailedToBeEstablished)):
                return .some(nil)
            case .connectFailed(_, .refused(let error)):
                throw CommandFailure("no connection to \(peer): \(error)", hciError: error.rawValue)
            case .connectFailed: throw CommandFailure("no connection to \(peer): the controller failed")
            default: return nil
            }
        }
        return outcome ?? nil
    }

    /// False if the connection never came about.
    private func isProven(_ new: ConnectionDescription) async throws(CommandFailure) -> Bool {
        let procedure = try await order { host, now, actions throws(OrderError) in
            try host.exchangeMTU(new.id, at: now, into: &actions)
        }
        return try await wait { [self] event throws(CommandFailure) in
            switch event {
            case .disconnected(new.id, .connectionFailedToBeEstablished): return false
            case .disconnected(new.id, let reason):
                throw CommandFailure("\(new.peer) closed the connection: \(reason)", hciError: reason.rawValue)
            case .security(.encryptionFailed(new.id, let error)):
                // The peer is there, and the connection has to be closed again.
                adopt(new)
                throw .notEncrypted(peer, error, pairing: pairingAdvice)
            // The link's end tells more than the procedure's.
            case .client(.procedureCompleted(procedure, _, .failed(.disconnected))): return nil
            case .client(.procedureCompleted(procedure, _, _)): return true
            default: return nil
            }
        }
    }
}
