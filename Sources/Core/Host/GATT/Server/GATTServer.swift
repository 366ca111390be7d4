import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

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
    mutating func handlePDU(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        if opcode.isCommand { return receiveCommand(pdu, on: &link, into: &actions) }
        guard link.att.server.pending == nil else {
            // The client ought to have waited; a little patience costs nothing.
            if link.att.server.waiting.count < ServerSession.waitingLimit {
                var request = pdu
                link.att.server.waiting.append(request.takeRest())
            }
            return
        }
        receiveRequest(pdu, opcode, on: &link, at: now, into: &actions)
    }

    /// A PDU of which only the beginning is known, since it was longer than the bearer takes.
    func handleTooLongPDU(_ opcode: ATTOpcode, on link: inout HostLink, into actions: inout ATTActions) {
        guard !opcode.isCommand, link.att.server.pending == nil else { return }
        actions.send(Self.errorResponse(to: opcode, Refusal(.invalidPDU)))
    }

    private mutating func receiveRequest(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard pdu.byteCount <= link.att.mtu else { return handleTooLongPDU(opcode, on: &link, into: &actions) }
        link.att.server.mtu = link.att.mtu
        let request: ATTPDU
        do {
            request = try ATTPDU(parsing: pdu)
        } catch {
            return actions.send(Self.errorResponse(to: opcode, Refusal(.invalidPDU)))
        }
        let wasAware = link.att.server.caching == .aware
        let refusal = checkCaching(request, on: &link.att.server)
        if !wasAware, link.att.server.caching == .aware {
            actions.isClientChanged = true
            sendNextIndication(on: &link, at: now, into: &actions)
        }
        if let refusal {
            return actions.send(Self.errorResponse(to: opcode, refusal))
        }
        serve(request, opcode, answers: [], on: &link, at: now, into: &actions)
    }

    /// Runs a request as far as it goes.
    private mutating func serve(
        _ request: ATTPDU,
        _ opcode: ATTOpcode,
        answers: [ServerSession.ReadAnswer],
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        do {
            switch try reply(to: request, answers: answers, on: &link, into: &actions) {
            case .response(let packet):
                actions.send(packet)
            case .read(let handle, let offset):
                let id = awaitAnswer(on: &link, at: now)
                link.att.server.pending = ServerSession.Pending(
                    request: request,
                    number: id.number,
                    awaited: handle,
                    answers: answers,
                    kept: []
                )
                actions.events.append(.server(.readRequested(id, link.id, handle, offset: offset)))
            case .write(let writes, let kind, let kept):
                let id = awaitAnswer(on: &link, at: now)
                link.att.server.pending = ServerSession.Pending(
                    request: request,
                    number: id.number,
                    awaited: writes[0].handle,
                    answers: [],
                    kept: kept
                )
                actions.events.append(.server(.writeRequested(id, link.id, writes, kind)))
            }
        } catch {
            actions.send(Self.errorResponse(to: opcode, error))
        }
    }

    private mutating func reply(
        to request: ATTPDU,
        answers: [ServerSession.ReadAnswer],
        on link: inout HostLink,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        switch request {
        case .readRequest(let request): try read(request, answers: answers, on: link)
        case .readBlobRequest(let request): try readBlob(request, answers: answers, on: link)
        case .writeRequest(let request): try write(request, on: &link, into: &actions)
        case .exchangeMTURequest(let request): try exchangeMTU(request, on: &link, into: &actions)
        case .findInformationRequest(let request): try findInformation(request, on: link)
        case .findByTypeValueRequest(let request): try findByTypeValue(request, on: link)
        case .readByTypeRequest(let request): try readByType(request, answers: answers, on: link)
        case .readByGroupTypeRequest(let request): try readByGroupType(request, on: link)
        case .readMultipleRequest(let request):
            try readMultiple(request.handles, withLengths: false, answers: answers, on: link)
        case .readMultipleVariableRequest(let request):
            try readMultiple(request.handles, withLengths: true, answers: answers, on: link)
        case .prepareWriteRequest(let request): try prepareWrite(request, on: &link)
        case .executeWriteRequest(let request): try executeWrite(request, on: &link, into: &actions)
        default: throw Refusal(.requestNotSupported)
        }
    }

    /// The application's answer. One that comes too late for its request is dropped; one of the wrong kind is refused,
    /// and the request goes on waiting.
    mutating func respond(
        to number: UInt32,
        with answer: RequestAnswer,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) {
        guard var pending = link.att.server.pending, pending.number == number else { return }
        let opcode = pending.request.opcode
        let isWrite = opcode == .writeRequest || opcode == .executeWriteRequest
        switch (answer, isWrite) {
        case (.value(var value), false):
            if value.count > 512 { value.removeLast(value.count - 512) }
            link.att.server.pending = nil
            pending.answers.append(ServerSession.ReadAnswer(handle: pending.awaited, result: .success(value)))
            proceed(pending, on: &link, at: now, into: &actions)
        case (.refused(let error, _), false):
            link.att.server.pending = nil
            pending.answers.append(ServerSession.ReadAnswer(handle: pending.awaited, result: .failure(error)))
            proceed(pending, on: &link, at: now, into: &actions)
        case (.written, true):
            link.att.server.pending = nil
            if let stale = pending.staleHandle {
                actions.send(Self.errorResponse(to: opcode, Refusal(.databaseOutOfSync, stale)))
                break
            }
            for write in pending.kept { keep(write, on: &link, into: &actions) }
            let isSingle = opcode == .writeRequest
            actions.send(Self.packet(isSingle ? .writeResponse : .executeWriteResponse))
        case (.refused(let error, let culprit), true):
            link.att.server.pending = nil
            let refusal = Refusal(error, (culprit ?? pending.awaited).rawValue)
            actions.send(Self.errorResponse(to: opcode, refusal))
        case (.written, false), (.value, true): throw .wrongAnswer
        }
        if link.att.server.pending == nil { link.deadlines.disarm(.answer) }
        while link.att.server.pending == nil, !link.att.server.waiting.isEmpty {
            let next = link.att.server.waiting.removeFirst()
            receiveRequest(next.span.bytes, ATTOpcode(rawValue: next[0]), on: &link, at: now, into: &actions)
        }
    }

    /// Runs a request again, now that there is one answer more.
    private mutating func proceed(
        _ pending: ServerSession.Pending,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        serve(
            pending.request,
            pending.request.opcode,
            answers: pending.answers,
            on: &link,
            at: now,
            into: &actions
        )
    }

    /// A request waits for the application from now on, or goes on waiting: its client does not wait longer for several
    /// answers than for one.
    private mutating func awaitAnswer(on link: inout HostLink, at now: Instant) -> RequestID {
        if !link.deadlines.isArmed(.answer) { link.deadlines.arm(.answer, at: now + ATTBearer.transactionTimeout) }
        return nextRequest(of: link.id)
    }

    mutating func nextRequest(of connection: ConnectionID) -> RequestID {
        requestNumber &+= 1
        return RequestID(connection: connection, number: requestNumber)
    }

    private func exchangeMTU(
        _ request: ExchangeMTURequest,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        var packet = Self.packet(.exchangeMTUResponse)
        packet.appendUInt16(UInt16(link.att.maximumMTU))
        if let mtu = link.att.agreeMTU(with: request.clientReceiveMTU) {
            actions.events.append(.mtuChanged(link.id, mtu))
        }
        link.att.client.hasExchangedMTU = true
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
