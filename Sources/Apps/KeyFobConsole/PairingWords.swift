import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatKeyFob

extension KeyFobNotice.Pairing {
    /// `passkey entry, authenticated, legacy, key of 16 bytes, bonded`
    public var sentence: String {
        [
            method.sentence, isAuthenticated ? "authenticated" : "not authenticated",
            isSecureConnections ? "Secure Connections" : "legacy", "key of \(keySize) bytes",
            isBonded ? "bonded" : "not bonded",
        ].joined(separator: ", ")
    }
}

extension PairingMethod {
    /// The method in words.
    public var sentence: String {
        switch self {
        case .justWorks: "Just Works"
        case .numericComparison: "numeric comparison"
        case .passkeyEntry: "passkey entry"
        case .outOfBand: "out of band"
        }
    }

    /// The method for programs: `justWorks`, `numericComparison`, `passkeyEntry` or `outOfBand`.
    public var word: String {
        switch self {
        case .justWorks: "justWorks"
        case .numericComparison: "numericComparison"
        case .passkeyEntry: "passkeyEntry"
        case .outOfBand: "outOfBand"
        }
    }
}

extension PairingFailure {
    /// Why, in words.
    public var sentence: String {
        switch self {
        case .refused(let reason): "\(reason)"
        case .refusedByPeer(let reason): "the peer says that \(reason)"
        case .timedOut: "nothing was sent for 30 s"
        case .disconnected: "the connection ended"
        case .encryptionFailed(let error): "the link could not be encrypted: \(error)"
        }
    }

    /// The reason's number in Core 6.0, Vol 3, Part H, table 3.7, if one device sent it to the other.
    public var reason: UInt8? {
        switch self {
        case .refused(let reason), .refusedByPeer(let reason): reason.rawValue
        case .timedOut, .disconnected, .encryptionFailed: nil
        }
    }
}

extension JSONLine {
    /// What a pairing has come to: the keys of the `paired` event.
    public mutating func add(_ pairing: KeyFobNotice.Pairing) {
        if let identity = pairing.identity {
            add("identity", identity.description)
            add("identityType", identity.kind == .public ? "public" : "random")
        }
        add("method", pairing.method.word)
        add("authenticated", pairing.isAuthenticated)
        add("secureConnections", pairing.isSecureConnections)
        add("keySize", pairing.keySize)
        add("bonded", pairing.isBonded)
    }

    /// How a link is secured: the keys of the `encrypted` event.
    public mutating func add(_ security: LinkSecurity) {
        add("on", security.isEncrypted)
        guard security.isEncrypted else { return }
        add("authenticated", security.isAuthenticated)
        add("secureConnections", security.isSecureConnections)
        add("keySize", Int(security.keySize))
    }
}
