/// The security part of a link: by which key it is encrypted, and what that says about the peer.
struct SecuredLink {
    /// Why the controller was given a key.
    enum Purpose: Equatable {
        /// A pairing has made it just now.
        case pairing
        /// It is the key of the bond, or of an earlier pairing on this connection.
        case known
    }

    /// A key that the controller has and has not said to be in use.
    struct Order {
        let key: LongTermKey
        let purpose: Purpose
        /// Whether the controller has taken the command. Before that it cannot have encrypted anything with the key.
        var isAccepted = false
    }

    /// How well the link is secured, as the bonds and the application see it; what servers and L2CAP go by.
    var level = LinkSecurity()

    /// The key by which the link is encrypted; nil if it is not, or if the key is unknown.
    @BoxedIfAny private(set) var key: LongTermKey?
    /// What the controller is working on.
    @BoxedIfAny private(set) var order: Order?
    /// Whether the link has been encrypted with a key of this host's: only such a link can change its key.
    private(set) var hasBeenEncrypted = false
    /// What the last pairing on this connection has made; good until the connection ends.
    @BoxedIfAny var lastKey: LongTermKey?
    /// Whether that made the bond, too.
    var lastKeyMadeBond = false
    /// Whether the link is encrypted with the key of the bond, or with the one that made it: the peer is then the one
    /// that the bond is with.
    var isProven = false
    /// Whether the peer has lost the key of the bond, so that another attempt would fail.
    var hasLostBond = false
    /// Whether the peer is bonded, and has to show that it has a key of the bond before a value of its server is taken.
    var hasToProve = false
    /// Whether the peripheral has asked for security, and the application has not said what becomes of that.
    var isAskedForSecurity = false
    /// Whether the peer, as a client, has been given back what it had set on earlier connections.
    var hasRestoredClient = false
    /// How this host pairs on this connection, if not as it usually does.
    @BoxedIfAny var settings: PairingSettings?

    /// Whether it is so by a key whose pairing was protected from a man in the middle. Who bonds by Just Works has proven
    /// nothing about a passkey.
    var isProvenWithAuthentication: Bool { isProven && key?.isAuthenticated == true }

    /// Whether what the peer's server says may come from another device with its address.
    var awaitsProof: Bool { hasToProve && key == nil }

    /// The controller was given a key.
    mutating func expect(_ key: LongTermKey, for purpose: Purpose) { order = Order(key: key, purpose: purpose) }

    /// The controller has taken the key.
    mutating func accepted() { order?.isAccepted = true }

    /// The controller says that the link is encrypted, or has changed its key; the order that is carried out by that.
    /// What was given no key, or has not taken it, goes on with the one it has, if any.
    mutating func encrypted() -> Order? {
        guard let carriedOut = order, carriedOut.isAccepted else { return nil }
        order = nil
        key = carriedOut.key
        hasBeenEncrypted = true
        return carriedOut
    }

    /// The controller says that the link is not encrypted; the order that has failed.
    mutating func notEncrypted() -> Order? {
        defer { order = nil }
        key = nil
        isProven = false
        return order
    }

    /// The controller has refused an order at once, and nothing has changed.
    mutating func refused() -> Order? {
        defer { order = nil }
        return order
    }
}
