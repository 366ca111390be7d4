import BluethroatBluetoothValues
import BluethroatHost

/// Pairing, which apps cannot ask for: it begins when a peer refuses something to an unencrypted link, or asks for it.
extension CentralCore {
    /// Secures a link for the job that was refused. False if that can change nothing.
    mutating func secure(_ link: LinkIndex, _ turn: inout ServiceTurn) -> Bool {
        let id = links[link].id
        guard let security = turn.host.security(of: id) else { return false }
        do {
            if security.isEncrypted {
                // Only a person who compares digits could make it better than it is.
                guard turn.host.pairingSettings.inputOutput != .noInputNoOutput, !security.isAuthenticated else {
                    return false
                }
                try turn.host.pair(id, at: turn.now, into: &turn.actions)
                links[link].step = .security(isPairing: true)
            } else {
                // What the last event said may not have been handled yet.
                let isPairing = !security.hasKey
                links[link].step = .security(isPairing: isPairing)
                if try turn.host.secure(id, atLeast: .encrypted, at: turn.now, into: &turn.actions) { return false }
            }
            return true
        } catch .encryptionUnderWay {
            links[link].step = .security(isPairing: false)
            return true
        } catch .pairingUnderWay {
            links[link].step = .security(isPairing: true)
            return true
        } catch {
            return false
        }
    }

    mutating func encryptionChanged(_ id: ConnectionID, _ security: LinkSecurity, _ turn: inout ServiceTurn) {
        guard let link = link(id) else { return }
        links[link].isEncrypted = security.isEncrypted
        if security.isEncrypted { lookAgain(at: link, &turn) }
        guard case .security(isPairing: false)? = links[link].step else { return }
        if security.isEncrypted { repeatJob(link, &turn) }
    }

    mutating func paired(_ id: ConnectionID, _ turn: inout ServiceTurn) {
        guard let link = link(id) else { return }
        if let identity = turn.host.description(of: id)?.peerIdentity, peers.index(of: identity) == nil {
            learn(identity: identity, of: links[link].peer, &turn)
        }
        guard case .security? = links[link].step else { return }
        repeatJob(link, &turn)
    }

    mutating func pairingFailed(_ id: ConnectionID, _ turn: inout ServiceTurn) {
        guard let link = link(id), case .security? = links[link].step else { return }
        repeatJob(link, &turn)
    }

    mutating func encryptionFailed(_ id: ConnectionID, _ reason: ControllerError, _ turn: inout ServiceTurn) {
        guard let link = link(id), !links[link].isIncoming else { return }
        // The bond that one of the two has lost is of no use to apps; they hear why.
        let fault: LocalFault = reason == .pinOrKeyMissing ? .peerRemovedPairingInformation : .encryptionTimedOut
        end(link, because: .local(fault), &turn)
    }

    /// The peer wants the link to be encrypted.
    func securityRequested(_ id: ConnectionID, _ turn: inout ServiceTurn) {
        guard link(id) != nil else { return }
        try? turn.host.pair(id, at: turn.now, into: &turn.actions)
    }

    /// Asks again for what was refused; a second refusal is final.
    private mutating func repeatJob(_ link: LinkIndex, _ turn: inout ServiceTurn) {
        guard let job = links[link].current else { return }
        links[link].current = nil
        links[link].step = nil
        links[link].jobs.insert(job, at: 0)
        advance(link, &turn)
    }
}
