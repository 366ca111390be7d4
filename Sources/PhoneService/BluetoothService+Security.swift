import BluetoothValues
import Host
import VirtualTime

/// Pairing, which apps cannot order: it begins when a peer refuses something to an unencrypted link, or asks for it.
extension BluetoothService {
    /// Secures a link for the job that was refused. False if that can change nothing.
    func secure(_ link: Int, host: Host, at now: Instant, into actions: inout HostActions) -> Bool {
        let id = central.links[link].id
        guard let security = host.security(of: id) else { return false }
        do {
            if security.isEncrypted {
                // Only with somebody to look at digits could it become better than it is.
                guard host.pairingSettings.inputOutput != .noInputNoOutput, !security.isAuthenticated else {
                    return false
                }
                try host.pair(id, at: now, into: &actions)
                central.links[link].step = .security(isPairing: true)
            } else {
                // What the last event said may not have been handled yet.
                let isPairing = !security.hasKey
                central.links[link].step = .security(isPairing: isPairing)
                if try host.secure(id, atLeast: .encrypted, at: now, into: &actions) { return false }
            }
            return true
        } catch .encryptionUnderWay {
            central.links[link].step = .security(isPairing: false)
            return true
        } catch .pairingUnderWay {
            central.links[link].step = .security(isPairing: true)
            return true
        } catch {
            return false
        }
    }

    func handle(_ event: SecurityEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .encryptionChanged(let id, let security):
            guard let link = central.link(id) else { return }
            central.links[link].isEncrypted = security.isEncrypted
            guard case .security(isPairing: false)? = central.links[link].step else { return }
            if security.isEncrypted { repeatJob(link, host: host, at: now, into: &actions) }
        case .paired(let id, _):
            guard let link = central.link(id) else { return }
            if let identity = host.description(of: id)?.peerIdentity, central.peers.index(of: identity) == nil {
                learn(identity: identity, of: central.links[link].peer)
            }
            guard case .security? = central.links[link].step else { return }
            repeatJob(link, host: host, at: now, into: &actions)
        case .pairing(.failed(let id, _)):
            guard let link = central.link(id), case .security? = central.links[link].step else { return }
            repeatJob(link, host: host, at: now, into: &actions)
        case .encryptionFailed(let id, let reason):
            guard let link = central.link(id), !central.links[link].isIncoming else { return }
            // The bond that one of the two has lost is of no use to apps; they are told why.
            let fault: LocalFault = reason == .pinOrKeyMissing ? .peerRemovedPairingInformation : .encryptionTimedOut
            end(link, because: .local(fault), host: host, at: now, into: &actions)
        case .pairing(.securityRequested(let id, _)):
            guard central.link(id) != nil else { return }
            try? host.pair(id, at: now, into: &actions)
        case .pairing(.consentRequested(let id, _)), .pairing(.comparisonRequested(let id, _)):
            // Nobody is there to be asked; the phone's person says yes.
            try? host.answer(.agree, on: id, at: now, into: &actions)
        case .pairing(.passkeyRequested(let id)):
            let answer = settings.passkey.map { PairingAnswer.passkey($0) } ?? .refuse
            try? host.answer(answer, on: id, at: now, into: &actions)
        default: break
        }
    }

    /// Asks again for what was refused; a second refusal is final.
    private func repeatJob(_ link: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let job = central.links[link].current else { return }
        central.links[link].current = nil
        central.links[link].step = nil
        central.links[link].jobs.insert(job, at: 0)
        advance(link, host: host, at: now, into: &actions)
    }
}
