import BluethroatAirPackets
import BluethroatBluetoothValues

/// The control procedure of ours that is under way. Core 6.0, Vol 6, Part B, 5.1.
enum LocalProcedure: Sendable {
    case featureExchange(FeatureExchange)
    case versionExchange(VersionExchange)
    case dataLengthUpdate(DataLengthUpdate)
    case connectionUpdate(ConnectionUpdate)
    case connectionParameterRequest(ConnectionParameterRequest)
    case channelMapUpdate(ChannelMapUpdate)
    case encryptionStart(EncryptionStart)
    case ping(Ping)
    case phyUpdate(PHYUpdate)
    case termination(Termination)

    var kind: ProcedureKind {
        switch self {
        case .featureExchange: .featureExchange
        case .versionExchange: .versionExchange
        case .dataLengthUpdate: .dataLengthUpdate
        case .connectionUpdate(let update): update.isForHost ? .connectionUpdate : .connectionUpdateForPeer
        case .connectionParameterRequest: .connectionParameterRequest
        case .channelMapUpdate: .channelMapUpdate
        case .encryptionStart: .encryptionStart
        case .ping: .ping
        case .phyUpdate: .phyUpdate
        case .termination: .termination
        }
    }

    /// Whether nothing is left to be done, so that another may begin.
    var isOver: Bool {
        switch self {
        case .featureExchange(let procedure): procedure.isOver
        case .versionExchange(let procedure): procedure.isOver
        case .dataLengthUpdate(let procedure): procedure.isOver
        case .connectionUpdate(let procedure): procedure.isOver
        case .connectionParameterRequest(let procedure): procedure.isOver
        case .channelMapUpdate(let procedure): procedure.isOver
        case .encryptionStart(let procedure): procedure.isOver
        case .ping(let procedure): procedure.isOver
        case .phyUpdate(let procedure): procedure.isOver
        // It ends with the link.
        case .termination: false
        }
    }

    /// Whether the peer's answer to one of our PDUs, that it does not know it or does not want it, ends this procedure.
    /// Without an opcode, as LL_REJECT_IND has none, the answer is for whatever is under way.
    func asked(with opcode: ControlOpcode?) -> Bool {
        let requests: [ControlOpcode] =
            switch self {
            case .featureExchange: [.featureReq, .peripheralFeatureReq]
            case .dataLengthUpdate: [.lengthReq]
            case .connectionParameterRequest: [.connectionParamReq]
            case .encryptionStart: [.encReq, .pauseEncReq]
            case .ping: [.pingReq]
            case .phyUpdate: [.phyReq]
            case .versionExchange, .connectionUpdate, .channelMapUpdate, .termination: []
            }
        return opcode.map(requests.contains) ?? !requests.isEmpty
    }
}

/// The control procedure of the peer's that is under way and waits for its host, ours or the peer itself.
enum RemoteProcedure: Sendable {
    case connectionParameterRequest(ConnectionParameterAnswer)
    case encryptionStart(EncryptionAnswer)
    /// We have said which PHYs we could use; LL_PHY_UPDATE_IND has to follow.
    case phyUpdate
    /// LL_TERMINATE_IND has come, and is acknowledged by the next frame.
    case termination(FailureCode)
}
