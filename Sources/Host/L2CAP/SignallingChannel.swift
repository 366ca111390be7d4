internal import BluetoothValues
internal import ByteCoding
internal import VirtualTime

/// One end of a connection's LE signalling channel. Core 6.0, Vol 3, Part A, 4.
struct SignallingChannel {
    /// What a PDU from the peer asks of the host.
    enum Outcome: Equatable {
        case nothing
        /// A buffer to send on this channel.
        case reply([UInt8])
        /// The peer wants other connection parameters; to be answered with this identifier.
        case parameterRequest(identifier: UInt8, ParameterUpdateRequest)
        /// The answer to this end's own parameter update request.
        case answered(ParameterUpdateResult)
    }

    private enum State {
        case idle
        case awaitingParameterResponse(identifier: UInt8, deadline: Instant)
    }

    /// The longest signalling PDU that an LE host must take, and this one takes. Core 6.0, Vol 3, Part A, 4.
    static let maximumLength = 23
    /// RTX: how long an answer may take; a parameter update gives up at 30 s. Core 6.0, Vol 3, Part A, 4.20.
    static let responseTimeout = TimeSpan.seconds(30)

    private var state = State.idle
    private var lastIdentifier: UInt8 = 0

    /// Whether a request of this end waits for its answer.
    var isAwaitingResponse: Bool {
        if case .idle = state { false } else { true }
    }

    /// When the answer is overdue.
    var deadline: Instant? {
        if case .awaitingParameterResponse(_, let deadline) = state { deadline } else { nil }
    }

    /// The request for other connection parameters, to be sent now. Only one may wait for its answer.
    mutating func request(_ request: ParameterUpdateRequest, at now: Instant) -> [UInt8] {
        precondition(!isAwaitingResponse, "one signalling request at a time")
        // Identifiers run from 1 to 255; 0 is none.
        lastIdentifier = lastIdentifier == 255 ? 1 : lastIdentifier + 1
        state = .awaitingParameterResponse(identifier: lastIdentifier, deadline: now + Self.responseTimeout)
        return SignallingPDU.parameterUpdateRequest(request).buffer(identifier: lastIdentifier)
    }

    /// Gives up a request whose answer is overdue; true if there was one.
    mutating func expire(at now: Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        state = .idle
        return true
    }

    /// Takes in a PDU of the peer: exactly one command on LE. `role` is this host's.
    mutating func receive(_ pdu: RawSpan, role: ConnectionRole) -> Outcome {
        var bytes = pdu
        guard let header = try? SignallingHeader(parsing: &bytes), header.identifier != 0 else { return .nothing }
        guard pdu.byteCount <= Self.maximumLength else { return Self.tooLong(header) }
        // A length that lies, or data that do not fit the command.
        guard header.length == bytes.byteCount, let command = try? SignallingPDU(code: header.code, parsing: &bytes)
        else { return reject(header) }
        switch command {
        case .parameterUpdateRequest(let request):
            // Only the central changes parameters. Core 6.0, Vol 3, Part A, 4.20.
            return role == .central
                ? .parameterRequest(identifier: header.identifier, request) : reject(header)
        case .parameterUpdateResponse(let response):
            guard answers(header.identifier) else { return .nothing }
            state = .idle
            return .answered(response == .accepted ? .accepted : .rejected)
        case .commandReject:
            guard answers(header.identifier) else { return .nothing }
            state = .idle
            return .answered(.notUnderstood)
        case .unknown: return reject(header)
        }
    }

    /// The beginning of a PDU that was longer than this channel takes.
    func receiveBeginning(ofTooLong pdu: RawSpan) -> Outcome {
        var bytes = pdu
        guard let header = try? SignallingHeader(parsing: &bytes), header.identifier != 0 else { return .nothing }
        return Self.tooLong(header)
    }

    private func answers(_ identifier: UInt8) -> Bool {
        if case .awaitingParameterResponse(identifier, _) = state { true } else { false }
    }

    private static func tooLong(_ header: SignallingHeader) -> Outcome {
        guard !isResponse(header.code) else { return .nothing }
        let reject = CommandReject.mtuExceeded(UInt16(maximumLength))
        return .reply(SignallingPDU.commandReject(reject).buffer(identifier: header.identifier))
    }

    private func reject(_ header: SignallingHeader) -> Outcome {
        guard !Self.isResponse(header.code) else { return .nothing }
        return .reply(SignallingPDU.commandReject(.notUnderstood).buffer(identifier: header.identifier))
    }

    /// Responses are never answered, whatever is wrong with them, or two hosts could reject each other for ever.
    private static func isResponse(_ code: UInt8) -> Bool {
        switch code {
        // Command reject, and the responses of Core 6.0, Vol 3, Part A, table 4.2, of which LE knows some.
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A: true
        default: false
        }
    }
}
