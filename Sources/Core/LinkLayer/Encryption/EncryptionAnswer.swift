import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues

/// How far the procedure is by which the central starts encryption, or pauses it for another key, as the peripheral
/// answers it. Core 6.0, Vol 6, Part B, 5.1.3.
struct EncryptionAnswer: Sendable {
    private enum State {
        /// LL_PAUSE_ENC_RSP is out, encrypted.
        case pausing
        /// Both directions are in the clear; LL_ENC_REQ has to follow.
        case paused
        /// The host is being asked for the key.
        case awaitingKey(EncryptionRequest, SessionShare)
        /// LL_START_ENC_REQ is out.
        case awaitingStartResponse(LinkSession)
    }

    /// Whether the procedure changes the key of an encrypted link. Then nothing but its end, or the link's, lets data
    /// flow again.
    let isRefresh: Bool
    private var state: State

    /// LL_ENC_REQ came on a link in the clear.
    init(_ request: EncryptionRequest, share: SessionShare) {
        isRefresh = false
        state = .awaitingKey(request, share)
    }

    private init(state: State) {
        isRefresh = true
        self.state = state
    }

    /// LL_PAUSE_ENC_REQ came.
    static let pausing = Self(state: .pausing)

    var isPausing: Bool { if case .pausing = state { true } else { false } }
    var isPaused: Bool { if case .paused = state { true } else { false } }
    /// Whether our host has been asked for a key.
    var awaitsKey: Bool { if case .awaitingKey = state { true } else { false } }
    /// The session that begins when LL_START_ENC_REQ is acknowledged.
    var session: LinkSession? { if case .awaitingStartResponse(let session) = state { session } else { nil } }

    /// The central's LL_PAUSE_ENC_RSP.
    mutating func pause() { state = .paused }

    /// LL_ENC_REQ came while encryption is paused.
    mutating func receive(_ request: EncryptionRequest, share: SessionShare) { state = .awaitingKey(request, share) }

    /// The host has the key; false where it was not asked.
    mutating func provide(longTermKey: Block128) -> Bool {
        guard case .awaitingKey(let request, let share) = state else { return false }
        let theirs = SessionShare(
            diversifier: request.sessionKeyDiversifier,
            vector: request.initializationVector
        )
        state = .awaitingStartResponse(
            LinkSession(longTermKey: longTermKey, central: theirs, peripheral: share)
        )
        return true
    }

    /// Whether a control PDU has its place where the procedure is. 5.1.3.1, 5.1.3.2.
    func expects(_ opcode: ControlOpcode, isDecrypting: Bool) -> Bool {
        switch state {
        // An answer to what went out encrypted comes encrypted, others do not.
        case .awaitingStartResponse: opcode == .startEncRsp && isDecrypting
        case .pausing: opcode == .pauseEncRsp && !isDecrypting
        case .paused: opcode == .encReq
        case .awaitingKey: false
        }
    }
}

extension Procedures {
    var encryptionAnswer: EncryptionAnswer? { if case .encryptionStart(let answer) = remote { answer } else { nil } }

    /// Whether our host has been asked for a key.
    var awaitsKey: Bool { encryptionAnswer?.awaitsKey ?? false }
}
