import BluetoothValues

extension Procedures.Local {
    /// What a procedure is for. Of each kind one waits at most.
    enum Kind: Hashable, Sendable, CaseIterable {
        case featureExchange
        case versionExchange
        case dataLengthUpdate
        /// For our host.
        case connectionUpdate
        /// As central, since the peer has asked for it.
        case connectionUpdateForPeer
        case connectionParameterRequest
        case channelMapUpdate
        case encryption
        case ping
        case phyUpdate
        case termination
    }

    /// Of which kind this procedure is.
    var kind: Kind {
        switch self {
        case .featureExchange: .featureExchange
        case .versionExchange: .versionExchange
        case .dataLengthUpdate: .dataLengthUpdate
        case .connectionUpdate(_, let isForHost): isForHost ? .connectionUpdate : .connectionUpdateForPeer
        case .connectionParameterRequest: .connectionParameterRequest
        case .channelMapUpdate: .channelMapUpdate
        case .encryption: .encryption
        case .ping: .ping
        case .phyUpdate: .phyUpdate
        case .termination: .termination
        }
    }
}

extension Procedures {
    /// How many procedures may wait: one of each kind that a role has, but for the termination, which waits for nothing.
    static func mostWaiting(as role: ConnectionRole) -> Int {
        switch role {
        // No request for parameters.
        case .central: Local.Kind.allCases.count - 2
        // Neither connection updates, nor a channel map, nor encryption.
        case .peripheral: Local.Kind.allCases.count - 5
        }
    }
}
