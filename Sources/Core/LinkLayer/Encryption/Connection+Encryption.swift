import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime

/// What both roles do about encryption. Core 6.0, Vol 6, Part B, 5.1.3.
extension Connection {
    mutating func receiveStartResponse(at now: Instant, into output: inout LinkOutput) {
        if let session = procedures.encryptionAnswer?.session {
            receiveStartResponse(session: session, at: now, into: &output)
        } else if let start = procedures.encryptionStart, procedures.encryptionStart?.complete() == true {
            completeEncryption(isRefresh: start.isRefresh, at: now, into: &output)
        }
    }

    mutating func receivePauseResponse(at now: Instant) {
        if let answer = procedures.encryptionAnswer {
            if answer.isPausing { receivePauseEnd(answer, at: now) }
        } else if procedures.encryptionStart?.awaitsPause == true {
            receivePauseOfPeripheral(at: now)
        }
    }

    /// The link is encrypted: data flows again, and the host is notified.
    mutating func completeEncryption(isRefresh: Bool, at now: Instant, into output: inout LinkOutput) {
        queue.release()
        authenticatedPayload.start(at: now)
        armAuthenticatedPayload()
        reportEncryption(.completed, isRefresh: isRefresh, into: &output)
    }

    /// Encryption Change, or Encryption Key Refresh Complete where the link was encrypted before. Whether the link is
    /// encrypted is what its ciphers say.
    func reportEncryption(_ outcome: ProcedureOutcome, isRefresh: Bool, into output: inout LinkOutput) {
        precondition(outcome != .completed || encryption.isOn, "a link without ciphers is not encrypted")
        let status = outcome.status
        output.events.append(
            isRefresh
                ? .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(status: status, connection: handle))
                : .encryptionChange(
                    EncryptionChange(status: status, connection: handle, isEncrypted: encryption.isOn)
                )
        )
    }

    /// One of our PDUs that changes the direction from the peer has arrived: what comes with the acknowledgement is
    /// encrypted already, or not any more.
    mutating func encryptionAcknowledged(_ opcode: ControlOpcode) {
        guard let answer = procedures.encryptionAnswer else { return }
        if opcode == .startEncReq, let session = answer.session {
            encryption.decrypt(by: session, .centralToPeripheral)
        } else if opcode == .pauseEncRsp, answer.isPausing {
            encryption.stopDecrypting()
        }
    }

    /// A new PDU with a payload while the link is encrypted.
    mutating func receiveEncrypted(
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
            // At once and without LL_TERMINATE_IND: the sender is not the peer. 5.1.3.1.
            return output.end(.connectionTerminatedMICFailure)
        }
        authenticatedPayload.restart(at: now)
        armAuthenticatedPayload()
        if isControl {
            receiveControl(packet.span.bytes, at: now, knowing: local, into: &output)
        } else if procedures.isStrict {
            output.end(.connectionTerminatedMICFailure)
        } else if header.logicalLink != .reserved {
            packets.append(packet)
        }
    }
}
