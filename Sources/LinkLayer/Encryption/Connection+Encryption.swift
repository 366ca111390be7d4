import AirPackets
import BluetoothCrypto
import BluetoothValues
import ByteCoding
import HCI
import VirtualTime

/// What both roles do about encryption. Core 6.0, Vol 6, Part B, 5.1.3.
extension Connection {
    func receiveStartResponse(at now: Instant, into output: inout LinkOutput) {
        switch encryption.phase {
        case .awaitingEnd where !isTerminating:
            completeEncryption(at: now, into: &output)
            finish(at: now, into: &output)
        case .awaitingStartResponse(let session):
            receiveStartResponse(session: session, at: now, into: &output)
        default: break
        }
    }

    func receivePauseResponse(at now: Instant) {
        switch encryption.phase {
        case .awaitingPause(let order) where !isTerminating: receivePauseResponse(order: order, at: now)
        case .pausing: receivePauseEnd(at: now)
        default: break
        }
    }

    /// The link is encrypted: data flows again, and the host hears of it.
    func completeEncryption(at now: Instant, into output: inout LinkOutput) {
        encryption.phase = .idle
        queue.release()
        authenticatedPayload.start(at: now)
        reportEncryption(.completed, into: &output)
    }

    /// Encryption Change, or Encryption Key Refresh Complete where the link was encrypted before. Whether the link is
    /// encrypted is what its ciphers say.
    func reportEncryption(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        precondition(outcome != .completed || encryption.isOn, "a link without ciphers is not encrypted")
        let status = outcome.status
        output.events.append(
            encryption.isRefresh
                ? .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(status: status, connection: handle))
                : .encryptionChange(
                    EncryptionChange(status: status, connection: handle, isEncrypted: encryption.isOn)
                )
        )
    }

    /// One of our PDUs that changes the direction from the peer has arrived: what comes with the acknowledgement is
    /// encrypted already, or not any more.
    func encryptionAcknowledged(_ opcode: ControlOpcode) {
        switch (encryption.phase, opcode) {
        case (.awaitingStartResponse(let session), .startEncReq):
            encryption.decrypt(by: session, .centralToPeripheral)
        case (.pausing, .pauseEncRsp):
            encryption.stopDecrypting()
        default: break
        }
    }

    /// A new PDU with a payload while the link is encrypted.
    func receiveEncrypted(
        _ frame: [UInt8],
        header: DataHeader,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput,
        packets: inout [[UInt8]]
    ) {
        let length = Int(header.length) - LinkEncryptor.integrityCheckLength
        let isControl = header.logicalLink == .control
        var packet: [UInt8] = []
        packet.reserveCapacity(ACLHeader.byteCount + Int(header.length))
        if !isControl {
            ACLHeader(
                handle: handle,
                boundary: header.logicalLink == .start ? .firstFlushable : .continuing,
                dataLength: max(length, 0)
            ).write(to: &packet)
        }
        do throws(LinkCipherError) {
            try encryption.decryptor?.decrypt(
                frame.span.bytes.extracting(AirFrame.payloadRange(of: frame)),
                header: frame[AirFrame.headerOffset],
                appendingTo: &packet
            )
        } catch {
            // At once and without a word: whoever sent this is not whom we were talking to. 5.1.3.1.
            return output.end(.connectionTerminatedMICFailure)
        }
        authenticatedPayload.restart(at: now)
        if isControl {
            receiveControl(packet.span.bytes, at: now, knowing: local, into: &output)
        } else if encryption.isStrict {
            output.end(.connectionTerminatedMICFailure)
        } else if header.logicalLink != .reserved {
            packets.append(packet)
        }
    }
}
