internal import BluethroatBluetoothValues
internal import BluethroatByteCoding

/// A command of the LE signalling channel. Core 6.0, Vol 3, Part A, 4.
enum SignallingPDU: Equatable, Sendable {
    case commandReject(CommandReject)
    case parameterUpdateRequest(ParameterUpdateRequest)
    case parameterUpdateResponse(ParameterUpdateResponse)
    case disconnectionRequest(ChannelEnds)
    case disconnectionResponse(ChannelEnds)
    case connectionRequest(CreditBasedConnectionRequest)
    case connectionResponse(CreditBasedConnectionResponse)
    case flowControlCredit(FlowControlCredit)
    case enhancedConnectionRequest(EnhancedConnectionRequest)
    case enhancedConnectionResponse(EnhancedConnectionResponse)
    case reconfigureRequest(ReconfigureRequest)
    case reconfigureResponse(ReconfigureResponse)
    case unknown(code: UInt8, data: [UInt8])

    /// Takes the data behind the header; all of it must be used up.
    init(code: UInt8, parsing data: inout RawSpan) throws(DecodeError) {
        switch code {
        case CommandReject.code: self = .commandReject(try CommandReject(parsing: &data))
        case ParameterUpdateRequest.code: self = .parameterUpdateRequest(try ParameterUpdateRequest(parsing: &data))
        case ParameterUpdateResponse.code: self = .parameterUpdateResponse(try ParameterUpdateResponse(parsing: &data))
        case ChannelEnds.requestCode: self = .disconnectionRequest(try ChannelEnds(parsing: &data))
        case ChannelEnds.responseCode: self = .disconnectionResponse(try ChannelEnds(parsing: &data))
        case CreditBasedConnectionRequest.code:
            self = .connectionRequest(try CreditBasedConnectionRequest(parsing: &data))
        case CreditBasedConnectionResponse.code:
            self = .connectionResponse(try CreditBasedConnectionResponse(parsing: &data))
        case FlowControlCredit.code: self = .flowControlCredit(try FlowControlCredit(parsing: &data))
        case EnhancedConnectionRequest.code:
            self = .enhancedConnectionRequest(try EnhancedConnectionRequest(parsing: &data))
        case EnhancedConnectionResponse.code:
            self = .enhancedConnectionResponse(try EnhancedConnectionResponse(parsing: &data))
        case ReconfigureRequest.code: self = .reconfigureRequest(try ReconfigureRequest(parsing: &data))
        case ReconfigureResponse.code: self = .reconfigureResponse(try ReconfigureResponse(parsing: &data))
        default: self = .unknown(code: code, data: data.takeRest())
        }
        try data.expectEnd()
    }

    var code: UInt8 {
        switch self {
        case .commandReject: CommandReject.code
        case .parameterUpdateRequest: ParameterUpdateRequest.code
        case .parameterUpdateResponse: ParameterUpdateResponse.code
        case .disconnectionRequest: ChannelEnds.requestCode
        case .disconnectionResponse: ChannelEnds.responseCode
        case .connectionRequest: CreditBasedConnectionRequest.code
        case .connectionResponse: CreditBasedConnectionResponse.code
        case .flowControlCredit: FlowControlCredit.code
        case .enhancedConnectionRequest: EnhancedConnectionRequest.code
        case .enhancedConnectionResponse: EnhancedConnectionResponse.code
        case .reconfigureRequest: ReconfigureRequest.code
        case .reconfigureResponse: ReconfigureResponse.code
        case .unknown(let code, _): code
        }
    }

    /// Writes the header, with `identifier`, and the data.
    func write(identifier: UInt8, to out: inout [UInt8]) {
        out.append(code)
        out.append(identifier)
        let lengthOffset = out.count
        out.appendUInt16(0)
        switch self {
        case .commandReject(let reject): reject.write(to: &out)
        case .parameterUpdateRequest(let request): request.write(to: &out)
        case .parameterUpdateResponse(let response): response.write(to: &out)
        case .disconnectionRequest(let ends), .disconnectionResponse(let ends): ends.write(to: &out)
        case .connectionRequest(let request): request.write(to: &out)
        case .connectionResponse(let response): response.write(to: &out)
        case .flowControlCredit(let credit): credit.write(to: &out)
        case .enhancedConnectionRequest(let request): request.write(to: &out)
        case .enhancedConnectionResponse(let response): response.write(to: &out)
        case .reconfigureRequest(let request): request.write(to: &out)
        case .reconfigureResponse(let response): response.write(to: &out)
        case .unknown(_, let data): out.append(contentsOf: data)
        }
        let length = out.count - lengthOffset - 2
        out[lengthOffset] = UInt8(truncatingIfNeeded: length)
        out[lengthOffset + 1] = UInt8(truncatingIfNeeded: length >> 8)
    }

    /// The command in a buffer ready to be sent.
    func buffer(identifier: UInt8) -> [UInt8] {
        var out = OutgoingPDU.buffer(capacity: 24)
        write(identifier: identifier, to: &out)
        return out
    }
}

/// The four bytes in front of every signalling command. Core 6.0, Vol 3, Part A, 4.
struct SignallingHeader: Equatable, Sendable {
    var code: UInt8
    var identifier: UInt8
    /// Bytes of data that follow.
    var length: Int

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        code = try bytes.takeUInt8()
        identifier = try bytes.takeUInt8()
        length = Int(try bytes.takeUInt16())
    }
}

/// L2CAP_COMMAND_REJECT_RSP. Core 6.0, Vol 3, Part A, 4.1.
enum CommandReject: Equatable, Sendable {
    case notUnderstood
    /// The longest signalling PDU that is taken.
    case mtuExceeded(UInt16)
    /// The two ends of a channel that does not exist, the rejecting end's first.
    case invalidChannel(UInt16, UInt16)
    case unknown(reason: UInt16, data: [UInt8])

    static let code: UInt8 = 0x01

    init(parsing data: inout RawSpan) throws(DecodeError) {
        switch try data.takeUInt16() {
        case 0x0000: self = .notUnderstood
        case 0x0001: self = .mtuExceeded(try data.takeUInt16())
        case 0x0002: self = .invalidChannel(try data.takeUInt16(), try data.takeUInt16())
        case let reason: self = .unknown(reason: reason, data: data.takeRest())
        }
    }

    func write(to out: inout [UInt8]) {
        switch self {
        case .notUnderstood: out.appendUInt16(0x0000)
        case .mtuExceeded(let length):
            out.appendUInt16(0x0001)
            out.appendUInt16(length)
        case .invalidChannel(let local, let remote):
            out.appendUInt16(0x0002)
            out.appendUInt16(local)
            out.appendUInt16(remote)
        case .unknown(let reason, let data):
            out.appendUInt16(reason)
            out.append(contentsOf: data)
        }
    }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ. Core 6.0, Vol 3, Part A, 4.20. The numbers are as sent, allowed or not.
struct ParameterUpdateRequest: Equatable, Sendable {
    /// In steps of 1.25 ms.
    var minimumInterval: UInt16
    /// In steps of 1.25 ms.
    var maximumInterval: UInt16
    /// In connection events.
    var latency: UInt16
    /// In steps of 10 ms.
    var timeout: UInt16

    static let code: UInt8 = 0x12

    init(_ range: ConnectionParameterRange) {
        minimumInterval = range.minimumInterval.steps
        maximumInterval = range.maximumInterval.steps
        latency = range.latency.events
        timeout = range.supervisionTimeout.steps
    }

    init(parsing data: inout RawSpan) throws(DecodeError) {
        minimumInterval = try data.takeUInt16()
        maximumInterval = try data.takeUInt16()
        latency = try data.takeUInt16()
        timeout = try data.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(latency)
        out.appendUInt16(timeout)
    }

    /// The same as a preference that may be granted; nil where the specification forbids it.
    var range: ConnectionParameterRange? {
        ConnectionParameterRange(
            minimumSteps: minimumInterval,
            maximumSteps: maximumInterval,
            latencyEvents: latency,
            timeoutSteps: timeout
        )
    }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP. Core 6.0, Vol 3, Part A, 4.21.
struct ParameterUpdateResponse: Equatable, Sendable {
    /// 0 accepted; 1 rejected, as is any other number.
    var result: UInt16

    static let code: UInt8 = 0x13
    static let accepted = Self(result: 0)
    static let rejected = Self(result: 1)

    init(result: UInt16) { self.result = result }

    init(parsing data: inout RawSpan) throws(DecodeError) { result = try data.takeUInt16() }

    func write(to out: inout [UInt8]) { out.appendUInt16(result) }
}

extension CommandReject: FieldDescribed {
    static var fields: [Field<Self>] {
        [Field("Reason", \.reason), .bytes("Reason Data", .rest, \.reasonData)]
    }

    /// The number of the reason.
    private var reason: UInt16 {
        switch self {
        case .notUnderstood: 0x0000
        case .mtuExceeded: 0x0001
        case .invalidChannel: 0x0002
        case .unknown(let reason, _): reason
        }
    }

    /// What follows the reason.
    private var reasonData: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return Array(bytes.dropFirst(2))
    }
}

extension ParameterUpdateRequest: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("Interval Min", unit: .intervals, \.minimumInterval),
            Field("Interval Max", unit: .intervals, \.maximumInterval),
            Field("Latency", \.latency),
            Field("Timeout", unit: .centiseconds, \.timeout),
        ]
    }
}

extension ParameterUpdateResponse: FieldDescribed {
    static var fields: [Field<Self>] {
        [Field("Result", \.result)]
    }
}
