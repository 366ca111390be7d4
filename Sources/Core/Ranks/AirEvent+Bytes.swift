import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// What ranks tell each other of their radios, as bytes.
extension AirEvent {
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .frame(let transmission, let place):
            bytes.appendUInt8(0)
            bytes.appendUInt32(transmission.radio.rawValue)
            bytes.appendUInt64(UInt64(bitPattern: transmission.start.nanoseconds))
            bytes.appendUInt64(UInt64(bitPattern: transmission.end.nanoseconds))
            for coordinate in [place.x, place.y, place.z] { bytes.appendUInt32(UInt32(bitPattern: coordinate)) }
            bytes.appendUInt8(transmission.channel.index)
            bytes.appendUInt8(transmission.phy.rawValue)
            bytes.appendInt8(transmission.power.dBm)
            bytes.appendUInt16(UInt16(transmission.frame.count))
            bytes += transmission.frame
        case .breakOff(let radio, let start, let now):
            bytes.appendUInt8(1)
            bytes.appendUInt32(radio.rawValue)
            bytes.appendUInt64(UInt64(bitPattern: start.nanoseconds))
            bytes.appendUInt64(UInt64(bitPattern: now.nanoseconds))
        }
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let kind = try bytes.takeUInt8()
        let radio = RadioID(rawValue: try bytes.takeUInt32())
        let first = Instant(nanoseconds: Int64(bitPattern: try bytes.takeUInt64()))
        let second = Instant(nanoseconds: Int64(bitPattern: try bytes.takeUInt64()))
        // A rank counts on from there; no world lasts for so long.
        guard first <= second, second <= Instant(nanoseconds: .max / 2) else {
            throw .invalidValue(field: "end of a frame", value: 0)
        }
        guard kind == 0 else {
            guard kind == 1 else { throw .invalidValue(field: "kind of event", value: Int(kind)) }
            self = .breakOff(radio, start: first, now: second)
            return
        }
        let place = Position(
            x: Int32(bitPattern: try bytes.takeUInt32()),
            y: Int32(bitPattern: try bytes.takeUInt32()),
            z: Int32(bitPattern: try bytes.takeUInt32())
        )
        let index = try bytes.takeUInt8(), number = try bytes.takeUInt8()
        guard let channel = ChannelIndex(index) else { throw .invalidValue(field: "channel", value: Int(index)) }
        guard let phy = PHY(rawValue: number) else { throw .invalidValue(field: "PHY", value: Int(number)) }
        let power = SignalStrength(dBm: try bytes.takeInt8())
        let frame = try bytes.takeBytes(Int(try bytes.takeUInt16()))
        // Access address, header and CRC.
        guard frame.count >= 9 else { throw .invalidLength(frame.count) }
        let syncWord = (0..<4).reduce(UInt32(0)) { $0 | UInt32(frame[$1]) << UInt32(8 * $1) }
        let transmission = Transmission(
            radio: radio,
            channel: channel,
            phy: phy,
            power: power,
            syncWord: syncWord,
            start: first,
            end: second,
            frame: frame
        )
        self = .frame(transmission, at: place)
    }
}
