internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatVirtualTime

/// One end of a connection's LE signalling channel. Core 6.0, Vol 3, Part A, 4.
struct SignallingChannel {
    /// What a PDU from the peer asks of the host.
    enum Outcome: Equatable {
        case nothing
        /// A buffer to send on this channel.
        case reply([UInt8])
        /// The peer requests other connection parameters; to be answered with this identifier.
        case parameterRequest(identifier: UInt8, ParameterUpdateRequest)
        /// The answer to this end's own parameter update request.
        case answered(ParameterUpdateResult)
        /// The peer requests something of channels; answers have this identifier.
        case command(identifier: UInt8, SignallingPDU)
        /// The answer to a request of this end about channels.
        case response(SignallingRequest, SignallingPDU)
    }

    /// A request of this end that has not been answered, and whose `LinkTimer.signalling` is armed.
    private struct Pending {
        var identifier: UInt8
        var request: SignallingRequest
    }

    /// The longest signalling PDU that an LE host must take, and this one takes. Core 6.0, Vol 3, Part A, 4.
    static let maximumLength = 23
    /// Requests of this end that may wait for answers: fewer than there are identifiers.
    private static let mostPending = 128

    private var pending: [Pending] = []
    private var lastIdentifier: UInt8 = 0

    /// Whether a request for other parameters waits for its answer.
    var isAwaitingResponse: Bool { pending.contains { $0.request == .parameterUpdate } }

    /// Whether another request may be sent.
    var takesRequests: Bool { pending.count < Self.mostPending }

    /// A request to be sent now, whose answer is awaited.
    mutating func begin(
        _ request: SignallingRequest,
        _ pdu: SignallingPDU,
        at now: Instant,
        timers: inout Deadlines<LinkTimer>
    ) -> [UInt8] {
        let identifier = freeIdentifier()
        pending.append(Pending(identifier: identifier, request: request))
        timers.arm(.signalling(identifier: identifier), at: now + request.responseTimeout)
        return pdu.buffer(identifier: identifier)
    }

    /// A PDU to be sent now that has no answer.
    mutating func indicate(_ pdu: SignallingPDU) -> [UInt8] { pdu.buffer(identifier: freeIdentifier()) }

    /// Gives up a request whose answer is overdue; nil if there is none with this identifier.
    mutating func giveUp(identifier: UInt8) -> SignallingRequest? {
        guard let index = pending.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        return pending.remove(at: index).request
    }

    /// All requests that wait for answers, which the connection does not live to see; they are forgotten.
    mutating func takePending() -> [SignallingRequest] {
        defer { pending = [] }
        return pending.map(\.request)
    }

    /// Identifiers run from 1 to 255; 0 is none, and those of requests that wait for answers are not used again. Core
    /// 6.0, Vol 3, Part A, 4.
    private mutating func freeIdentifier() -> UInt8 {
        repeat {
            lastIdentifier = lastIdentifier == 255 ? 1 : lastIdentifier + 1
        } while pending.contains { $0.identifier == lastIdentifier }
        return lastIdentifier
    }

    /// Handles a PDU of the peer: exactly one command on LE. `role` is this host's.
    mutating func handlePDU(
        _ pdu: RawSpan,
        role: ConnectionRole,
        at now: Instant,
        timers: inout Deadlines<LinkTimer>
    ) -> Outcome {
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
        case .disconnectionRequest, .connectionRequest, .flowControlCredit, .enhancedConnectionRequest,
            .reconfigureRequest:
            return .command(identifier: header.identifier, command)
        case .parameterUpdateResponse, .commandReject, .disconnectionResponse, .connectionResponse,
            .enhancedConnectionResponse, .reconfigureResponse:
            return take(command, identifier: header.identifier, at: now, timers: &timers)
        case .unknown: return reject(header)
        }
    }

    /// The beginning of a PDU that was longer than this channel takes.
    func receiveBeginning(ofTooLong pdu: RawSpan) -> Outcome {
        var bytes = pdu
        guard let header = try? SignallingHeader(parsing: &bytes), header.identifier != 0 else { return .nothing }
        return Self.tooLong(header)
    }

    /// An answer; one without a request is dropped.
    private mutating func take(
        _ answer: SignallingPDU,
        identifier: UInt8,
        at now: Instant,
        timers: inout Deadlines<LinkTimer>
    ) -> Outcome {
        guard let index = pending.firstIndex(where: { $0.identifier == identifier }),
            pending[index].request.isAnswered(by: answer)
        else { return .nothing }
        let request = pending[index].request
        if case .enhancedConnectionResponse(let response) = answer, response.isPending {
            timers.arm(.signalling(identifier: identifier), at: now + SignallingRequest.extendedTimeout)
            return .nothing
        }
        pending.remove(at: index)
        timers.disarm(.signalling(identifier: identifier))
        guard request == .parameterUpdate else { return .response(request, answer) }
        return switch answer {
        case .parameterUpdateResponse(.accepted): .answered(.accepted)
        case .parameterUpdateResponse: .answered(.rejected)
        default: .answered(.notUnderstood)
        }
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
