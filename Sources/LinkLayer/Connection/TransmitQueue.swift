import AirPackets
import HCI

/// What waits to go out on one connection: control PDUs first, then the host's data in order, cut to the PDU length in
/// force. One PDU at a time is in flight; it is sent again, unchanged, until it is acknowledged.
struct TransmitQueue: Sendable {
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
    /// ACL packets as the host sent them; those before `head` are gone.
    private var data: [[UInt8]] = []
    private var head = 0
    /// Bytes of the first packet's data that have been acknowledged.
    private var offset = 0
    private var inFlight = InFlight.nothing

    /// Control PDUs that wait or are in flight. A peer that keeps asking and never acknowledges must not make it grow
    /// without end.
    var controlCount: Int { control.count }
    /// Whether anything but empty PDUs is waiting or in flight.
    var isEmpty: Bool { control.isEmpty && head == data.count }

    mutating func append(control pdu: ControlPDU) {
        var bytes: [UInt8] = []
        pdu.write(to: &bytes)
        control.append(bytes)
    }

    mutating func append(data packet: [UInt8]) { data.append(packet) }

    /// Bytes of payload of the PDU that goes out next.
    func nextLength(limit: Int) -> Int {
        switch inFlight {
        case .empty: 0
        case .control: control[0].count
        case .data(let count): count
        case .nothing: !control.isEmpty ? control[0].count : head < data.count ? min(limit, rest) : 0
        }
    }

    /// The frame that goes out now: the one in flight again, or the next. `MD` is set where more is waiting behind it
    /// and `moreAllowed` says that there is time for it.
    mutating func nextFrame(
        accessAddress: AccessAddress,
        crcInit: CRCInit,
        acknowledgement: Acknowledgement,
        limit: Int,
        moreAllowed: Bool
    ) -> [UInt8] {
        if case .nothing = inFlight {
            if !control.isEmpty {
                inFlight = .control
            } else if head < data.count {
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
            return AirFrame.make(accessAddress: accessAddress, header: header.rawValue, crcInit: crcInit)
        case .control:
            let pdu = control[0]
            header.logicalLink = .control
            header.moreData = moreAllowed && (control.count > 1 || head < data.count)
            return AirFrame.make(
                accessAddress: accessAddress,
                header: header,
                payload: pdu.span.bytes,
                crcInit: crcInit
            )
        case .data(let count):
            header.logicalLink = offset == 0 && isStart ? .start : .continuation
            header.moreData = moreAllowed && (count < rest || data.count - head > 1 || !control.isEmpty)
            let packet = data[head]
            let begin = Self.dataOffset + offset
            return AirFrame.make(
                accessAddress: accessAddress,
                header: header,
                payload: packet.span.bytes.extracting(begin..<(begin + count)),
                crcInit: crcInit
            )
        }
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
        switch inFlight {
        case .nothing, .empty:
            return .nothing
        case .control:
            return .control(ControlOpcode(rawValue: control.removeFirst()[0]))
        case .data(let count):
            offset += count
            guard offset == data[head].count - Self.dataOffset else { return .nothing }
            offset = 0
            data[head] = []
            head += 1
            if head == data.count {
                data.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 32 {
                data.removeFirst(head)
                head = 0
            }
            return .packet
        }
    }

    /// Bytes of the first packet that are still to go.
    private var rest: Int { data[head].count - Self.dataOffset - offset }

    /// Whether the first packet begins an L2CAP PDU: packet boundary flag 0b00 or 0b10.
    private var isStart: Bool { data[head][2] >> 4 & 0b11 != PacketBoundary.continuing.rawValue }
}
