import BluethroatBluetoothValues
import BluethroatByteCoding

/// Reads a value, with as many requests as its length needs. Core 6.0, Vol 3, Part G, 4.8.1 and 4.8.3.
struct ValueReading: ClientStages {
    private let handle: AttributeHandle
    private var value: [UInt8] = []
    private var isBegun = false
    private var isComplete = false

    init(_ handle: AttributeHandle) { self.handle = handle }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        if isComplete { return nil }
        var packet = GATTServer.packet(isBegun ? .readBlobRequest : .readRequest)
        packet.appendUInt16(handle.rawValue)
        if isBegun { packet.appendUInt16(UInt16(value.count)) }
        return packet
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch response {
        case .readResponse(let response):
            value = response.value
            isBegun = true
            isComplete = value.count < mtu - 1 || value.count == 512
        case .readBlobResponse(let response):
            value.append(contentsOf: response.part)
            isComplete = response.part.count < mtu - 1 || value.count == 512
        default: break
        }
        // No attribute is longer, whatever a server goes on sending. Core 6.0, Vol 3, Part F, 3.2.9.
        guard value.count <= 512 else { throw .tooLong }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        // The value ended exactly where a response did, and the server refuses an offset there, or any.
        let isEnd = refusal.error == .invalidOffset || refusal.error == .attributeNotLong
        guard isBegun, isEnd else { throw ProcedureError(refusal) }
        isComplete = true
    }

    var result: ProcedureResult { .value(value) }
}

/// Reads all values of one type in a range. Core 6.0, Vol 3, Part G, 4.8.2.
struct ReadingByUUID: ClientStages {
    private let uuid: BluetoothUUID
    private var scan: HandleScan
    private var found: [HandleValue] = []

    init(_ uuid: BluetoothUUID, in range: ClosedRange<AttributeHandle>) {
        self.uuid = uuid
        scan = HandleScan(range)
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        scan.start.map { IncludeDiscovery.readByType(uuid, $0, scan.end) }
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        guard case .readByTypeResponse(let response) = response else { return }
        for entry in response.entries {
            _ = try scan.take(entry.handle, in: .readByTypeResponse)
            found.append(entry)
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        // What was read stands, even if the next value may not be read.
        guard !found.isEmpty else { throw ProcedureError(refusal) }
        scan.finish()
    }

    var result: ProcedureResult { .values(found) }
}

/// Reads several values with one request. Core 6.0, Vol 3, Part G, 4.8.4 and 4.8.5.
struct ReadingMultiple: ClientStages {
    private let handles: [AttributeHandle]
    /// Each value comes with its length; otherwise they come run together.
    private let withLengths: Bool
    private var isDone = false
    private var joined: [UInt8] = []
    private var values: [HandleValue] = []

    init(_ handles: [AttributeHandle], withLengths: Bool) {
        self.handles = handles
        self.withLengths = withLengths
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        guard !isDone else { return nil }
        let opcode: ATTOpcode = withLengths ? .readMultipleVariableRequest : .readMultipleRequest
        var packet = GATTServer.packet(opcode, capacity: 2 * handles.count)
        for handle in handles { packet.appendUInt16(handle.rawValue) }
        return packet
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        isDone = true
        switch response {
        case .readMultipleResponse(let response): joined = response.values
        case .readMultipleVariableResponse(let response):
            guard response.entries.count <= handles.count else {
                throw .contradictoryResponse(.readMultipleVariableResponse)
            }
            for (handle, entry) in zip(handles, response.entries) {
                values.append(HandleValue(handle: handle.rawValue, value: entry.value))
            }
        default: break
        }
    }

    var result: ProcedureResult { withLengths ? .values(values) : .value(joined) }
}
