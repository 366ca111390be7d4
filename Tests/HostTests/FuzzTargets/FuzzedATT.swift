import BluethroatBluetoothValues
import BluethroatByteCoding
import FuzzInputs

@testable import BluethroatHost

/// What hostile clients and servers send, and what applications ask for.
enum FuzzedATT {
    /// Bytes that are often nearly a PDU.
    static func pdu(_ random: inout FuzzInput) -> [UInt8] {
        switch random.next(below: 8) {
        case 0: return random.bytes(Int(random.next(below: 40)))
        case 1:
            return [ATTExample.all[Int(random.next(below: UInt64(ATTExample.all.count)))].bytes[0]]
                + random.bytes(Int(random.next(below: 30)))
        default:
            var bytes = ATTExample.all[Int(random.next(below: UInt64(ATTExample.all.count)))].bytes
            if random.next(below: 2) == 0 { random.damage(&bytes) }
            return bytes
        }
    }

    static func procedure(_ random: inout FuzzInput) -> ClientProcedure {
        let handle = AttributeHandle(rawValue: UInt16(1 + random.next(below: 0x70))) ?? .first
        let range = handle...AttributeHandle.last
        let value = random.bytes(Int(random.next(below: 60)))
        switch random.next(below: 12) {
        case 0: return .exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false))
        case 1: return .services(ServiceDiscovery(uuid: nil))
        case 2: return .services(ServiceDiscovery(uuid: 0xA000))
        case 3: return .includes(IncludeDiscovery(range))
        case 4: return .characteristics(CharacteristicDiscovery(range, uuid: nil))
        case 5: return .descriptors(DescriptorDiscovery([range]))
        case 6: return .everything(FullDiscovery())
        case 7: return .readByUUID(ReadingByUUID(0xB001, in: range))
        case 8:
            let handles = [handle, AttributeHandle(rawValue: 0x0012) ?? .first]
            return .readMultiple(ReadingMultiple(handles, withLengths: random.next(below: 2) == 0))
        case 9: return .write(ValueWriting(handle, value))
        case 10: return .writePrepared(PreparedWriting([AttributeWrite(handle: handle, value: value)]))
        default: return .read(ValueReading(handle))
        }
    }
}
