import BluethroatBluetoothValues
import BluethroatByteCoding

/// Finds the services that others include. Core 6.0, Vol 3, Part G, 4.5.1.
///
/// A declaration has no room for a UUID of 128 bits: that is read from the included service itself.
struct IncludeDiscovery: ClientStages {
    private var scan: HandleScan
    private(set) var found: [RemoteInclude] = []
    /// The first include whose UUID is still to be read; all before it have theirs.
    private var unresolved = 0
    private var hasUUID: [Bool] = []

    init(_ range: ClosedRange<AttributeHandle>) { scan = HandleScan(range) }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        while unresolved < found.count, hasUUID[unresolved] { unresolved += 1 }
        if unresolved < found.count {
            var packet = GATTServer.packet(.readRequest)
            packet.appendUInt16(found[unresolved].service.lowerBound.rawValue)
            return packet
        }
        guard let start = scan.start else { return nil }
        return Self.readByType(.include, start, scan.end)
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch response {
        case .readByTypeResponse(let response):
            for entry in response.entries { try take(entry) }
        case .readResponse(let response):
            guard let uuid = BluetoothUUID(attBytes: response.value) else { throw .malformedResponse(.readResponse) }
            found[unresolved].uuid = uuid
            hasUUID[unresolved] = true
        default: break
        }
    }

    private mutating func take(_ entry: HandleValue) throws(ProcedureError) {
        let handle = try scan.take(entry.handle, in: .readByTypeResponse)
        var bytes = entry.value.span.bytes
        let first: UInt16
        let last: UInt16
        var uuid: BluetoothUUID?
        do {
            first = try bytes.takeUInt16()
            last = try bytes.takeUInt16()
            if bytes.byteCount > 0 { uuid = BluetoothUUID(try bytes.takeUInt16()) }
            try bytes.expectEnd()
        } catch {
            throw .malformedResponse(.readByTypeResponse)
        }
        guard let start = AttributeHandle(rawValue: first), let end = AttributeHandle(rawValue: last), start <= end
        else { throw .contradictoryResponse(.readByTypeResponse) }
        found.append(RemoteInclude(handle: handle, uuid: uuid ?? 0, service: start...end))
        hasUUID.append(uuid != nil)
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        guard refusal.request == .readByTypeRequest, refusal.error == .attributeNotFound else {
            throw ProcedureError(refusal)
        }
        scan.finish()
    }

    var result: ProcedureResult { .includes(found) }

    static func readByType(_ type: BluetoothUUID, _ start: AttributeHandle, _ end: AttributeHandle) -> [UInt8] {
        var packet = GATTServer.packet(.readByTypeRequest, capacity: 20)
        packet.appendUInt16(start.rawValue)
        packet.appendUInt16(end.rawValue)
        type.writeForATT(to: &packet)
        return packet
    }
}
