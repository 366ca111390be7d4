import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

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
    mutating func receive(
        _ request: EncryptionRequest,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput
    ) {
        guard role == .peripheral else { return answerUnknown(.encReq) }
        guard !isTerminating else { return }
        var answer: EncryptionAnswer
        if let paused = procedures.encryptionAnswer, paused.isPaused {
            answer = paused
            answer.receive(request, share: takeShare())
        } else if !procedures.isAnsweringEncryption, !encryption.isEncrypting {
            answer = EncryptionAnswer(request, share: takeShare())
        } else {
            // An encrypted link is paused before it gets another key.
            return reject(.encReq, .commandDisallowed)
        }
        expect(.encryptionStart(answer), at: now)
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

    /// Our share of the session to come, which LL_ENC_RSP gives to the central.
    private mutating func takeShare() -> SessionShare {
        queue.hold()
        let share = encryption.shares.take()
        queue.append(
            urgent: .encRsp(
                EncryptionResponse(
                    sessionKeyDiversifier: share.diversifier,
                    initializationVector: share.vector
                )
            )
        )
        return share
    }

    /// The host has the key. LE Long Term Key Request Reply.
    mutating func provide(longTermKey: Block128, at now: Instant) {
        guard var answer = procedures.encryptionAnswer, answer.provide(longTermKey: longTermKey) else { return }
        expect(.encryptionStart(answer), at: now)
        queue.append(urgent: .startEncReq)
    }

    /// The host has no key. LE Long Term Key Request Negative Reply.
    ///
    /// A link that was encrypted ends, since it must not go on in the clear. 5.1.3.1.
    mutating func refuseKey(at now: Instant, into output: inout LinkOutput) {
        guard let answer = procedures.encryptionAnswer, answer.awaitsKey else { return }
        guard !answer.isRefresh else { return terminate(.pinOrKeyMissing, at: now) }
        finishRemoteProcedure()
        queue.append(urgent: rejection(of: .encReq, .pinOrKeyMissing))
        queue.release()
        goOn(at: now, into: &output)
    }

    /// The central's LL_START_ENC_RSP: it has the same key. Ours is the first PDU that we encrypt.
    mutating func receiveStartResponse(session: LinkSession, at now: Instant, into output: inout LinkOutput) {
        let isRefresh = procedures.encryptionAnswer?.isRefresh ?? false
        encryption.encrypt(by: session, .peripheralToCentral)
        queue.append(urgent: .startEncRsp)
        finishRemoteProcedure()
        completeEncryption(isRefresh: isRefresh, at: now, into: &output)
    }

    mutating func receivePauseRequest(at now: Instant) {
        guard role == .peripheral else { return answerUnknown(.pauseEncReq) }
        guard !isTerminating else { return }
        guard encryption.isEncrypting, !procedures.isAnsweringEncryption else {
            return reject(.pauseEncReq, .commandDisallowed)
        }
        queue.hold()
        expect(.encryptionStart(.pausing), at: now)
        queue.append(urgent: .pauseEncRsp)
    }

    /// The central's LL_PAUSE_ENC_RSP: what we send is in the clear now as well.
    mutating func receivePauseEnd(_ pausing: EncryptionAnswer, at now: Instant) {
        var answer = pausing
        answer.pause()
        encryption.stopEncrypting()
        expect(.encryptionStart(answer), at: now)
    }
}
