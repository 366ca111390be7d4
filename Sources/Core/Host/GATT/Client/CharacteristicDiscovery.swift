import BluethroatBluetoothValues
import BluethroatByteCoding

/// Finds characteristics: all, or those with one UUID. Core 6.0, Vol 3, Part G, 4.6.
struct CharacteristicDiscovery: ClientStages {
    private let uuid: BluetoothUUID?
    private let range: ClosedRange<AttributeHandle>
    private var scan: HandleScan
    private(set) var found: [RemoteCharacteristic] = []

    init(_ range: ClosedRange<AttributeHandle>, uuid: BluetoothUUID?) {
        self.range = range
        self.uuid = uuid
        scan = HandleScan(range)
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        guard let start = scan.start else { return nil }
        return IncludeDiscovery.readByType(.characteristic, start, scan.end)
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        guard case .readByTypeResponse(let response) = response else { return }
        for entry in response.entries { try take(entry) }
    }

    private mutating func take(_ entry: HandleValue) throws(ProcedureError) {
        let handle = try scan.take(entry.handle, in: .readByTypeResponse)
        var bytes = entry.value.span.bytes
        let properties: UInt8
        let value: UInt16
        let uuid: BluetoothUUID
        do {
            properties = try bytes.takeUInt8()
            value = try bytes.takeUInt16()
            uuid = try BluetoothUUID(parsingForATT: &bytes)
        } catch {
            throw .malformedResponse(.readByTypeResponse)
        }
        // A value stands behind its declaration and before the next one.
        guard let valueHandle = AttributeHandle(rawValue: value), valueHandle > handle,
            valueHandle <= range.upperBound, found.last.map({ handle > $0.valueHandle }) ?? true
        else { throw .contradictoryResponse(.readByTypeResponse) }
        if let last = found.indices.last, let before = AttributeHandle(rawValue: handle.rawValue - 1) {
            found[last].endHandle = before
        }
        found.append(
            RemoteCharacteristic(
                uuid: uuid,
                properties: CharacteristicProperties(rawValue: properties),
                handle: handle,
                valueHandle: valueHandle,
                endHandle: range.upperBound
            )
        )
        if valueHandle == range.upperBound { scan.finish() }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        guard refusal.error == .attributeNotFound else { throw ProcedureError(refusal) }
        scan.finish()
    }

    var result: ProcedureResult { .characteristics(found.filter { uuid == nil || $0.uuid == uuid }) }
}
