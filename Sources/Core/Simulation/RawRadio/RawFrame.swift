public import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding

/// Bytes for the air as they are, right or wrong: access address, header, payload and CRC, not whitened; the preamble is
/// implied. Core 6.0, Vol 6, Part B, 2.1.
///
/// Nothing is checked but that there is an access address, which receivers look for. A frame whose length byte does not
/// fit its bytes is, for every receiver, one with a wrong CRC.
public struct RawFrame: Hashable, Sendable {
    /// At least the four bytes of the access address.
    public private(set) var bytes: [UInt8]

    /// Takes any bytes; nil where there are fewer than four.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= AirFrame.headerOffset else { return nil }
        self.bytes = bytes
    }

    /// Puts an access address before, and a right CRC behind, the bytes of a PDU: header and payload. The length byte
    /// of the header stays as it is.
    public init(accessAddress: AccessAddress, pdu: [UInt8], crcInit: CRCInit) {
        bytes = []
        accessAddress.write(to: &bytes)
        bytes += pdu
        bytes.appendUInt24(CRC24.checksum(of: pdu.span.bytes, initial: crcInit))
    }

    /// A data PDU of at most 255 bytes of payload; the header's length is set.
    public init(accessAddress: AccessAddress, header: DataHeader, payload: [UInt8], crcInit: CRCInit) {
        bytes = AirFrame.make(
            accessAddress: accessAddress,
            header: header,
            payload: payload.span.bytes,
            crcInit: crcInit
        )
    }

    /// A PDU on a primary advertising channel.
    public init(advertising pdu: AdvertisingPDU) { bytes = AirFrame.make(advertising: pdu) }

    /// The same with the last bit of its last byte inverted: a wrong CRC.
    public var withWrongCRC: Self {
        var frame = self
        frame.bytes[frame.bytes.count - 1] ^= 0x80
        return frame
    }
}
