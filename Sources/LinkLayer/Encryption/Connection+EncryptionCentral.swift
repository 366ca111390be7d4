import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
import VirtualTime

/// Encryption as the central sees it, which always begins it. Core 6.0, Vol 6, Part B, 5.1.3.
///
///     LL_ENC_REQ         ->              in the clear
///                        <-  LL_ENC_RSP
///                        <-  LL_START_ENC_REQ
///     LL_START_ENC_RSP   ->              both directions encrypted from here on
///                        <-  LL_START_ENC_RSP
///
/// An encrypted link gets a new key by being paused first:
///
///     LL_PAUSE_ENC_REQ   ->              still encrypted
///                        <-  LL_PAUSE_ENC_RSP
///     LL_PAUSE_ENC_RSP   ->              both directions in the clear, and no data in either until all is over
extension Connection {
    func beginEncryption(_ order: EncryptionOrder, at now: Instant) {
        queue.hold()
        expectResponse(at: now)
        encryption.isRefresh = encryption.isEncrypting
        guard encryption.isRefresh else { return requestEncryption(order) }
        encryption.phase = .awaitingPause(order)
        queue.append(urgent: .pauseEncReq)
    }

    private func requestEncryption(_ order: EncryptionOrder) {
        let share = encryption.shares.take()
        encryption.phase = .awaitingResponse(order, share)
        queue.append(
            urgent: .encReq(
                EncryptionRequest(
                    rand: order.random,
                    ediv: order.diversifier,
                    sessionKeyDiversifier: share.diversifier,
                    initializationVector: share.vector
                )
            )
        )
    }

    /// LL_ENC_RSP: the session is known, and begins when the peripheral's host has given its key.
    func receive(_ response: EncryptionResponse) {
        guard case .awaitingResponse(let order, let share) = encryption.phase, !isTerminating else { return }
        let theirs = SessionShare(
            diversifier: response.sessionKeyDiversifier,
            vector: response.initializationVector
        )
        encryption.phase = .awaitingStart(
            LinkSession(longTermKey: order.longTermKey, central: share, peripheral: theirs)
        )
    }

    func receiveStartRequest(at now: Instant) {
        guard case .awaitingStart(let session) = encryption.phase, !isTerminating else { return }
        encryption.decrypt(by: session, .peripheralToCentral)
        encryption.encrypt(by: session, .centralToPeripheral)
        encryption.phase = .awaitingEnd
        queue.append(urgent: .startEncRsp)
        expectResponse(at: now)
    }

    /// The peripheral's LL_PAUSE_ENC_RSP, encrypted as everything before it. Ours is the first PDU in the clear.
    func receivePauseResponse(order: EncryptionOrder, at now: Instant) {
        encryption.stopDecrypting()
        encryption.stopEncrypting()
        authenticatedPayload.stop()
        queue.append(urgent: .pauseEncRsp)
        requestEncryption(order)
        expectResponse(at: now)
    }

    /// The peripheral has no key, or no encryption. The link goes on in the clear, unless it was encrypted before:
    /// then the refusal has no place, and the link is over already.
    func failEncryption(_ reason: FailureCode, at now: Instant, into output: inout LinkOutput) {
        encryption.phase = .idle
        queue.release()
        reportEncryption(.failed(reason), into: &output)
        finish(at: now, into: &output)
    }
}
