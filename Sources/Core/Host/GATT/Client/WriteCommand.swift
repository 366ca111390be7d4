import BluethroatBluetoothValues
import BluethroatByteCoding

extension GATTClient {
    static func writeCommand(_ value: [UInt8], _ handle: AttributeHandle) -> [UInt8] {
        var packet = GATTServer.packet(.writeCommand, capacity: 2 + value.count)
        packet.appendUInt16(handle.rawValue)
        packet.append(contentsOf: value)
        return packet
    }
}

extension RemoteCharacteristic {
    /// Where descriptors may stand; nil if there is no room for any.
    var descriptorHandles: ClosedRange<AttributeHandle>? {
        guard let first = valueHandle.next, first <= endHandle else { return nil }
        return first...endHandle
    }
}
