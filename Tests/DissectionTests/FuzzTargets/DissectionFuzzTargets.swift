import BluethroatAirPackets
import BluethroatDissection
import BluethroatHCI
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatHost

/// Packets that strangers send, as captures and people are told of them: the fields lie one after the other and fill the
/// packet, each holds what its bits are, no text is more than one line that can be printed, and what our own decoders
/// understand is nowhere malformed.
enum DissectionFuzzTargets {
    static let all = [packets, frames, pdus]

    /// HCI packets. What a command has returned is described by the command, and not by the event.
    static let packets = FuzzTarget(decoder: "hci-dissections", upTo: 264) { bytes in
        let whole = Dissector.dissect(hci: bytes)
        check(whole, bytes)
        let isUnderstood =
            switch bytes.first.flatMap(PacketIndicator.init(rawValue:)) {
            case .command: (try? Command(parsing: bytes)) != nil
            case .event:
                switch try? Event(parsing: bytes) {
                case nil, .commandComplete: false
                default: true
                }
            default: false
            }
        hold(!isUnderstood || !whole.isMalformed, "\(bytes.hex) is understood, and shown as\n\(whole)")
    }

    /// Frames of the air. The first byte says whether their payload is encrypted.
    static let frames = FuzzTarget(decoder: "air-dissections", upTo: 266) { bytes in
        guard let first = bytes.first else { return }
        let frame = Array(bytes.dropFirst()), isEncrypted = first & 1 == 1
        let whole = Dissector.dissect(frame: frame, isEncrypted: isEncrypted)
        check(whole, frame)
        guard AirFrame.isWellFormed(frame) else { return }
        let isAdvertisement = AirFrame.accessAddress(of: frame) == .advertising
        let isUnderstood =
            isAdvertisement ? (try? AdvertisingPDU(frame: frame)) != nil : isEncrypted || isControl(frame)
        hold(!isUnderstood || !whole.isMalformed, "\(frame.hex) is understood, and shown as\n\(whole)")
    }

    /// What L2CAP carries: the first byte says whether it is an L2CAP PDU, an ATT PDU or an SMP PDU that follows.
    static let pdus = FuzzTarget(decoder: "l2cap-dissections", upTo: 265) { bytes in
        guard let first = bytes.first else { return }
        let pdu = Array(bytes.dropFirst())
        let whole: DissectedField, isUnderstood: Bool
        switch first % 3 {
        case 0: (whole, isUnderstood) = (Dissector.dissect(l2cap: pdu), false)
        case 1: (whole, isUnderstood) = (Dissector.dissect(att: pdu), (try? ATTPDU(parsing: pdu.span.bytes)) != nil)
        default: (whole, isUnderstood) = (Dissector.dissect(smp: pdu), (try? SMPPDU(parsing: pdu.span.bytes)) != nil)
        }
        check(whole, pdu)
        hold(!isUnderstood || !whole.isMalformed, "\(pdu.hex) is understood, and shown as\n\(whole)")
    }

    private static func isControl(_ frame: [UInt8]) -> Bool {
        let header = DataHeader(rawValue: UInt16(frame[4]) | UInt16(frame[5]) << 8)
        guard header.logicalLink == .control else { return false }
        let payload = Array(frame[AirFrame.payloadOffset...].dropLast(3))
        var span = payload.span.bytes
        return (try? ControlPDU(parsing: &span)) != nil
    }

    // MARK: What is promised of any packet

    private static func check(_ whole: DissectedField, _ bytes: [UInt8]) {
        hold(whole.octets == bytes.indices, "\(bytes.hex): the packet is in octets \(whole.octets)")
        var place = 0, count = 0
        check(whole, bytes, &place, &count)
        hold(place == 8 * bytes.count, "\(bytes.hex) ends at bit \(place)")
        // A field that has no bits, such as a group that is not there, stands beside one that has some.
        hold(count <= 16 * bytes.count + 64, "\(bytes.hex) has \(count) fields")
    }

    private static func check(_ field: DissectedField, _ bytes: [UInt8], _ place: inout Int, _ count: inout Int) {
        count += 1
        hold(field.bitCount >= 0 && field.octets.upperBound <= bytes.count, "\(field.name) is outside of \(bytes.hex)")
        hold(!field.name.isEmpty && field.name.firstUnshown == nil, "\(bytes.hex) has a field without a name")
        hold(field.text.firstUnshown == nil, "\(field.name) of \(bytes.hex) cannot be printed")
        hold(field.text.utf8.count <= 3 * field.octets.count + 200, "\(field.name) of \(bytes.hex): \(field.text)")
        guard field.children.isEmpty else {
            for child in field.children { check(child, bytes, &place, &count) }
            return
        }
        hold(field.bitOffset == place, "\(field.name) of \(bytes.hex) begins at bit \(field.bitOffset), not \(place)")
        place = field.bitOffset + field.bitCount
        hold(holdsItsBits(field, bytes), "\(field.name) of \(bytes.hex) is \(field.text)")
    }

    /// Whether the value is what stands there, read in another way than the dissector does.
    private static func holdsItsBits(_ field: DissectedField, _ bytes: [UInt8]) -> Bool {
        switch field.value {
        case .bytes(let value):
            // Of a field with padding only the first bytes count.
            field.bitOffset % 8 == 0 && Array(bytes[field.octets].prefix(value.count)) == value
        case .unsigned(let value): value == bits(of: field, bytes)
        case .signed(let value):
            field.bitCount > 0
                && value == Int64(bitPattern: bits(of: field, bytes) << UInt64(64 - field.bitCount))
                    >> Int64(64 - field.bitCount)
        case .groups, nil: true
        }
    }

    private static func bits(of field: DissectedField, _ bytes: [UInt8]) -> UInt64 {
        // A field of 64 bits may lie in nine octets.
        let octets = bytes[field.octets].reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let mask = UInt128(1) << UInt128(field.bitCount) - 1
        return UInt64(octets >> UInt128(field.bitOffset % 8) & mask)
    }
}

extension DissectedField {
    /// Whether something in it breaks off, or is left over.
    fileprivate var isMalformed: Bool { name == "Malformed" || children.contains(where: \.isMalformed) }
}
