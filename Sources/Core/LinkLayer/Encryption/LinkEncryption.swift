import BluethroatAirPackets
import BluethroatBluetoothCrypto

/// The ciphers of a connection, one for each direction. Core 6.0, Vol 6, Part B, 5.1.3.
///
/// The directions change over one after the other. What we send is encrypted from the PDU on that is built next; what
/// comes is decrypted from the PDU on that acknowledges our own last plain one, or that follows the peer's last one.
struct LinkEncryption: ~Copyable, Sendable {
    /// What encrypts PDUs to come; nil while they go out in the clear.
    var encryptor: LinkEncryptor?
    /// What decrypts PDUs to come; nil while they come in the clear.
    var decryptor: LinkDecryptor?
    /// The same in words that cost nothing to copy.
    private(set) var isEncrypting = false
    private(set) var isDecrypting = false
    var shares: SessionShares

    init(shares: SessionShares) { self.shares = shares }

    /// Whether both directions are encrypted.
    var isOn: Bool { isEncrypting && isDecrypting }

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
