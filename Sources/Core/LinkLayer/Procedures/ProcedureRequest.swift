import BluethroatBluetoothValues

/// A control procedure of ours that was asked for.
enum ProcedureRequest: Hashable, Sendable {
    case featureExchange
    case versionExchange
    case dataLengthUpdate
    /// As central, with the range that the host asked for, or the peer.
    case connectionUpdate(ConnectionParameterRange, forHost: Bool)
    /// By asking the peer; for the host.
    case connectionParameterRequest(ConnectionParameterRange)
    case channelMapUpdate(ChannelMap)
    /// As central, for the host.
    case encryptionStart(EncryptionOrder)
    case ping
    case phyUpdate(PHYPreference)
    case termination(ControllerError)

    var kind: ProcedureKind {
        switch self {
        case .featureExchange: .featureExchange
        case .versionExchange: .versionExchange
        case .dataLengthUpdate: .dataLengthUpdate
        case .connectionUpdate(_, let isForHost): isForHost ? .connectionUpdate : .connectionUpdateForPeer
        case .connectionParameterRequest: .connectionParameterRequest
        case .channelMapUpdate: .channelMapUpdate
        case .encryptionStart: .encryptionStart
        case .ping: .ping
        case .phyUpdate: .phyUpdate
        case .termination: .termination
        }
    }
}

/// What a control procedure of ours is for. Of each kind one waits at most.
enum ProcedureKind: Hashable, Sendable, CaseIterable {
    case featureExchange
    case versionExchange
    case dataLengthUpdate
    /// For our host.
    case connectionUpdate
    /// As central, since the peer has asked for it.
    case connectionUpdateForPeer
    case connectionParameterRequest
    case channelMapUpdate
    case encryptionStart
    case ping
    case phyUpdate
    case termination

    /// Whether it ends at an instant, so that it cannot run together with another such. Core 6.0, Vol 6, Part B, 5.3.
    var hasInstant: Bool {
        switch self {
        case .connectionUpdate, .connectionUpdateForPeer, .connectionParameterRequest, .channelMapUpdate, .phyUpdate:
            true
        case .featureExchange, .versionExchange, .dataLengthUpdate, .encryptionStart, .ping, .termination: false
        }
    }

    /// Whether it changes what a procedure of another kind changes.
    func changes(like other: Self) -> Bool { self == other || isConnectionUpdate && other.isConnectionUpdate }

    private var isConnectionUpdate: Bool {
        switch self {
        case .connectionUpdate, .connectionUpdateForPeer, .connectionParameterRequest: true
        default: false
        }
    }
}
