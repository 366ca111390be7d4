internal import BluethroatVirtualTime

/// A request of this end that waits for the peer's answer, and what it was about.
enum SignallingRequest: Equatable, Sendable {
    case parameterUpdate
    case connection(L2CAPChannelID)
    case enhancedConnection([L2CAPChannelID])
    case disconnection(L2CAPChannelID, ChannelEnds)
    case reconfiguration([L2CAPChannelID], mtu: Int, mps: Int)

    var opensChannels: Bool {
        switch self {
        case .connection, .enhancedConnection: true
        case .parameterUpdate, .disconnection, .reconfiguration: false
        }
    }

    /// Whether a PDU is the kind of answer that this waits for.
    func isAnswered(by pdu: SignallingPDU) -> Bool {
        switch (self, pdu) {
        case (_, .commandReject), (.parameterUpdate, .parameterUpdateResponse),
            (.connection, .connectionResponse), (.enhancedConnection, .enhancedConnectionResponse),
            (.reconfiguration, .reconfigureResponse):
            true
        // An answer that names other ends is none. Core 6.0, Vol 3, Part A, 4.7.
        case (.disconnection(_, let ends), .disconnectionResponse(let answer)): ends == answer
        default: false
        }
    }

    /// RTX: how long an answer may take, 1 to 60 s. Core 6.0, Vol 3, Part A, 6.2.1.
    var responseTimeout: TimeSpan {
        switch self {
        case .disconnection: .seconds(5)
        default: .seconds(30)
        }
    }

    /// ERTX: how long the final answer may take once the peer has said that it is still to come, 60 to 300 s.
    /// Core 6.0, Vol 3, Part A, 6.2.2.
    static let extendedTimeout = TimeSpan.seconds(120)
}
