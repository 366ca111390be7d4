import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues

/// How far the procedure is that starts encryption, or pauses it for another key, as the central begins it.
/// Core 6.0, Vol 6, Part B, 5.1.3.
struct EncryptionStart: Sendable {
    private enum State {
        /// Nothing is out yet, or LL_PAUSE_ENC_REQ.
        case awaitingPause
        /// LL_ENC_REQ is out.
        case awaitingResponse(SessionShare)
        /// LL_ENC_RSP has come: both shares are known.
        case awaitingStart(LinkSession)
        /// LL_START_ENC_RSP is out; both directions are encrypted.
        case awaitingEnd
        case over
    }

    /// Whether the procedure changes the key of an encrypted link. Then nothing but its end, or the link's, lets data
    /// flow again.
    let isRefresh: Bool
    private let order: EncryptionOrder
    private var state = State.awaitingPause

    init(_ order: EncryptionOrder, isRefresh: Bool) {
        self.order = order
        self.isRefresh = isRefresh
    }

    var isOver: Bool { if case .over = state { true } else { false } }
    var awaitsPause: Bool { if case .awaitingPause = state { true } else { false } }

    /// The link is in the clear: LL_ENC_REQ goes out.
    mutating func request(_ share: SessionShare) -> ControlPDU {
        state = .awaitingResponse(share)
        return .encReq(
            EncryptionRequest(
                rand: order.random,
                ediv: order.diversifier,
                sessionKeyDiversifier: share.diversifier,
                initializationVector: share.vector
            )
        )
    }

    /// LL_ENC_RSP: the session is known, and begins when the peripheral's host has given its key.
    mutating func receive(_ response: EncryptionResponse) {
        guard case .awaitingResponse(let share) = state else { return }
        let theirs = SessionShare(
            diversifier: response.sessionKeyDiversifier,
            vector: response.initializationVector
        )
        state = .awaitingStart(LinkSession(longTermKey: order.longTermKey, central: share, peripheral: theirs))
    }

    /// LL_START_ENC_REQ: the session begins; nil where that has no place.
    mutating func start() -> LinkSession? {
        guard case .awaitingStart(let session) = state else { return nil }
        state = .awaitingEnd
        return session
    }

    /// LL_START_ENC_RSP: the link is encrypted; false where that has no place.
    mutating func complete() -> Bool {
        guard case .awaitingEnd = state else { return false }
        state = .over
        return true
    }

    /// The peer refuses.
    mutating func fail() { state = .over }

    /// Whether the peer may send nothing with a payload but what the procedure is waiting for: from LL_ENC_RSP or
    /// LL_PAUSE_ENC_RSP on.
    var isStrict: Bool {
        switch state {
        case .awaitingPause, .over: false
        case .awaitingResponse: isRefresh
        case .awaitingStart, .awaitingEnd: true
        }
    }

    /// Whether a control PDU has its place where the procedure is. 5.1.3.1, 5.1.3.2.
    func expects(_ opcode: ControlOpcode, isDecrypting: Bool) -> Bool {
        switch state {
        case .awaitingPause, .over: true
        case .awaitingResponse: !isRefresh || opcode == .encRsp
        case .awaitingStart:
            opcode == .startEncReq || !isRefresh && (opcode == .rejectInd || opcode == .rejectExtInd)
        // An answer to what went out encrypted comes encrypted.
        case .awaitingEnd: opcode == .startEncRsp && isDecrypting
        }
    }
}

extension Procedures {
    var encryptionStart: EncryptionStart? {
        get { if case .encryptionStart(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.encryptionStart(newValue)) } }
    }

    /// Whether the host may ask for encryption: while it is being started, for another key after that, which hosts do that
    /// have a new key before the start with the one before is over. No more than one order waits.
    var mayOrderEncryption: Bool { !isTerminating && !waiting.contains { $0.kind == .encryptionStart } }

    /// As peripheral: whether encryption is being started, or paused, by the central.
    var isAnsweringEncryption: Bool { if case .encryptionStart = remote { true } else { false } }

    /// Ours; it counts on while the link is terminated.
    private var ownEncryption: EncryptionStart? {
        switch local {
        case .encryptionStart(let start): start
        case .termination(let termination): termination.encryption
        default: nil
        }
    }

    /// Whether the peer may send nothing with a payload but what an encryption procedure is waiting for. Other data and
    /// control PDUs end the link with error 0x3D. 5.1.3.1.
    var isStrict: Bool { isAnsweringEncryption || ownEncryption?.isStrict == true }

    /// Whether a control PDU has its place where an encryption procedure is, if there is one.
    func expects(_ opcode: ControlOpcode, isDecrypting: Bool) -> Bool {
        guard opcode != .terminateInd else { return true }
        if case .encryptionStart(let answer) = remote { return answer.expects(opcode, isDecrypting: isDecrypting) }
        return ownEncryption?.expects(opcode, isDecrypting: isDecrypting) ?? true
    }
}
