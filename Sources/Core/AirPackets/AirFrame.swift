internal import BluethroatBluetoothValues
public import BluethroatByteCoding

/// A frame on the air as bytes: access address (4), header (2), payload (0 to 255) and CRC (3), not whitened;
/// the preamble is implied. Core 6.0, Vol 6, Part B, 2.1.
///
/// A frame is built with one allocation and then only borrowed:
/// `frame.span.bytes.extracting(AirFrame.payloadRange(of: frame))`.
public enum AirFrame {
    /// Where the header begins.
    public static let headerOffset = 4
    /// Where the payload begins.
    public static let payloadOffset = 6
    /// Bytes of a frame that are not payload.
    public static let overhead = 9

    // MARK: Building

    /// A whole frame; the header's length byte is set from the payload, which has at most 255 bytes.
    @inlinable
    public static func make(
        accessAddress: AccessAddress,
        header: UInt16,
        payload: RawSpan,
        crcInit: CRCInit
    ) -> [UInt8] {
        let length = payload.byteCount
        precondition(length <= 255, "a frame's payload has at most 255 bytes")
        let header = header & 0xFF | UInt16(length) << 8
        return unsafe [UInt8](byteCount: overhead + length) { frame in
            unsafe frame.storeBytes(of: accessAddress.rawValue.littleEndian, as: UInt32.self)
            unsafe frame.storeBytes(of: header.littleEndian, toByteOffset: headerOffset, as: UInt16.self)
            unsafe payload.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe (frame + payloadOffset).copyMemory(from: start, byteCount: length)
            }
            let checked = payloadOffset - headerOffset + length
            let crc = unsafe CRC24.checksum(from: frame + headerOffset, count: checked, initial: crcInit)
            for place in 0..<3 {
                let byte = UInt8(truncatingIfNeeded: crc >> UInt32(8 * place))
                unsafe frame.storeBytes(of: byte, toByteOffset: payloadOffset + length + place, as: UInt8.self)
            }
        }
    }

    /// A frame without payload, e.g. an empty data PDU.
    @inlinable
    public static func make(accessAddress: AccessAddress, header: UInt16, crcInit: CRCInit) -> [UInt8] {
        make(accessAddress: accessAddress, header: header, payload: RawSpan(), crcInit: crcInit)
    }

    /// A data PDU without payload: what a side sends that has nothing to send.
    @inlinable
    public static func make(accessAddress: AccessAddress, header: DataHeader, crcInit: CRCInit) -> [UInt8] {
        make(accessAddress: accessAddress, header: header.rawValue, payload: RawSpan(), crcInit: crcInit)
    }

    /// A data PDU; the header's length is set from the payload.
    @inlinable
    public static func make(
        accessAddress: AccessAddress,
        header: DataHeader,
        payload: RawSpan,
        crcInit: CRCInit
    ) -> [UInt8] {
        make(accessAddress: accessAddress, header: header.rawValue, payload: payload, crcInit: crcInit)
    }

    /// An LL control PDU; the header's LLID and length are set.
    public static func make(
        accessAddress: AccessAddress,
        header: DataHeader,
        control: ControlPDU,
        crcInit: CRCInit
    ) -> [UInt8] {
        var header = header
        header.logicalLink = .control
        var frame = begin(accessAddress: accessAddress, header: header.rawValue, payloadCapacity: 35)
        control.write(to: &frame)
        finish(&frame, crcInit: crcInit)
        return frame
    }

    /// An advertising PDU on a primary advertising channel.
    public static func make(advertising pdu: AdvertisingPDU) -> [UInt8] {
        switch pdu {
        case .advInd(let sender, let data, _), .advNonconnInd(let sender, let data), .advScanInd(let sender, let data),
            .scanRsp(let sender, let data):
            let count = data.count
            precondition(count <= AdvertisingPDU.maximumDataLength, "a legacy PDU carries at most 31 bytes of data")
            return make(pdu.header, from: sender, data: data.span.bytes)
        case .scanReq(let sender, let receiver): return make(pdu.header, from: sender, to: receiver)
        case .advDirectInd, .connectInd, .unknown: break
        }
        var frame: [UInt8] = []
        frame.reserveCapacity(overhead + pdu.payloadLength)
        AccessAddress.advertising.write(to: &frame)
        pdu.write(to: &frame)
        finish(&frame, crcInit: .advertising)
        return frame
    }

    /// The frames that are sent most, put together at once. The payload begins with the sender's address.
    private static func make(
        _ header: AdvertisingHeader,
        from sender: DeviceAddress,
        to receiver: DeviceAddress? = nil,
        data: RawSpan = RawSpan()
    ) -> [UInt8] {
        let count = data.byteCount, length = (receiver == nil ? 6 : 12) + count
        return unsafe [UInt8](byteCount: overhead + length) { frame in
            unsafe frame.storeBytes(of: AccessAddress.advertising.rawValue.littleEndian, as: UInt32.self)
            unsafe frame.storeBytes(of: header.rawValue.littleEndian, toByteOffset: headerOffset, as: UInt16.self)
            // Eight bytes each, of which what follows takes two again, be it the CRC.
            unsafe frame.storeBytes(of: sender.value.littleEndian, toByteOffset: payloadOffset, as: UInt64.self)
            if let value = receiver?.value {
                unsafe frame.storeBytes(of: value.littleEndian, toByteOffset: payloadOffset + 6, as: UInt64.self)
            }
            unsafe data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe (frame + payloadOffset + length - count).copyMemory(from: start, byteCount: count)
            }
            let checked = payloadOffset - headerOffset + length
            let crc = unsafe CRC24.checksum(from: frame + headerOffset, count: checked, initial: .advertising)
            for place in 0..<3 {
                let byte = UInt8(truncatingIfNeeded: crc >> UInt32(8 * place))
                unsafe frame.storeBytes(of: byte, toByteOffset: payloadOffset + length + place, as: UInt8.self)
            }
        }
    }

    /// The beginning of a frame, to which the payload is appended before `finish`.
    @inlinable
    public static func begin(accessAddress: AccessAddress, header: UInt16, payloadCapacity: Int) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(overhead + payloadCapacity)
        accessAddress.write(to: &frame)
        frame.appendUInt16(header)
        return frame
    }

    /// Sets the length byte from what was appended since `begin`, at most 255 bytes, and appends the CRC.
    @inlinable
    public static func finish(_ frame: inout [UInt8], crcInit: CRCInit) {
        let length = frame.count - payloadOffset
        precondition((0...255).contains(length), "a frame's payload has at most 255 bytes")
        frame[headerOffset + 1] = UInt8(length)
        frame.appendUInt24(CRC24.checksum(of: frame.span.bytes.extracting(headerOffset...), initial: crcInit))
    }

    /// Changes the low byte of a whole frame's header in place and renews the CRC: for sending a PDU again with
    /// other NESN and MD bits. The length byte stays.
    @inlinable
    public static func setHeader(_ header: UInt16, of frame: inout [UInt8], crcInit: CRCInit) {
        precondition(isWellFormed(frame), "only a whole frame can be sent again")
        frame[headerOffset] = UInt8(truncatingIfNeeded: header)
        renewCRC(of: &frame, crcInit: crcInit)
    }

    /// Writes the CRC of a frame again, after header or payload was changed in place.
    @inlinable
    public static func renewCRC(of frame: inout [UInt8], crcInit: CRCInit) {
        let end = frame.count - 3
        let crc = CRC24.checksum(of: frame.span.bytes.extracting(headerOffset..<end), initial: crcInit)
        frame[end] = UInt8(truncatingIfNeeded: crc)
        frame[end + 1] = UInt8(truncatingIfNeeded: crc >> 8)
        frame[end + 2] = UInt8(truncatingIfNeeded: crc >> 16)
    }

    // MARK: Reading

    /// Whether the frame is as long as its header says. The other readers trap without this.
    @inlinable
    public static func isWellFormed(_ frame: [UInt8]) -> Bool {
        frame.count >= overhead && frame.count == overhead + Int(frame[headerOffset + 1])
    }

    /// Whether the CRC is that of header and payload.
    @inlinable
    public static func hasValidCRC(_ frame: [UInt8], crcInit: CRCInit) -> Bool {
        let end = frame.count - 3
        let found = UInt32(frame[end]) | UInt32(frame[end + 1]) << 8 | UInt32(frame[end + 2]) << 16
        return found == CRC24.checksum(of: frame.span.bytes.extracting(headerOffset..<end), initial: crcInit)
    }

    /// The frame's first four bytes.
    @inlinable
    public static func accessAddress(of frame: [UInt8]) -> AccessAddress {
        AccessAddress(
            rawValue: UInt32(frame[0]) | UInt32(frame[1]) << 8 | UInt32(frame[2]) << 16 | UInt32(frame[3]) << 24
        )
    }

    /// The 16 bits of the header, length in the upper byte.
    @inlinable
    public static func header(of frame: [UInt8]) -> UInt16 {
        UInt16(frame[headerOffset]) | UInt16(frame[headerOffset + 1]) << 8
    }

    /// The header of a frame on a data channel.
    @inlinable
    public static func dataHeader(of frame: [UInt8]) -> DataHeader { DataHeader(rawValue: header(of: frame)) }

    /// The header of a frame on a primary advertising channel.
    @inlinable
    public static func advertisingHeader(of frame: [UInt8]) -> AdvertisingHeader {
        AdvertisingHeader(rawValue: header(of: frame))
    }

    /// Where header and payload are: what `AdvertisingPDU` parses and the CRC covers.
    @inlinable
    public static func pduRange(of frame: [UInt8]) -> Range<Int> { headerOffset..<frame.count - 3 }

    /// The CONNECT_IND in a well-formed frame on an advertising channel; nil for any other PDU, and for one that cannot
    /// be read.
    public static func connectIndication(in frame: [UInt8]) -> ConnectIndication? {
        guard advertisingHeader(of: frame).type == .connectInd,
            case .connectInd(let indication)? = try? AdvertisingPDU(frame: frame)
        else { return nil }
        return indication
    }

    /// Where the payload is.
    @inlinable
    public static func payloadRange(of frame: [UInt8]) -> Range<Int> { payloadOffset..<frame.count - 3 }
}
