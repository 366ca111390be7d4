import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
import VirtualTime

/// Encryption as the peripheral sees it, which answers. Core 6.0, Vol 6, Part B, 5.1.3.
///
///                        <-  LL_ENC_REQ
///     LL_ENC_RSP         ->
///     (the host is asked for the key)
///     LL_START_ENC_REQ   ->              in the clear; its acknowledgement comes with the first encrypted PDU
///                        <-  LL_START_ENC_RSP
///     LL_START_ENC_RSP   ->              both directions encrypted from here on
///
/// and, where the link was encrypted before:
///
///                        <-  LL_PAUSE_ENC_REQ
///     LL_PAUSE_ENC_RSP   ->              encrypted; its acknowledgement comes with the first PDU in the clear
///                        <-  LL_PAUSE_ENC_RSP
extension Connection {
    func receive(
        _ request: EncryptionRequest,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        guard role == .peripheral else { return answerUnknown(.encReq) }
        guard !isTerminating else { return }
        switch encryption.phase {
        case .paused: break
        case .idle where !encryption.isEncrypting: encryption.isRefresh = false
        // An encrypted link is paused before it gets another key.
        default: return reject(.encReq, .commandDisallowed)
        }
        queue.hold()
        let share = encryption.shares.take()
        encryption.phase = .awaitingKey(request, share)
        queue.append(
            urgent: .encRsp(
                EncryptionResponse(
                    sessionKeyDiversifier: share.diversifier,
                    initializationVector: share.vector
                )
            )
        )
        encryption.deadline = now + Procedures.responseTimeout
        // A host that does not want to be asked has no key.
        guard local.offersKeys else { return refuseKey(at: now, into: &output) }
        output.events.append(
            .leLongTermKeyRequest(
                LELongTermKeyRequest(
                    connection: handle,
                    random: request.rand,
                    encryptedDiversifier: request.ediv
                )
            )
        )
    }

    /// The host has the key. LE Long Term Key Request Reply.
    func provide(longTermKey: Block128, at now: Instant) {
        guard case .awaitingKey(let request, let share) = encryption.phase else { return }
        let theirs = SessionShare(
            diversifier: request.sessionKeyDiversifier,
            vector: request.initializationVector
        )
        encryption.phase = .awaitingStartResponse(
            LinkSession(longTermKey: longTermKey, central: theirs, peripheral: share)
        )
        encryption.deadline = now + Procedures.responseTimeout
        queue.append(urgent: .startEncReq)
    }

    /// The host has no key. LE Long Term Key Request Negative Reply.
    ///
    /// A link that was encrypted ends, since it must not go on in the clear. 5.1.3.1.
    func refuseKey(at now: Instant, into output: inout LinkOutput) {
        guard case .awaitingKey = encryption.phase else { return }
        guard !encryption.isRefresh else { return terminate(.pinOrKeyMissing, at: now) }
        encryption.phase = .idle
        encryption.deadline = nil
        queue.append(urgent: rejection(of: .encReq, .pinOrKeyMissing))
        queue.release()
        beginNext(at: now, into: &output)
    }

    /// The central's LL_START_ENC_RSP: it has the same key. Ours is the first PDU that we encrypt.
    func receiveStartResponse(session: LinkSession, at now: Instant, into output: inout LinkOutput) {
        encryption.encrypt(by: session, .peripheralToCentral)
        queue.append(urgent: .startEncRsp)
        encryption.deadline = nil
        completeEncryption(at: now, into: &output)
        beginNext(at: now, into: &output)
    }

    func receivePauseRequest(at now: Instant) {
        guard role == .peripheral else { return answerUnknown(.pauseEncReq) }
        guard !isTerminating else { return }
        guard encryption.isEncrypting, encryption.isIdle else { return reject(.pauseEncReq, .commandDisallowed) }
        queue.hold()
        encryption.isRefresh = true
        encryption.phase = .pausing
        encryption.deadline = now + Procedures.responseTimeout
        authenticatedPayload.stop()
        queue.append(urgent: .pauseEncRsp)
    }

    /// The central's LL_PAUSE_ENC_RSP: what we send is in the clear now as well.
    func receivePauseEnd(at now: Instant) {
        encryption.stopEncrypting()
        encryption.phase = .paused
        encryption.deadline = now + Procedures.responseTimeout
    }
}
