import FuzzInputs

@testable import BluethroatHost

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
            case 0: random.damage(&bytes)
            case 1: bytes = [bytes[0]] + random.bytes(bytes.count - 1)
            default: break
            }
            return bytes
        }
    }
}
