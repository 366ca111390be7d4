import FuzzInputs

@testable import Host

/// What hostile peers send on the channel of the Security Manager.
enum FuzzedSMP {
    /// Bytes that are often nearly a PDU.
    static func pdu(_ random: inout FuzzInput) -> [UInt8] {
        switch random.next(below: 8) {
        case 0: return random.bytes(Int(random.next(below: 70)))
        case 1:
            return [UInt8(truncatingIfNeeded: random.next(below: 16))] + random.bytes(Int(random.next(below: 66)))
        default:
            var bytes = SMPExample.all[Int(random.next(below: UInt64(SMPExample.all.count)))].bytes
            switch random.next(below: 3) {
            case 0: damage(&bytes, &random)
            case 1: bytes = [bytes[0]] + random.bytes(bytes.count - 1)
            default: break
            }
            return bytes
        }
    }

    static func damage(_ bytes: inout [UInt8], _ random: inout FuzzInput) {
        for _ in 0...random.next(below: 3) {
            let place = Int(random.next(below: UInt64(bytes.count + 1)))
            switch random.next(below: 5) {
            case 0: bytes.removeLast(min(bytes.count, place))
            case 1: bytes.append(contentsOf: random.bytes(Int(random.next(below: 30))))
            case 2 where place < bytes.count: bytes.remove(at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.next(below: 8))
            default: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
    }
}
