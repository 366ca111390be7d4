import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime

/// The frames of a connection: what goes out, and what comes in.
extension Connection {
    /// The frame that goes out now; nil if the packet counter is exhausted and the link therefore over.
    /// A new PDU has `limit` bytes of data at most, if that is less than what was agreed.
    mutating func nextFrame(moreAllowed: Bool, limit: Int? = nil) -> [UInt8]? {
        let limit = limit ?? transmitLimit
        let frame = queue.nextFrame(
            accessAddress: accessAddress,
            crcInit: crcInit,
            acknowledgement: acknowledgement,
            limit: limit,
            moreAllowed: moreAllowed,
            encryption: &encryption
        )
        if let frame { event.sentMore = AirFrame.dataHeader(of: frame).moreData }
        return frame
    }

    /// What a frame on one of this connection's events was: acknowledgement, a control PDU, data for the host.
    ///
    /// A wrong CRC says only that something was sent. Core 6.0, Vol 6, Part B, 4.5.9, 4.5.11.
    mutating func receive(
        _ reception: Reception,
        at now: Instant,
        knowing local: LocalKnowledge,
        into output: inout LinkOutput,
        packets: inout [[UInt8]]
    ) {
        let frame = reception.frame
        heardAnything(at: reception.start)
        assert(!reception.hasKnownCRC || isWhole(frame), "a frame that went directly is not as its sender's CRC says")
        guard reception.hasKnownCRC || isWhole(frame) else {
            // Whether the peer has more is not known; what it said last stands.
            event.badPackets += 1
            return
        }
        let header = AirFrame.dataHeader(of: frame)
        guard receive(header, reception.strength, at: now, into: &output) else { return }
        if encryption.isDecrypting {
            return receiveEncrypted(
                frame,
                header: header,
                at: now,
                knowing: local,
                into: &output,
                packets: &packets
            )
        }
        switch header.logicalLink {
        case .control:
            let payload = frame.span.bytes.extracting(AirFrame.payloadRange(of: frame))
            receiveControl(payload, at: now, knowing: local, into: &output)
        case .start, .continuation:
            // Data in the clear has no place where encryption is about to begin. 5.1.3.1.
            guard !procedures.isStrict else { return output.end(.connectionTerminatedMICFailure) }
            packets.append(aclPacket(frame, isStart: header.logicalLink == .start))
        case .reserved:
            break
        }
    }

    /// Whether a frame is as long as it says, and its CRC right.
    private func isWhole(_ frame: [UInt8]) -> Bool {
        AirFrame.isWellFormed(frame) && AirFrame.hasValidCRC(frame, crcInit: crcInit)
    }

    /// A frame on one of this connection's events began at an instant, whatever was in it.
    mutating func heardAnything(at start: Instant) {
        guard !event.heardAnything else { return }
        event.heardAnything = true
        if role == .peripheral { schedule.synchronize(to: start) }
    }

    /// What the header of a frame says whose CRC was right. Whether there is a payload to be looked at.
    mutating func receive(
        _ header: DataHeader,
        _ strength: SignalStrength,
        at now: Instant,
        into output: inout LinkOutput
    ) -> Bool {
        event.badPackets = 0
        event.heardPeer = true
        supervision.heard(at: now, strength)
        armSupervision()
        event.peerHasMore = header.moreData
        let hasRoom = header.length == 0 || queue.controlCount < Self.mostControl
        let (isNew, acknowledges) = acknowledgement.receive(header, hasRoom: hasRoom)
        if acknowledges { acknowledged(into: &output) }
        guard isNew else { return false }
        supervision.noteNewPDU(hasPayload: header.length > 0)
        return header.length > 0 && output.ending == nil
    }

    /// Control PDUs that may wait before nothing more is taken from the peer that makes us answer.
    private static let mostControl = 8

    private mutating func acknowledged(into output: inout LinkOutput) {
        switch queue.acknowledge() {
        case .nothing, .packet: break
        case .control(let opcode): controlAcknowledged(opcode, into: &output)
        }
    }

    /// The data of a frame as an ACL packet for the host.
    private mutating func aclPacket(_ frame: [UInt8], isStart: Bool) -> [UInt8] {
        let payload = frame.span.bytes.extracting(AirFrame.payloadRange(of: frame))
        let boundary: PacketBoundary = isStart ? .firstFlushable : .continuing
        return ACLHeader(handle: handle, boundary: boundary, dataLength: payload.byteCount).packet(payload)
    }
}

/// What a connection needs to know of the controller it lives in.
struct LocalKnowledge: Sendable {
    /// Whether the host receives connection parameter requests itself.
    let asksHostForParameters: Bool
    /// Whether the host receives requests for long term keys.
    let offersKeys: Bool
}
