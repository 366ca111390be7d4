import BluetoothValues
import ByteCoding
import VirtualTime

/// The GATT server of a host: one database, offered to every client. Core 6.0, Vol 3, Parts F and G.
///
/// Each request is a function of the request, the database and the client's session. Where a value is the
/// application's, the request is put aside, and run again from its beginning when the answer has come.
struct GATTServer {
    var database = GATTDatabase()
    private var requestNumber: UInt32 = 0

    /// What one client may prepare: PDUs, and bytes in them.
    static let preparedLimit = 128
    static let preparedBytesLimit = 4_096

    init() {}

    /// Why a request is refused.
    struct Refusal: Error {
        var error: ATTError
        /// The attribute that is the trouble, or 0x0000.
        var handle: UInt16 = 0

        init(_ error: ATTError, _ handle: UInt16 = 0) {
            self.error = error
            self.handle = handle
        }
    }

    /// How a request goes on.
    enum Reply {
        /// With a response, headroom in front.
        case response([UInt8])
        /// The application has the value.
        case read(AttributeHandle, offset: Int)
        /// The application decides about some of the values; the database takes the others together with them.
        case write([AttributeWrite], WriteKind, kept: [ServerSession.KeptWrite])
    }

    /// A PDU that a client has sent: a request or a command.
    mutating func receive(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on bearer: inout ATTBearer,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        if opcode.isCommand { return receiveCommand(pdu, on: &bearer, into: &actions) }
        guard bearer.server.pending == nil else {
            // The client ought to have waited; a little patience costs nothing.
            if bearer.server.waiting.count < ServerSession.waitingLimit {
                var request = pdu
                bearer.server.waiting.append(request.takeRest())
            }
            return
        }
        receiveRequest(pdu, opcode, on: &bearer, at: now, into: &actions)
    }

    /// A PDU of which only the beginning is known, since it was longer than the bearer takes.
    func receiveTooLong(_ opcode: ATTOpcode, on bearer: inout ATTBearer, into actions: inout ATTActions) {
        guard !opcode.isCommand, bearer.server.pending == nil else { return }
        actions.send(Self.errorResponse(to: opcode, Refusal(.invalidPDU)), on: bearer.connection)
    }

    private mutating func receiveRequest(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on bearer: inout ATTBearer,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard pdu.byteCount <= bearer.mtu else { return receiveTooLong(opcode, on: &bearer, into: &actions) }
        bearer.server.mtu = bearer.mtu
        let request: ATTPDU
        do {
            request = try ATTPDU(parsing: pdu)
        } catch {
            return actions.send(Self.errorResponse(to: opcode, Refusal(.invalidPDU)), on: bearer.connection)
        }
        let wasAware = bearer.server.caching == .aware
        let refusal = checkCaching(request, on: &bearer.server)
        if !wasAware, bearer.server.caching == .aware { actions.changedClients.append(bearer.connection) }
        if let refusal {
            return actions.send(Self.errorResponse(to: opcode, refusal), on: bearer.connection)
        }
        let deadline = now + ATTBearer.transactionTimeout
        serve(request, opcode, answers: [], until: deadline, on: &bearer, into: &actions)
    }

    /// Runs a request as far as it goes.
    private mutating func serve(
        _ request: ATTPDU,
        _ opcode: ATTOpcode,
        answers: [ServerSession.ReadAnswer],
        until deadline: Instant,
        on bearer: inout ATTBearer,
        into actions: inout ATTActions
    ) {
        do {
            switch try reply(to: request, answers: answers, on: &bearer, into: &actions) {
            case .response(let packet):
                actions.send(packet, on: bearer.connection)
            case .read(let handle, let offset):
                let id = nextRequest(of: bearer.connection)
                bearer.server.pending = ServerSession.Pending(
                    request: request,
                    number: id.number,
                    awaited: handle,
                    answers: answers,
                    kept: [],
                    deadline: deadline
                )
                actions.events.append(.server(.readRequested(id, bearer.connection, handle, offset: offset)))
            case .write(let writes, let kind, let kept):
                let id = nextRequest(of: bearer.connection)
                bearer.server.pending = ServerSession.Pending(
                    request: request,
                    number: id.number,
                    awaited: writes[0].handle,
                    answers: [],
                    kept: kept,
                    deadline: deadline
                )
                actions.events.append(.server(.writeRequested(id, bearer.connection, writes, kind)))
            }
        } catch {
            actions.send(Self.errorResponse(to: opcode, error), on: bearer.connection)
        }
    }

    private mutating func reply(
        to request: ATTPDU,
        answers: [ServerSession.ReadAnswer],
        on bearer: inout ATTBearer,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        switch request {
        case .readRequest(let request): try read(request, answers: answers, on: bearer)
        case .readBlobRequest(let request): try readBlob(request, answers: answers, on: bearer)
        case .writeRequest(let request): try write(request, on: &bearer, into: &actions)
        case .exchangeMTURequest(let request): try exchangeMTU(request, on: &bearer, into: &actions)
        case .findInformationRequest(let request): try findInformation(request, on: bearer)
        case .findByTypeValueRequest(let request): try findByTypeValue(request, on: bearer)
        case .readByTypeRequest(let request): try readByType(request, answers: answers, on: bearer)
        case .readByGroupTypeRequest(let request): try readByGroupType(request, on: bearer)
        case .readMultipleRequest(let request):
            try readMultiple(request.handles, withLengths: false, answers: answers, on: bearer)
        case .readMultipleVariableRequest(let request):
            try readMultiple(request.handles, withLengths: true, answers: answers, on: bearer)
        case .prepareWriteRequest(let request): try prepareWrite(request, on: &bearer)
        case .executeWriteRequest(let request): try executeWrite(request, on: &bearer, into: &actions)
        default: throw Refusal(.requestNotSupported)
        }
    }

    /// The application's answer. One that comes too late for its request is dropped.
    mutating func respond(
        to number: UInt32,
        with answer: RequestAnswer,
        on bearer: inout ATTBearer,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard var pending = bearer.server.pending, pending.number == number else { return }
        let opcode = pending.request.opcode
        let isWrite = opcode == .writeRequest || opcode == .executeWriteRequest
        switch (answer, isWrite) {
        case (.value(var value), false):
            if value.count > 512 { value.removeLast(value.count - 512) }
            bearer.server.pending = nil
            pending.answers.append(ServerSession.ReadAnswer(handle: pending.awaited, result: .success(value)))
            proceed(pending, on: &bearer, into: &actions)
        case (.refused(let error, _), false):
            bearer.server.pending = nil
            pending.answers.append(ServerSession.ReadAnswer(handle: pending.awaited, result: .failure(error)))
            proceed(pending, on: &bearer, into: &actions)
        case (.written, true):
            bearer.server.pending = nil
            for write in pending.kept { keep(write, on: &bearer, into: &actions) }
            let isSingle = opcode == .writeRequest
            actions.send(Self.packet(isSingle ? .writeResponse : .executeWriteResponse), on: bearer.connection)
        case (.refused(let error, let culprit), true):
            bearer.server.pending = nil
            let refusal = Refusal(error, (culprit ?? pending.awaited).rawValue)
            actions.send(Self.errorResponse(to: opcode, refusal), on: bearer.connection)
        case (.written, false), (.value, true):
            preconditionFailure("a read is answered with a value, a write with written")
        }
        while bearer.server.pending == nil, !bearer.server.waiting.isEmpty {
            let next = bearer.server.waiting.removeFirst()
            receiveRequest(next.span.bytes, ATTOpcode(rawValue: next[0]), on: &bearer, at: now, into: &actions)
        }
    }

    /// Runs a request again, now that there is one answer more.
    private mutating func proceed(
        _ pending: ServerSession.Pending,
        on bearer: inout ATTBearer,
        into actions: inout ATTActions
    ) {
        serve(
            pending.request,
            pending.request.opcode,
            answers: pending.answers,
            until: pending.deadline,
            on: &bearer,
            into: &actions
        )
    }

    mutating func nextRequest(of connection: ConnectionID) -> RequestID {
        requestNumber &+= 1
        return RequestID(connection: connection, number: requestNumber)
    }

    private func exchangeMTU(
        _ request: ExchangeMTURequest,
        on bearer: inout ATTBearer,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        var packet = Self.packet(.exchangeMTUResponse)
        packet.appendUInt16(UInt16(bearer.maximumMTU))
        bearer.agreeMTU(with: request.clientReceiveMTU, into: &actions)
        bearer.client.hasExchangedMTU = true
        return .response(packet)
    }

    // MARK: Building

    /// A PDU's buffer with its opcode in it, and room for so many bytes behind.
    @inline(__always)
    static func packet(_ opcode: ATTOpcode, capacity: Int = 4) -> [UInt8] {
        var packet = OutgoingPDU.buffer(capacity: 1 + capacity)
        packet.append(opcode.rawValue)
        return packet
    }

    static func errorResponse(to opcode: ATTOpcode, _ refusal: Refusal) -> [UInt8] {
        var packet = packet(.errorResponse)
        ErrorResponse(request: opcode, handle: refusal.handle, error: refusal.error).write(to: &packet)
        return packet
    }
}

extension [UInt8] {
    /// Bytes of the PDU in this buffer so far.
    @inline(__always)
    var pduCount: Int { count - OutgoingPDU.headroom }
}
