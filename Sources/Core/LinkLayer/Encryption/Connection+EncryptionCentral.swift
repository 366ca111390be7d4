import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

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
    mutating func startEncryption(_ order: EncryptionOrder) {
        queue.hold()
        let isRefresh = encryption.isEncrypting
        procedures.begin(.encryptionStart(EncryptionStart(order, isRefresh: isRefresh)))
        if isRefresh { queue.append(urgent: .pauseEncReq) } else { requestEncryption() }
    }

    private mutating func requestEncryption() {
        let share = encryption.shares.take()
        if let request = procedures.encryptionStart?.request(share) { queue.append(urgent: request) }
    }

    mutating func receiveStartRequest(at now: Instant) {
        guard let session = procedures.encryptionStart?.start() else { return }
        encryption.decrypt(by: session, .peripheralToCentral)
        encryption.encrypt(by: session, .centralToPeripheral)
        queue.append(urgent: .startEncRsp)
        expectResponse(at: now)
    }

    /// The peripheral's LL_PAUSE_ENC_RSP, encrypted as everything before it. Ours is the first PDU in the clear.
    mutating func receivePauseOfPeripheral(at now: Instant) {
        encryption.stopDecrypting()
        encryption.stopEncrypting()
        queue.append(urgent: .pauseEncRsp)
        requestEncryption()
        expectResponse(at: now)
    }

    /// The peripheral has no key, or no encryption. The link goes on in the clear, unless it was encrypted before:
    /// then the refusal has no place, and the link is over already.
    mutating func failEncryption(_ reason: FailureCode, into output: inout LinkOutput) {
        guard let start = procedures.encryptionStart else { return }
        procedures.encryptionStart?.fail()
        queue.release()
        reportEncryption(.failed(reason), isRefresh: start.isRefresh, into: &output)
    }
}
