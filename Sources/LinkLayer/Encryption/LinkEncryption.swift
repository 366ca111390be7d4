import AirPackets
import BluetoothCrypto
import VirtualTime

/// What a connection knows of its encryption: the ciphers of both directions, and how far the procedure is that starts
/// or changes them. Core 6.0, Vol 6, Part B, 5.1.3.
///
/// The directions change over one after the other. What we send is encrypted from the PDU on that is built next; what
/// comes is decrypted from the PDU on that acknowledges our own last plain one, or that follows the peer's last one.
struct LinkEncryption: ~Copyable, Sendable {
    /// Where the procedure is.
    enum Phase: Sendable {
        case idle

        // As central.
        /// LL_PAUSE_ENC_REQ is out.
        case awaitingPause(EncryptionOrder)
        /// LL_ENC_REQ is out.
        case awaitingResponse(EncryptionOrder, SessionShare)
        /// LL_ENC_RSP has come: both shares are known.
        case awaitingStart(LinkSession)
        /// LL_START_ENC_RSP is out; both directions are encrypted.
        case awaitingEnd

        // As peripheral.
        /// LL_PAUSE_ENC_RSP is out, encrypted.
        case pausing
        /// Both directions are in the clear; LL_ENC_REQ has to follow.
        case paused
        /// The host is being asked for the key.
        case awaitingKey(EncryptionRequest, SessionShare)
        /// LL_START_ENC_REQ is out.
        case awaitingStartResponse(LinkSession)
    }

    var phase = Phase.idle
    /// Whether the procedure under way changes the key of an encrypted link. Then nothing but its end, or the link's,
    /// lets data flow again.
    var isRefresh = false
    /// What encrypts PDUs to come; nil while they go out in the clear.
    var encryptor: LinkEncryptor?
    /// What decrypts PDUs to come; nil while they come in the clear.
    var decryptor: LinkDecryptor?
    /// The same in words that cost nothing to copy.
    private(set) var isEncrypting = false
    private(set) var isDecrypting = false
    /// When the central has kept a peripheral waiting too long.
    var deadline: Instant?
    var shares: SessionShares

    init(shares: SessionShares) { self.shares = shares }

    /// Whether both directions are encrypted.
    var isOn: Bool { isEncrypting && isDecrypting }
    var isIdle: Bool { if case .idle = phase { true } else { false } }
    /// Whether our host has been asked for a key.
    var awaitsKey: Bool { if case .awaitingKey = phase { true } else { false } }

    mutating func encrypt(by session: LinkSession, _ direction: LinkSession.Direction) {
        encryptor = LinkEncryptor(session, direction: direction)
        isEncrypting = true
    }

    mutating func decrypt(by session: LinkSession, _ direction: LinkSession.Direction) {
        decryptor = LinkDecryptor(session, direction: direction)
        isDecrypting = true
    }

    mutating func stopEncrypting() {
        encryptor = nil
        isEncrypting = false
    }

    mutating func stopDecrypting() {
        decryptor = nil
        isDecrypting = false
    }

    /// Whether the peer may send nothing with a payload but what the procedure is waiting for: from LL_ENC_REQ or
    /// LL_PAUSE_ENC_REQ on for a peripheral, from LL_ENC_RSP or LL_PAUSE_ENC_RSP on for a central.
    var isStrict: Bool {
        switch phase {
        case .idle, .awaitingPause: false
        case .awaitingResponse: isRefresh
        case .awaitingStart, .awaitingEnd, .pausing, .paused, .awaitingKey, .awaitingStartResponse: true
        }
    }

    /// Whether a control PDU has its place where the procedure is. What has not, ends the link with error 0x3D.
    /// 5.1.3.1, 5.1.3.2.
    func expects(_ opcode: ControlOpcode) -> Bool {
        guard opcode != .terminateInd else { return true }
        switch phase {
        case .idle, .awaitingPause: return true
        case .awaitingResponse: return !isRefresh || opcode == .encRsp
        case .awaitingStart:
            return opcode == .startEncReq || !isRefresh && (opcode == .rejectInd || opcode == .rejectExtInd)
        // Answers to what went out encrypted come encrypted, others do not.
        case .awaitingEnd, .awaitingStartResponse: return opcode == .startEncRsp && isDecrypting
        case .pausing: return opcode == .pauseEncRsp && !isDecrypting
        case .paused: return opcode == .encReq
        case .awaitingKey: return false
        }
    }
}

/// What LE Enable Encryption asks for.
struct EncryptionOrder: Hashable, Sendable {
    let random: UInt64
    let diversifier: UInt16
    let longTermKey: Block128
}

/// What one side gives to a session: SKD_C and IV_C, or SKD_P and IV_P.
struct SessionShare: Hashable, Sendable {
    let diversifier: UInt64
    let vector: UInt32
}

/// A connection's own shares, a new one for each session.
struct SessionShares: Sendable {
    /// The share of the session to come.
    var next: SessionShare
    private var random: CipherRandom

    init(from random: inout CipherRandom) {
        self.random = CipherRandom(key: random.block())
        next = Self.draw(&self.random)
    }

    mutating func take() -> SessionShare {
        defer { next = Self.draw(&random) }
        return next
    }

    private static func draw(_ random: inout CipherRandom) -> SessionShare {
        let block = random.block()
        return SessionShare(diversifier: block.high, vector: UInt32(truncatingIfNeeded: block.low))
    }
}

extension LinkSession {
    init(longTermKey: Block128, central: SessionShare, peripheral: SessionShare) {
        self.init(
            longTermKey: longTermKey,
            centralDiversifier: central.diversifier,
            peripheralDiversifier: peripheral.diversifier,
            centralVector: central.vector,
            peripheralVector: peripheral.vector
        )
    }
}
