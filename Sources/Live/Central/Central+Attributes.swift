public import BluethroatBluetoothValues
import BluethroatByteCoding
public import BluethroatEvents
public import BluethroatHost
import BluethroatVirtualTime

/// What a connected central can ask of the server. An ATT error is an answer where a caller may want it, and else a
/// failure of the command.
extension Central {
    /// All services and what is in them.
    public func discover() async throws(OperationFailure) -> RemoteDatabase {
        let result = try await run { host, connection, now, actions throws(OrderError) in
            try host.discoverAll(connection, at: now, into: &actions)
        }
        switch result {
        case .database(let database): return database
        case .failed(let error): throw failure(error, "list its attributes")
        default: throw unexpected
        }
    }

    /// Who is at the other end, for sentences.
    public var peer: String { connection.map { "\($0.peer)" } ?? "the device" }

    /// The attribute that a path means. A handle is used as it is.
    public func resolve(_ path: AttributePath) async throws(OperationFailure) -> ResolvedAttribute {
        if case .handle(let handle) = path { return ResolvedAttribute(handle: handle) }
        return try await discover().resolve(path)
    }

    /// All of a value, however long.
    public func read(_ handle: AttributeHandle) async throws(OperationFailure) -> ReadOutcome {
        let result = try await run { host, connection, now, actions throws(OrderError) in
            try host.read(connection, handle, at: now, into: &actions)
        }
        switch result {
        case .value(let bytes): return .value(bytes)
        case .failed(.refused(let error, _, _)): return .refused(error)
        case .failed(let error): throw failure(error, "read \(handle)")
        default: throw unexpected
        }
    }

    /// Writes a value and waits for the server's word that it has it.
    public func write(_ bytes: [UInt8], to handle: AttributeHandle) async throws(OperationFailure) {
        let result = try await run { host, connection, now, actions throws(OrderError) in
            try host.write(bytes, connection, handle, at: now, into: &actions)
        }
        if case .failed(let error) = result { throw failure(error, "write \(handle)") }
    }

    /// Sends a value that the server does not answer, and makes sure that it has arrived: the answer to any request
    /// behind it proves that.
    public func writeWithoutResponse(_ bytes: [UInt8], to handle: AttributeHandle) async throws(OperationFailure) {
        let connection = try connected
        let wasTaken = try await order { host, now, actions throws(OrderError) in
            try host.writeCommand(bytes, connection.id, handle, at: now, into: &actions)
        }
        guard wasTaken else { throw OperationFailure("\(connection.peer) takes no more data") }
        let result = try await run { host, connection, now, actions throws(OrderError) in
            // Most likely no declaration of this type; any answer will do.
            try host.readByUUID(connection, 0x2803, in: handle...handle, at: now, into: &actions)
        }
        switch result {
        case .failed(.refused), .values: break
        case .failed(let error): throw failure(error, "write \(handle)")
        default: throw unexpected
        }
    }

    /// Turns notifications, or else indications, of a characteristic on.
    public func subscribe(
        to characteristic: RemoteCharacteristic,
        indications: Bool
    ) async throws(OperationFailure) {
        let result = try await run { host, connection, now, actions throws(OrderError) in
            try host.subscribe(
                connection,
                to: characteristic,
                indications ? .indications : .notifications,
                at: now,
                into: &actions
            )
        }
        if case .failed(let error) = result {
            throw failure(error, "turn on \(indications ? "indications" : "notifications") of \(characteristic.uuid)")
        }
    }

    private var connected: ConnectionDescription {
        get throws(OperationFailure) {
            guard let connection else { throw OperationFailure("there is no connection") }
            return connection
        }
    }

    /// Has the GATT client do something and waits for what comes of it.
    private func run(
        _ begin: @escaping @Sendable (Host, ConnectionID, Instant, inout HostActions) throws(OrderError) -> ProcedureID
    ) async throws(OperationFailure) -> ProcedureResult {
        let connection = try connected.id
        let procedure = try await order { host, now, actions throws(OrderError) in
            try begin(host, connection, now, &actions)
        }
        return try await wait { event in
            switch event {
            // The reason why the link ended comes next, and says more.
            case .client(.procedureCompleted(procedure, _, .failed(.disconnected))): nil
            case .client(.procedureCompleted(procedure, _, let result)): result
            default: nil
            }
        }
    }

    private func failure(_ error: ProcedureError, _ deed: String) -> OperationFailure {
        switch error {
        case .refused(let error, _, _): return .refused(error, by: peer, deed)
        case .malformedResponse, .contradictoryResponse, .echoMismatch, .tooLong:
            return OperationFailure("\(peer) answers what makes no sense when asked to \(deed): \(error)")
        case .timedOut: return OperationFailure("\(peer) did not answer within 30 s when asked to \(deed)")
        case .disconnected: return OperationFailure("the connection to \(peer) is lost")
        }
    }

    private var unexpected: OperationFailure { OperationFailure("the host gave an answer to another question") }
}

extension OperationFailure {
    /// The peer said no, and why.
    package static func refused(_ error: ATTError, by peer: String, _ deed: String) -> Self {
        Self("\(peer) refused to \(deed): \(error.sentence)", attError: error.rawValue)
    }
}

extension ATTError {
    /// `read not permitted (0x02)`; codes without a name have their number in their description already.
    package var sentence: String {
        let text = description
        return text.contains("0x") ? text : "\(text) (0x\([rawValue].hex.uppercased()))"
    }
}
