import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatByteCoding
import BluethroatHCI
import DequeModule

/// What waits to go out on one connection: control PDUs first, then the host's data in order, cut to the PDU length in
/// force. One PDU at a time is in flight; it is sent again, unchanged, until it is acknowledged.
///
/// A PDU is encrypted when it is sent first, or not at all: what the link became meanwhile does not matter to it.
///
/// It cannot be copied, so that looking at it never costs a copy of it.
struct TransmitQueue: ~Copyable, Sendable {
    private enum InFlight {
        case nothing
        /// An empty PDU.
        case empty
        /// The first control PDU.
        case control
        /// So many bytes of the first data packet from `offset` on.
        case data(Int)
    }

    /// Bytes of an ACL packet before its data: H4 indicator, handle and flags, length.
    static let dataOffset = 5

    private var control: [[UInt8]] = []
    /// Control PDUs that wait, as the data does, until the link is encrypted; nil while nothing has to.
    private var held: [[UInt8]]?
    /// ACL packets as the host sent them.
    private var data: Deque<[UInt8]> = []
    /// Bytes of the first packet's data that have been acknowledged.
    private var offset = 0
    private var inFlight = InFlight.nothing
    /// The frame of the PDU in flight if it is encrypted: its packet counter is spent.
    private var sealed: [UInt8] = []
    /// The frames of the empty PDUs that went out last, one for each sequence number.
    private var emptyFrames: (even: [UInt8], odd: [UInt8]) = ([], [])

    /// Packets of the host that are in the controller's buffers: received, and not yet reported as completed.
    private(set) var heldPackets = 0
    /// Those of them that have been acknowledged.
    private(set) var completedPackets: UInt16 = 0

    /// Control PDUs that wait or are in flight. A peer that keeps asking and never acknowledges must not make it grow
    /// without end.
    var controlCount: Int { control.count + (held?.count ?? 0) }
    /// Whether nothing but empty PDUs can go out.
    var isEmpty: Bool { control.isEmpty && !hasData }
    /// Whether an empty PDU goes out next, nothing waits, be it for encryption, and the host is not owed anything.
    var isIdle: Bool {
        guard control.isEmpty, data.isEmpty, held == nil, sealed.isEmpty, heldPackets == 0 else { return false }
        switch inFlight {
        case .nothing, .empty: return true
        case .control, .data: return false
        }
    }
    /// Whether the host's data is waiting and may go out.
    private var hasData: Bool { !data.isEmpty && held == nil }

    mutating func append(control pdu: ControlPDU) {
        var bytes: [UInt8] = []
        pdu.write(to: &bytes)
        if held == nil { control.append(bytes) } else { held?.append(bytes) }
    }

    /// A PDU of an encryption procedure, or of the termination: it does not wait for encryption.
    mutating func append(urgent pdu: ControlPDU) {
        var bytes: [UInt8] = []
        pdu.write(to: &bytes)
        control.append(bytes)
    }

    /// From here on nothing goes out but what is urgent, or was before it in the queue. Core 6.0, Vol 6, Part B, 5.1.3.
    mutating func hold() { if held == nil { held = [] } }

    /// Everything may go out again.
    mutating func release() {
        control += held ?? []
        held = nil
    }

    /// Data of the host. It takes a buffer until the host has heard that it is completed.
    mutating func append(data packet: [UInt8]) {
        heldPackets += 1
        data.append(packet)
    }

    /// Data of the host that does not go on the air, and of which it hears now that it is completed.
    mutating func discardData() {
        heldPackets += 1
        completedPackets += 1
    }

    /// Data of the host that does not go on the air any more. It takes a buffer until the connection is over.
    mutating func withholdData() { heldPackets += 1 }

    /// The packets acknowledged since this was asked last: the host is about to hear of them.
    mutating func takeCompleted() -> UInt16 {
        defer { completedPackets = 0 }
        heldPackets -= Int(completedPackets)
        return completedPackets
    }

    /// Whether the PDU that goes out next is data that has not gone out before, of which it may be any part.
    func canSplit() -> Bool {
        guard case .nothing = inFlight else { return false }
        return control.isEmpty && hasData
    }

    /// Bytes of payload, MIC included, of the PDU that goes out next.
    func nextLength(limit: Int, isEncrypting: Bool) -> Int {
        guard sealed.isEmpty else { return sealed.count - AirFrame.overhead }
        switch inFlight {
        case .empty: return 0
        case .control: return control[0].count
        case .data(let count): return count
        case .nothing:
            let length = !control.isEmpty ? control[0].count : hasData ? min(limit, rest) : 0
            return isEncrypting && length > 0 ? length + LinkEncryptor.integrityCheckLength : length
        }
    }

    /// The frame that goes out now: the one in flight again, or the next. `MD` is set where more is waiting behind it
    /// and `moreAllowed` says that there is time for it. Nil if the packet counter is exhausted.
    mutating func nextFrame(
        accessAddress: AccessAddress,
        crcInit: CRCInit,
        acknowledgement: Acknowledgement,
        limit: Int,
        moreAllowed: Bool,
        encryption: inout LinkEncryption
    ) -> [UInt8]? {
        var isFirst = false
        if case .nothing = inFlight {
            isFirst = true
            if !control.isEmpty {
                inFlight = .control
            } else if hasData {
                inFlight = .data(min(limit, rest))
            } else {
                inFlight = .empty
            }
        }
        var header = DataHeader(
            .continuation,
            nextExpectedSequenceNumber: acknowledgement.nextExpected,
            sequenceNumber: acknowledgement.sequenceNumber
        )
        switch inFlight {
        case .nothing, .empty:
            header.moreData = moreAllowed && !isEmpty
            return emptyFrame(header, accessAddress, crcInit)
        case .control:
            let pdu = control[0]
            header.logicalLink = .control
            header.moreData = moreAllowed && (control.count > 1 || hasData)
            if !sealed.isEmpty { return sealedAgain(header, crcInit: crcInit) }
            if isFirst, encryption.isEncrypting {
                return seal(pdu.span.bytes, header, accessAddress, crcInit, by: &encryption)
            }
            return AirFrame.make(
                accessAddress: accessAddress,
                header: header,
                payload: pdu.span.bytes,
                crcInit: crcInit
            )
        case .data(let count):
            header.logicalLink = offset == 0 && isStart ? .start : .continuation
            header.moreData =
                moreAllowed && (!control.isEmpty || held == nil && (count < rest || data.count > 1))
            if !sealed.isEmpty { return sealedAgain(header, crcInit: crcInit) }
            let packet = data[0]
            let begin = Self.dataOffset + offset
            let payload = packet.span.bytes.extracting(begin..<(begin + count))
            if isFirst, encryption.isEncrypting {
                return seal(payload, header, accessAddress, crcInit, by: &encryption)
            }
            return AirFrame.make(
                accessAddress: accessAddress,
                header: header,
                payload: payload,
                crcInit: crcInit
            )
        }
    }

    /// An empty PDU. Those of a link differ by their flags only, and one with nothing to say sends two of them in turn.
    private mutating func emptyFrame(
        _ header: DataHeader,
        _ accessAddress: AccessAddress,
        _ crcInit: CRCInit
    ) -> [UInt8] {
        let known = header.sequenceNumber ? emptyFrames.odd : emptyFrames.even
        if !known.isEmpty, AirFrame.dataHeader(of: known) == header { return known }
        let frame = AirFrame.make(accessAddress: accessAddress, header: header, crcInit: crcInit)
        if header.sequenceNumber { emptyFrames.odd = frame } else { emptyFrames.even = frame }
        return frame
    }

    /// Encrypts a PDU into a frame, which is kept until the PDU is acknowledged.
    private mutating func seal(
        _ payload: RawSpan,
        _ header: DataHeader,
        _ accessAddress: AccessAddress,
        _ crcInit: CRCInit,
        by encryption: inout LinkEncryption
    ) -> [UInt8]? {
        var frame = AirFrame.begin(
            accessAddress: accessAddress,
            header: header.rawValue,
            payloadCapacity: payload.byteCount + LinkEncryptor.integrityCheckLength
        )
        do throws(LinkCipherError) {
            try encryption.encryptor?.encrypt(
                payload,
                header: UInt8(truncatingIfNeeded: header.rawValue),
                appendingTo: &frame
            )
        } catch {
            return nil
        }
        AirFrame.finish(&frame, crcInit: crcInit)
        sealed = frame
        return frame
    }

    /// The encrypted frame in flight once more; the MIC does not cover what may change in the header.
    private mutating func sealedAgain(_ header: DataHeader, crcInit: CRCInit) -> [UInt8] {
        AirFrame.setHeader(header.rawValue, of: &sealed, crcInit: crcInit)
        return sealed
    }

    /// What an acknowledgement was for.
    enum Acknowledged {
        case nothing
        case control(ControlOpcode)
        /// The last byte of a packet of the host.
        case packet
    }

    /// The PDU in flight has arrived.
    mutating func acknowledge() -> Acknowledged {
        defer { inFlight = .nothing }
        if !sealed.isEmpty { sealed = [] }
        switch inFlight {
        case .nothing, .empty:
            return .nothing
        case .control:
            return .control(ControlOpcode(rawValue: control.removeFirst()[0]))
        case .data(let count):
            offset += count
            guard offset == data[0].count - Self.dataOffset else { return .nothing }
            offset = 0
            data.removeFirst()
            completedPackets += 1
            return .packet
        }
    }

    /// Bytes of the first packet that are still to go.
    private var rest: Int { data[0].count - Self.dataOffset - offset }

    /// Whether the first packet begins an L2CAP PDU: packet boundary flag 0b00 or 0b10.
    private var isStart: Bool { data[0][2] >> 4 & 0b11 != PacketBoundary.continuing.rawValue }
}
