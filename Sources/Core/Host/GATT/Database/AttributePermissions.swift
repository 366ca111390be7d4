/// The conditions for reading and for writing an attribute. Core 6.0, Vol 3, Part F, 3.2.5.
public struct AttributePermissions: Hashable, Sendable {
    public var read: AttributeAccess
    public var write: AttributeAccess

    public init(read: AttributeAccess = .denied, write: AttributeAccess = .denied) {
        self.read = read
        self.write = write
    }

    /// Every client may read, none may write.
    public static let readOnly = Self(read: .open)
    /// Every client may write, none may read.
    public static let writeOnly = Self(write: .open)
    public static let readWrite = Self(read: .open, write: .open)
    /// For values that are only notified or indicated.
    public static let none = Self()
}

/// What a link must be like before an attribute may be read, or written, over it.
public struct AttributeAccess: Hashable, Sendable {
    /// How the link must be secured. Core 6.0, Vol 3, Part C, 10.2.
    public enum Security: UInt8, Hashable, Comparable, Sendable {
        case none
        /// Encrypted with any key.
        case encrypted
        /// Encrypted with a key from a pairing that was safe from a man in the middle.
        case authenticated
        /// Encrypted with a key of 16 bytes from such a pairing with LE Secure Connections.
        case secureConnections

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var isAllowed: Bool
    public var security: Security
    /// Whether the application must have authorized the peer besides.
    public var needsAuthorization: Bool
    /// The shortest encryption key that will do, 7 to 16 bytes; of no meaning without encryption.
    public var minimumKeySize: UInt8

    public init(
        isAllowed: Bool = true,
        security: Security = .none,
        needsAuthorization: Bool = false,
        minimumKeySize: UInt8 = 7
    ) {
        self.isAllowed = isAllowed
        self.security = security
        self.needsAuthorization = needsAuthorization
        self.minimumKeySize = minimumKeySize
    }

    public static let denied = Self(isAllowed: false)
    public static let open = Self()
    public static let encrypted = Self(security: .encrypted)
    public static let authenticated = Self(security: .authenticated)
    public static let secureConnections = Self(security: .secureConnections, minimumKeySize: 16)
    public static let authorized = Self(needsAuthorization: true)
}

/// How well a link is secured at the moment.
public struct LinkSecurity: Hashable, Sendable {
    public var isEncrypted = false
    /// The key comes from a pairing that was safe from a man in the middle.
    public var isAuthenticated = false
    /// The key was made by LE Secure Connections.
    public var isSecureConnections = false
    /// In bytes.
    public var keySize: UInt8 = 0
    /// There is a key for this peer, whether it is in use or not.
    public var hasKey = false
    /// The link is encrypted with a key that is worse than that of the bond with this peer. What needs encryption is
    /// treated as if it was not encrypted.
    public var isWeakerThanBond = false
    /// The application trusts this peer.
    public var isAuthorized = false

    public init() {}
}

extension AttributeAccess {
    /// Whether every link will do.
    @inline(__always)
    var isOpen: Bool { isAllowed && security == .none && !needsAuthorization }

    /// What is good enough for both.
    func joined(with other: Self) -> Self {
        Self(
            isAllowed: isAllowed && other.isAllowed,
            security: max(security, other.security),
            needsAuthorization: needsAuthorization || other.needsAuthorization,
            minimumKeySize: max(minimumKeySize, other.minimumKeySize)
        )
    }

    /// Why a link is not good enough; nil if it is. `refusal` is the error where access is never allowed.
    /// Core 6.0, Vol 3, Part C, 10.3.1.
    func error(on link: LinkSecurity, refusal: ATTError) -> ATTError? {
        guard isAllowed else { return refusal }
        if security > .none {
            guard link.isEncrypted, !link.isWeakerThanBond else {
                return link.hasKey ? .insufficientEncryption : .insufficientAuthentication
            }
            guard security < .authenticated || link.isAuthenticated,
                security < .secureConnections || link.isSecureConnections
            else { return .insufficientAuthentication }
            guard link.keySize >= minimumKeySize else { return .encryptionKeySizeTooShort }
        }
        return needsAuthorization && !link.isAuthorized ? .insufficientAuthorization : nil
    }
}
