internal import BluethroatBluetoothValues

/// How well a link is to be secured: the levels of LE security mode 1. Core 6.0, Vol 3, Part C, 10.2.1.
public enum SecurityLevel: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// Level 1: not at all.
    case none = 1
    /// Level 2: encrypted, with a key of any pairing.
    case encrypted
    /// Level 3: encrypted, with a key from a pairing that was safe from a man in the middle.
    case authenticated
    /// Level 4: the same with LE Secure Connections and a key of 16 bytes.
    case secureConnections

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension LinkSecurity {
    /// The level that a link has reached.
    public var level: SecurityLevel {
        guard isEncrypted else { return .none }
        guard isAuthenticated else { return .encrypted }
        return isSecureConnections && keySize == 16 ? .secureConnections : .authenticated
    }
}

extension LongTermKey {
    /// The level that a link encrypted with this key has.
    public var level: SecurityLevel {
        guard isAuthenticated else { return .encrypted }
        return isSecureConnections && size == 16 ? .secureConnections : .authenticated
    }

    /// Whether this key is worse than another in anything that counts: length, protection from a man in the middle,
    /// Secure Connections.
    func isWeaker(than other: LongTermKey) -> Bool {
        size < other.size || other.isAuthenticated && !isAuthenticated
            || other.isSecureConnections && !isSecureConnections
    }
}

extension PairingSettings {
    /// These settings with demands that a pairing has to meet for a link to reach a level.
    func demanding(_ level: SecurityLevel) -> Self {
        var settings = self
        switch level {
        case .none, .encrypted: break
        case .authenticated: settings.protection = .required
        case .secureConnections: settings.enterSecureConnectionsOnlyMode()
        }
        return settings
    }

    /// Whether these settings allow a bond as good as an old one.
    func canMatch(_ key: LongTermKey) -> Bool {
        if key.isSecureConnections, secureConnections == .never { return false }
        return true
    }

    /// These settings with demands that keep a new bond from being weaker than an old one.
    func notWeaker(than key: LongTermKey) -> Self {
        var settings = self
        if key.isAuthenticated { settings.protection = .required }
        if key.isSecureConnections { settings.secureConnections = .only }
        settings.minimumKeySize = max(settings.minimumKeySize, key.size)
        settings.maximumKeySize = max(settings.maximumKeySize, settings.minimumKeySize)
        // A key that is public is weaker than any other.
        settings.privateKey = .fresh
        settings.acceptsDebugKey = false
        return settings
    }
}

extension Bond {
    /// The key for this host's role on a link.
    func key(as role: ConnectionRole) -> LongTermKey? { role == .central ? keyAsCentral : keyAsPeripheral }

    /// How good the bond is. Legacy pairing leaves one key for each role, equally good, or one for one of them.
    var strength: LongTermKey? { keyAsCentral ?? keyAsPeripheral }
}
