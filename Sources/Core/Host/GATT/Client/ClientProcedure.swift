import BluethroatBluetoothValues

/// One operation that a client requests: one request or many, and a result in the end.
///
/// `nextRequest` is asked at the beginning and after each response; nil says that the procedure is over.
protocol ClientStages {
    /// The next request, with headroom in front of it.
    mutating func nextRequest(mtu: Int) -> [UInt8]?
    /// The response to that request; its opcode is the right one.
    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError)
    /// That request was refused.
    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError)
    var result: ProcedureResult { get }
}

extension ClientStages {
    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) { throw ProcedureError(refusal) }
}

extension ProcedureError {
    init(_ refusal: ErrorResponse) {
        self = .refused(refusal.error, request: refusal.request, handle: refusal.handle)
    }
}

/// All kinds of procedures. Core 6.0, Vol 3, Part G, 4.
///
/// Those of many rounds stand in a block of their own: every link has room for a procedure.
enum ClientProcedure {
    case exchangeMTU(MTUExchange)
    indirect case services(ServiceDiscovery)
    indirect case includes(IncludeDiscovery)
    indirect case characteristics(CharacteristicDiscovery)
    indirect case descriptors(DescriptorDiscovery)
    indirect case everything(FullDiscovery)
    case read(ValueReading)
    indirect case readByUUID(ReadingByUUID)
    indirect case readMultiple(ReadingMultiple)
    case write(ValueWriting)
    indirect case writePrepared(PreparedWriting)
    /// Stands here while a procedure is being changed, so that its lists have one owner and are not copied.
    case taken
}

// One line a case: a change takes the stages out, changes them and puts them back.
extension ClientProcedure: ClientStages {
    private mutating func takeOut() -> Self {
        var whole = Self.taken
        swap(&whole, &self)
        return whole
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        switch takeOut() {
        case .exchangeMTU(var stages):
            defer { self = .exchangeMTU(stages) }
            return stages.nextRequest(mtu: mtu)
        case .services(var stages):
            defer { self = .services(stages) }
            return stages.nextRequest(mtu: mtu)
        case .includes(var stages):
            defer { self = .includes(stages) }
            return stages.nextRequest(mtu: mtu)
        case .characteristics(var stages):
            defer { self = .characteristics(stages) }
            return stages.nextRequest(mtu: mtu)
        case .descriptors(var stages):
            defer { self = .descriptors(stages) }
            return stages.nextRequest(mtu: mtu)
        case .everything(var stages):
            defer { self = .everything(stages) }
            return stages.nextRequest(mtu: mtu)
        case .read(var stages):
            defer { self = .read(stages) }
            return stages.nextRequest(mtu: mtu)
        case .readByUUID(var stages):
            defer { self = .readByUUID(stages) }
            return stages.nextRequest(mtu: mtu)
        case .readMultiple(var stages):
            defer { self = .readMultiple(stages) }
            return stages.nextRequest(mtu: mtu)
        case .write(var stages):
            if let parts = stages.inParts(mtu: mtu) {
                self = .writePrepared(parts)
                return nextRequest(mtu: mtu)
            }
            defer { self = .write(stages) }
            return stages.nextRequest(mtu: mtu)
        case .writePrepared(var stages):
            defer { self = .writePrepared(stages) }
            return stages.nextRequest(mtu: mtu)
        case .taken: return nil
        }
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch takeOut() {
        case .exchangeMTU(var stages):
            defer { self = .exchangeMTU(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .services(var stages):
            defer { self = .services(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .includes(var stages):
            defer { self = .includes(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .characteristics(var stages):
            defer { self = .characteristics(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .descriptors(var stages):
            defer { self = .descriptors(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .everything(var stages):
            defer { self = .everything(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .read(var stages):
            defer { self = .read(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .readByUUID(var stages):
            defer { self = .readByUUID(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .readMultiple(var stages):
            defer { self = .readMultiple(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .write(var stages):
            defer { self = .write(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .writePrepared(var stages):
            defer { self = .writePrepared(stages) }
            try stages.handleResponse(response, mtu: mtu)
        case .taken: break
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        switch takeOut() {
        case .exchangeMTU(var stages):
            defer { self = .exchangeMTU(stages) }
            try stages.handleError(refusal)
        case .services(var stages):
            defer { self = .services(stages) }
            try stages.handleError(refusal)
        case .includes(var stages):
            defer { self = .includes(stages) }
            try stages.handleError(refusal)
        case .characteristics(var stages):
            defer { self = .characteristics(stages) }
            try stages.handleError(refusal)
        case .descriptors(var stages):
            defer { self = .descriptors(stages) }
            try stages.handleError(refusal)
        case .everything(var stages):
            defer { self = .everything(stages) }
            try stages.handleError(refusal)
        case .read(var stages):
            defer { self = .read(stages) }
            try stages.handleError(refusal)
        case .readByUUID(var stages):
            defer { self = .readByUUID(stages) }
            try stages.handleError(refusal)
        case .readMultiple(var stages):
            defer { self = .readMultiple(stages) }
            try stages.handleError(refusal)
        case .write(var stages):
            defer { self = .write(stages) }
            try stages.handleError(refusal)
        case .writePrepared(var stages):
            defer { self = .writePrepared(stages) }
            try stages.handleError(refusal)
        case .taken: break
        }
    }

    var result: ProcedureResult {
        switch self {
        case .exchangeMTU(let stages): stages.result
        case .services(let stages): stages.result
        case .includes(let stages): stages.result
        case .characteristics(let stages): stages.result
        case .descriptors(let stages): stages.result
        case .everything(let stages): stages.result
        case .read(let stages): stages.result
        case .readByUUID(let stages): stages.result
        case .readMultiple(let stages): stages.result
        case .write(let stages): stages.result
        case .writePrepared(let stages): stages.result
        case .taken: .failed(.disconnected)
        }
    }
}
