import BluetoothValues
import ByteCoding
import VirtualTime

extension ATTLayer {
    /// Begins a procedure of the client on a connection, or queues it there.
    mutating func begin(
        _ procedure: consuming ClientProcedure,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) -> ProcedureID {
        guard let index = index(of: connection) else { throw .noSuchConnection }
        guard !bearers[index].isClosed else { throw .attTimedOut }
        guard let id = client.begin(procedure, on: &bearers[index], at: now, into: &actions) else {
            throw .tooManyProcedures
        }
        return id
    }
}

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
