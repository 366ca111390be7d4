public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// A PDU on a primary advertising channel: header and payload. Core 6.0, Vol 6, Part B, 2.3.
///
/// Receivers that only filter read `AirFrame.advertisingHeader(of:)` and the first address instead, which copies
/// nothing.
public enum AdvertisingPDU: Hashable, Sendable {
    /// Connectable and scannable by any device. 2.3.1.1.
    case advInd(advertiser: DeviceAddress, data: [UInt8], supportsChannelSelection2: Bool)
    /// Connectable by one device. 2.3.1.2.
    case advDirectInd(advertiser: DeviceAddress, target: DeviceAddress, supportsChannelSelection2: Bool)
    /// Neither connectable nor scannable. 2.3.1.3.
    case advNonconnInd(advertiser: DeviceAddress, data: [UInt8])
    /// Scannable but not connectable. 2.3.1.4.
    case advScanInd(advertiser: DeviceAddress, data: [UInt8])
    /// Asks an advertiser for more data. 2.3.2.1.
    case scanReq(scanner: DeviceAddress, advertiser: DeviceAddress)
    /// The answer to a scan request. 2.3.2.2.
    case scanRsp(advertiser: DeviceAddress, data: [UInt8])
    /// Makes a connection. 2.3.3.1.
    case connectInd(ConnectIndication)
    /// A type of a later day, or of extended advertising.
    case unknown(AdvertisingHeader, payload: [UInt8])

    /// The most advertising or scan response data of one PDU, in bytes.
    public static let maximumDataLength = 31

    /// The PDU of a well-formed frame on an advertising channel; see `AirFrame.isWellFormed`.
    public init(frame: [UInt8]) throws(DecodeError) {
        var bytes = frame.span.bytes.extracting(AirFrame.pduRange(of: frame))
        try self.init(parsing: &bytes)
    }

    /// Takes header and payload; the payload must be exactly as long as the header says.
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let header = AdvertisingHeader(rawValue: try bytes.takeUInt16())
        let length = Int(header.length)
        guard bytes.byteCount >= length else { throw .truncated(needed: length, available: bytes.byteCount) }
        guard bytes.byteCount == length else { throw .trailingBytes(bytes.byteCount - length) }
        switch header.type {
        case .advInd:
            self = .advInd(
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                data: try Self.takeData(&bytes),
                supportsChannelSelection2: header.supportsChannelSelection2
            )
        case .advDirectInd:
            self = .advDirectInd(
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                target: try DeviceAddress(parsing: &bytes, kind: header.receiver),
                supportsChannelSelection2: header.supportsChannelSelection2
            )
        case .advNonconnInd:
            self = .advNonconnInd(
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                data: try Self.takeData(&bytes)
            )
        case .advScanInd:
            self = .advScanInd(
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                data: try Self.takeData(&bytes)
            )
        case .scanReq:
            self = .scanReq(
                scanner: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.receiver)
            )
        case .scanRsp:
            self = .scanRsp(
                advertiser: try DeviceAddress(parsing: &bytes, kind: header.transmitter),
                data: try Self.takeData(&bytes)
            )
        case .connectInd:
            self = .connectInd(try ConnectIndication(parsing: &bytes, header: header))
        default:
            self = .unknown(header, payload: bytes.takeRest())
        }
        try bytes.expectEnd()
    }

    /// Writes header and payload. Data longer than 31 bytes is our own mistake and traps.
    public func write(to out: inout [UInt8]) {
        out.appendUInt16(header.rawValue)
        switch self {
        case .advInd(let advertiser, let data, _), .advNonconnInd(let advertiser, let data),
            .advScanInd(let advertiser, let data), .scanRsp(let advertiser, let data):
            precondition(data.count <= Self.maximumDataLength, "a legacy PDU carries at most 31 bytes of data")
            advertiser.write(to: &out)
            out += data
        case .advDirectInd(let first, let second, _), .scanReq(let first, let second):
            first.write(to: &out)
            second.write(to: &out)
        case .connectInd(let indication):
            indication.write(to: &out)
        case .unknown(_, let payload):
            out += payload
        }
    }

    /// The header, its length field included.
    public var header: AdvertisingHeader {
        let length = UInt8(truncatingIfNeeded: payloadLength)
        switch self {
        case .advInd(let advertiser, _, let selection2):
            return AdvertisingHeader(
                .advInd,
                supportsChannelSelection2: selection2,
                transmitter: advertiser.kind,
                length: length
            )
        case .advDirectInd(let advertiser, let target, let selection2):
            return AdvertisingHeader(
                .advDirectInd,
                supportsChannelSelection2: selection2,
                transmitter: advertiser.kind,
                receiver: target.kind,
                length: length
            )
        case .advNonconnInd(let advertiser, _):
            return AdvertisingHeader(.advNonconnInd, transmitter: advertiser.kind, length: length)
        case .advScanInd(let advertiser, _):
            return AdvertisingHeader(.advScanInd, transmitter: advertiser.kind, length: length)
        case .scanReq(let scanner, let advertiser):
            return AdvertisingHeader(
                .scanReq,
                transmitter: scanner.kind,
                receiver: advertiser.kind,
                length: length
            )
        case .scanRsp(let advertiser, _):
            return AdvertisingHeader(.scanRsp, transmitter: advertiser.kind, length: length)
        case .connectInd(let indication):
            return AdvertisingHeader(
                .connectInd,
                supportsChannelSelection2: indication.supportsChannelSelection2,
                transmitter: indication.initiator.kind,
                receiver: indication.advertiser.kind,
                length: length
            )
        case .unknown(let header, _):
            return AdvertisingHeader(rawValue: header.rawValue & 0xFF | UInt16(length) << 8)
        }
    }

    /// Bytes of payload, without the header.
    public var payloadLength: Int {
        switch self {
        case .advInd(_, let data, _), .advNonconnInd(_, let data), .advScanInd(_, let data), .scanRsp(_, let data):
            6 + data.count
        case .advDirectInd, .scanReq: 12
        case .connectInd: ConnectIndication.payloadLength
        case .unknown(_, let payload): payload.count
        }
    }

    private static func takeData(_ bytes: inout RawSpan) throws(DecodeError) -> [UInt8] {
        guard bytes.byteCount <= maximumDataLength else { throw .invalidLength(bytes.byteCount) }
        return bytes.takeRest()
    }
}
