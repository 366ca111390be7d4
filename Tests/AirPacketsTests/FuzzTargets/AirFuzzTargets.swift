import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import FuzzInputs

/// Decoders of what is on the air. What is understood is written as long as it was, and understood again as the same.
enum AirFuzzTargets {
    static let all = [advertising, control, frames, advertisingData]

    static let advertising = FuzzTarget(decoder: "air-advertising", upTo: 260) { bytes in
        var span = bytes.span.bytes
        guard let pdu = try? AdvertisingPDU(parsing: &span) else { return }
        var out: [UInt8] = []
        pdu.write(to: &out)
        var again = out.span.bytes
        let isSame = (try? AdvertisingPDU(parsing: &again)) == pdu
        hold(out.count == bytes.count && isSame, "\(bytes.hex) became \(pdu), written as \(out.hex)")
    }

    static let control = FuzzTarget(decoder: "air-control", upTo: 64) { bytes in
        var span = bytes.span.bytes
        guard let pdu = try? ControlPDU(parsing: &span) else { return }
        var out: [UInt8] = []
        pdu.write(to: &out)
        var again = out.span.bytes
        let isSame = (try? ControlPDU(parsing: &again)) == pdu
        hold(out.count == bytes.count && isSame, "\(bytes.hex) became \(pdu), written as \(out.hex)")
    }

    /// A renewed CRC is right, and a frame of which one bit was turned is not.
    static let frames = FuzzTarget(decoder: "air-frames", upTo: 270) { bytes in
        guard AirFrame.isWellFormed(bytes) else { return }
        var frame = bytes
        AirFrame.renewCRC(of: &frame, crcInit: .advertising)
        hold(AirFrame.hasValidCRC(frame, crcInit: .advertising), "a renewed CRC was wrong: \(frame.hex)")
        frame[frame.count - 4] ^= 0x10
        if AirFrame.isWellFormed(frame) {
            hold(!AirFrame.hasValidCRC(frame, crcInit: .advertising), "a wrong CRC was right: \(frame.hex)")
        }
    }

    static let advertisingData = FuzzTarget(decoder: "air-advertising-data", upTo: 260) { bytes in
        var span = bytes.span.bytes
        guard let data = try? AdvertisingData(parsing: &span) else { return }
        let out = data.bytes
        var again = out.span.bytes
        hold((try? AdvertisingData(parsing: &again)) == data, "\(bytes.hex) was written as \(out.hex)")
    }
}
