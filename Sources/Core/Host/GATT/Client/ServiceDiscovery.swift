import BluethroatBluetoothValues
import BluethroatByteCoding

/// Finds primary services: all, or those with one UUID. Core 6.0, Vol 3, Part G, 4.4.
struct ServiceDiscovery: ClientStages {
    private let uuid: BluetoothUUID?
    private var scan = HandleScan(HandleScan.everything)
    private(set) var found: [RemoteService] = []

    init(uuid: BluetoothUUID?) { self.uuid = uuid }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        guard let start = scan.start else { return nil }
        if let uuid {
            var packet = GATTServer.packet(.findByTypeValueRequest, capacity: 22)
            packet.appendUInt16(start.rawValue)
            packet.appendUInt16(scan.end.rawValue)
            BluetoothUUID.primaryService.writeForATT(to: &packet)
            uuid.writeForATT(to: &packet)
            return packet
        }
        var packet = GATTServer.packet(.readByGroupTypeRequest, capacity: 6)
        packet.appendUInt16(start.rawValue)
        packet.appendUInt16(scan.end.rawValue)
        BluetoothUUID.primaryService.writeForATT(to: &packet)
        return packet
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch response {
        case .findByTypeValueResponse(let response):
            guard let uuid else { return }
            for entry in response.entries {
                let range = try scan.take(entry.handle, through: entry.groupEnd, in: .findByTypeValueResponse)
                found.append(RemoteService(uuid: uuid, handles: range))
            }
        case .readByGroupTypeResponse(let response):
            for entry in response.entries {
                let range = try scan.take(entry.handle, through: entry.groupEnd, in: .readByGroupTypeResponse)
                guard let uuid = BluetoothUUID(attBytes: entry.value) else {
                    throw .malformedResponse(.readByGroupTypeResponse)
                }
                found.append(RemoteService(uuid: uuid, handles: range))
            }
        default: break
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        guard refusal.error == .attributeNotFound else { throw ProcedureError(refusal) }
        scan.finish()
    }

    var result: ProcedureResult { .services(found) }
}

extension BluetoothUUID {
    /// From 2 or 16 bytes, the widths that ATT carries.
    init?(attBytes bytes: [UInt8]) {
        var span = bytes.span.bytes
        guard let uuid = try? Self(parsingForATT: &span) else { return nil }
        self = uuid
    }
}
