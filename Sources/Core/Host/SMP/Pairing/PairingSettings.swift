public import BluethroatBluetoothCrypto

/// How this device pairs: what it can show and take, what it demands, what it gives away.
public struct PairingSettings: Equatable, Sendable {
    /// Whether protection from a man in the middle is asked for, and what happens without it.
    public enum Protection: Hashable, Sendable {
        /// Not asked for; the peer may.
        case notWanted
        /// Asked for; a pairing that cannot have it goes on without.
        case wanted
        /// Asked for; a pairing that cannot have it fails.
        case required
    }

    /// What is made of LE Secure Connections.
    public enum SecureConnections: Hashable, Sendable {
        /// Legacy pairing only.
        case never
        /// Used if the peer can.
        case preferred
        /// A peer that cannot is refused, and so is every key shorter than 16 bytes.
        case only
    }

    /// Where a passkey comes from that this device shows.
    public enum PasskeySource: Hashable, Sendable {
        /// Drawn anew for each pairing.
        case fresh
        /// Always the same, as on devices that have it printed on them. Seen once, it is known for ever, and one
        /// legacy pairing that was overheard reveals it.
        case fixed(Passkey)
    }

    /// Where the private key of a pairing comes from.
    public enum PrivateKeySource: Hashable, Sendable {
        /// Drawn anew for each pairing.
        case fresh
        /// The public debug key, so that a sniffer can follow. Core 6.0, Vol 3, Part H, 2.3.5.6.1.
        case debug
    }

    /// What becomes of a bond when its peer asks to pair again without having shown that it still has the key. A bond
    /// that is weaker than the old one is refused in any case.
    public enum BondReplacement: Hashable, Sendable {
        /// A person is asked, by `PairingEvent.consentRequested`. A device that turns out only at the end to be one
        /// with which there is a bond is refused with "key rejected".
        case asked
        /// Granted to a pairing that is authenticated, for devices that have no person to ask. Just Works is refused with
        /// "authentication requirements": it proves nothing, and any device can show an address.
        case granted
        /// Granted to every device that shows the address, as many devices on sale do. A device that has heard the
        /// address takes the place of the bond; for simulated devices that imitate this.
        case grantedWithoutAuthentication
        /// Refused with "pairing not supported": the bond has to be removed first.
        case refused
    }

    public var inputOutput = IOCapability.noInputNoOutput
    public var protection = Protection.wanted
    public var secureConnections = SecureConnections.preferred
    /// Whether keys are kept for the next connection. Without, none are exchanged either.
    public var bonding = true
    /// The shortest key that is taken, in bytes: 7 to 16. Of other numbers the nearest counts where an order cannot
    /// throw.
    public var minimumKeySize = 7
    /// The longest key that is offered, in bytes: 7 to 16, and not less than the shortest. Of other numbers the nearest
    /// counts where an order cannot throw.
    public var maximumKeySize = 16
    /// The keys that this device is ready to give.
    public var givenKeys: KeyDistribution = [.encryption, .identity]
    /// The keys that this device is ready to take.
    public var takenKeys: KeyDistribution = [.encryption, .identity]
    /// Whether the peer is notified of every key that is pressed during passkey entry, if it requests that.
    public var keypressNotifications = false
    public var passkey = PasskeySource.fresh
    public var privateKey = PrivateKeySource.fresh
    /// Whether a peer may use the debug key, with which any sniffer can read along.
    public var acceptsDebugKey = false
    /// Whether the peer's request to pair is answered at all; if not, with "pairing not supported".
    public var acceptsRequests = true
    /// Whether a person is asked before the peer's request to pair is granted.
    public var asksConsent = false
    /// Whether a person is asked, by `PairingEvent.consentRequested`, before a pairing that this device has
    /// begun goes on with Just Works, in which no digits are compared or typed.
    public var asksBeforeJustWorks = false
    /// What becomes of bonds whose peers want to pair again.
    public var bondReplacement = BondReplacement.asked
    /// The association models that are taken: a pairing that would use another is refused. A device that can compare
    /// digits and type them can be confused about which of the two is asked for; one that takes only one cannot.
    public var associationModels = AssociationModels.all
    /// What was received from the peer on another way. It decides about the first PDU, so it has to be there before.
    public var outOfBand = ReceivedOutOfBand()

    public init() {}

    /// Takes nothing but pairings with LE Secure Connections, authenticated, with keys of 16 bytes: security mode 1
    /// level 4. Core 6.0, Vol 3, Part C, 10.2.4.
    public mutating func enterSecureConnectionsOnlyMode() {
        secureConnections = .only
        protection = .required
        minimumKeySize = 16
        maximumKeySize = 16
    }

    /// The key sizes of LE, in bytes. Core 6.0, Vol 3, Part H, 2.3.4.
    private static let allowedKeySizes = 7...16

    /// Whether both key sizes are from 7 to 16 bytes, and the shortest is no longer than the longest.
    public var hasValidKeySizes: Bool {
        Self.allowedKeySizes.contains(minimumKeySize) && Self.allowedKeySizes.contains(maximumKeySize)
            && minimumKeySize <= maximumKeySize
    }

    /// The key sizes that are taken, in bytes. Of sizes that are not valid the nearest that are: a key is never taken
    /// that is shorter than the settings say.
    var keySizes: ClosedRange<Int> {
        if secureConnections == .only { return 16...16 }
        let shortest = minimumKeySize.clamped(to: Self.allowedKeySizes)
        return shortest...max(shortest, maximumKeySize.clamped(to: Self.allowedKeySizes))
    }
}

/// What has come from the peer on another way than the radio. Core 6.0, Vol 3, Part H, 2.3.5.4 and 2.3.5.6.4.
public struct ReceivedOutOfBand: Equatable, Sendable {
    /// The temporary key of legacy pairing; both devices need it.
    public var temporaryKey: Block128?
    /// What the peer has made of its public key, for LE Secure Connections.
    public var secureConnections: OutOfBandData?

    public init(temporaryKey: Block128? = nil, secureConnections: OutOfBandData? = nil) {
        self.temporaryKey = temporaryKey
        self.secureConnections = secureConnections
    }
}

/// What one device gives another on a way of its own before they pair with LE Secure Connections.
public struct OutOfBandData: Hashable, Sendable {
    /// The commitment to the public key.
    public let confirm: Block128
    public let random: Block128

    public init(confirm: Block128, random: Block128) {
        self.confirm = confirm
        self.random = random
    }
}
