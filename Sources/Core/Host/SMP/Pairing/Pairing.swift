internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// What a pairing asks for, in this order.
enum PairingAction: Sendable {
    case send(SMPPDU)
    case ask(PairingPrompt)
    /// As central: encrypt the link with this key, EDIV and Rand zero.
    case encrypt(LongTermKey)
    /// The pairing is over, and this is what it leaves.
    case finish(PairingResult)
}

/// What a person is asked or shown.
enum PairingPrompt: Sendable {
    case consent(PairingFeatures)
    case compare(Passkey)
    case display(Passkey)
    case enter
    case keypress(Keypress)
}

/// What a pairing needs of its host.
struct PairingResources: Sendable {
    var random: CipherRandom
    /// Nil for a host that has no identity to give.
    var identity: LocalIdentity?
    /// What this host has given away on another way and not used since.
    @BoxedIfAny var localOutOfBand: LocalOutOfBand?
    /// Those with whom there are bonds, and how good these are.
    var bonds: [BondStrength] = []
    /// The assumed identity of the peer of the pairing.
    var partner: DeviceAddress?

    /// The key of the bond that a pairing with the partner would replace.
    var keyToReplace: LongTermKey? { bonds.first { $0.peer == partner }?.key }

    init(random: CipherRandom, identity: LocalIdentity?) {
        self.random = random
        self.identity = identity
    }

    /// How good the bond with a peer is.
    struct BondStrength: Sendable {
        var peer: DeviceAddress
        var key: LongTermKey
    }
}

/// One pairing of one connection, from the first PDU to the last key. Core 6.0, Vol 3, Part H, 2.1.
///
/// Each stage holds exactly what is known by then, so that nothing is left behind when the pairing is dropped. A thrown
/// reason ends it: the owner sends it to the peer and drops the pairing.
struct Pairing: Sendable {
    private enum Stage: Sendable {
        /// As responder: a person is asked whether to pair at all.
        case awaitingConsent(PairingFeatures)
        /// As initiator.
        case awaitingResponse(request: PairingFeatures)
        /// As initiator: a person is asked whether to go on with Just Works.
        case awaitingOwnConsent(PairingTerms)
        case legacy(PairingTerms, LegacyPairing)
        case secureConnections(PairingTerms, SecureConnectionsPairing)
        /// The key is there, and the link not yet encrypted with it. A central has ordered it; a peripheral is asked
        /// for the key first.
        case awaitingEncryption(PairingTerms, AgreedKey, isUnderWay: Bool)
        case exchangingKeys(PairingTerms, KeyExchange)
    }

    let role: ConnectionRole
    let addresses: PairingAddresses
    let settings: PairingSettings
    /// That of the bond with the peer when the pairing began, which the settings take into account.
    private let keyToReplace: LongTermKey?
    private var stage: Stage

    /// Begins as initiator.
    init(
        initiating settings: PairingSettings,
        addresses: PairingAddresses,
        _ resources: PairingResources,
        into actions: inout [PairingAction]
    ) {
        role = .central
        self.addresses = addresses
        self.settings = settings
        keyToReplace = resources.keyToReplace
        let request = settings.request(hasIdentity: resources.identity != nil)
        stage = .awaitingResponse(request: request)
        actions.append(.send(.pairingRequest(request)))
    }

    /// Begins as responder, with the peer's request.
    init(
        responding settings: PairingSettings,
        to request: PairingFeatures,
        addresses: PairingAddresses,
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        guard settings.acceptsRequests else { throw .pairingNotSupported }
        role = .peripheral
        self.addresses = addresses
        self.settings = settings
        keyToReplace = resources.keyToReplace
        stage = .awaitingConsent(request)
        // A pairing that cannot succeed is refused before the user is asked.
        let terms = try terms(request: request, settings.response(to: request, hasIdentity: resources.identity != nil))
        if settings.asksConsent {
            actions.append(.ask(.consent(request)))
        } else {
            try respond(terms, &resources, into: &actions)
        }
    }

    /// Whether both have shown a proof, or could have: whatever ends the pairing now was an attempt.
    var isAttempt: Bool {
        switch stage {
        case .legacy, .secureConnections, .awaitingEncryption: true
        case .awaitingConsent, .awaitingResponse, .awaitingOwnConsent, .exchangingKeys: false
        }
    }

    /// Whether the peer has to prove that it knows a passkey that this host always shows: what one attempt reveals of
    /// it is good for the next, from any address.
    var usesFixedPasskey: Bool {
        guard case .fixed = settings.passkey, case .passkeyEntry(role) = method else { return false }
        return true
    }

    /// By which method the two pair, once both have said what they can do.
    private var method: PairingMethod? {
        guard case .awaitingConsent(let request) = stage else { return terms?.method }
        return .chosen(initiator: request, responder: settings.response(to: request, hasIdentity: false))
    }

    /// Handles a PDU other than Pairing Failed.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        switch (stage, pdu) {
        // Reserved codes are ignored. Core 6.0, Vol 3, Part H, 3.3.
        case (_, .unknown): return
        // A peripheral that asks for what is under way has nothing to add. Core 6.0, Vol 3, Part H, 2.4.6.
        case (_, .securityRequest) where role == .central: return
        case (_, .securityRequest),
            (_, .pairingRequest) where role == .central:
            throw .commandNotSupported
        case (_, .pairingKeypressNotification(let keypress)):
            // Good to know, and never needed.
            if let terms, terms.usesKeypressNotifications, isProving { actions.append(.ask(.keypress(keypress))) }
        case (.awaitingResponse(let request), .pairingResponse(let response)):
            let terms = try PairingTerms(
                role: role,
                addresses: addresses,
                request: request,
                response: response,
                settings: settings
            )
            guard settings.asksBeforeJustWorks, terms.method == .justWorks else {
                return try begin(terms, &resources, into: &actions)
            }
            stage = .awaitingOwnConsent(terms)
            actions.append(.ask(.consent(response)))
        case (.legacy(let terms, var legacy), _):
            let key = try legacy.handlePDU(pdu, terms, into: &actions)
            stage = .legacy(terms, legacy)
            if let key { encrypt(terms, key, into: &actions) }
        case (.secureConnections(let terms, var secure), _):
            let key = try secure.handlePDU(pdu, terms, random: &resources.random, into: &actions)
            stage = .secureConnections(terms, secure)
            if let key { encrypt(terms, key, into: &actions) }
        case (.exchangingKeys(let terms, var exchange), _):
            try exchange.handlePDU(pdu, terms, resources)
            try proceed(terms, exchange, resources, into: &actions)
        default: throw .unspecified
        }
    }

    // MARK: People

    /// Yes: to the pairing as such, or to six digits that are the same on both. False if there was no question.
    mutating func agree(
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> Bool {
        switch stage {
        case .awaitingConsent(let request):
            let response = settings.response(to: request, hasIdentity: resources.identity != nil)
            try respond(terms(request: request, response), &resources, into: &actions)
        case .awaitingOwnConsent(let terms): try begin(terms, &resources, into: &actions)
        case .secureConnections(let terms, var secure) where secure.isComparing:
            let key = secure.agree(terms, into: &actions)
            stage = .secureConnections(terms, secure)
            if let key { encrypt(terms, key, into: &actions) }
        default: return false
        }
        return true
    }

    /// The passkey that a person has typed. False if there was no question.
    mutating func enter(
        _ passkey: Passkey,
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> Bool {
        switch stage {
        case .legacy(let terms, var legacy):
            let wasAsked = try legacy.enter(passkey, terms, random: &resources.random, into: &actions)
            stage = .legacy(terms, legacy)
            return wasAsked
        case .secureConnections(let terms, var secure):
            let wasAsked = try secure.enter(passkey, terms, random: &resources.random, into: &actions)
            stage = .secureConnections(terms, secure)
            return wasAsked
        default: return false
        }
    }

    /// Reports to the peer what the person who types has done; false if no passkey is being typed or the peer has not
    /// requested that.
    func sendKeypress(_ keypress: Keypress, into actions: inout [PairingAction]) -> Bool {
        guard isAwaitingPasskey, let terms, terms.usesKeypressNotifications else { return false }
        actions.append(.send(.pairingKeypressNotification(keypress)))
        return true
    }

    /// What the peer receives when the person says no, or the application gives up.
    var refusal: PairingFailureReason {
        switch (stage, terms?.method) {
        case (.awaitingConsent, _): .pairingNotSupported
        case (.secureConnections(_, let secure), .numericComparison) where secure.isComparing: .numericComparisonFailed
        case (.secureConnections, .passkeyEntry), (.legacy, .passkeyEntry): .passkeyEntryFailed
        default: .unspecified
        }
    }

    // MARK: The link

    /// The key for a peripheral's controller that is asked for one with EDIV and Rand zero; nil where the pairing has
    /// none, or has nothing to do with it.
    mutating func longTermKey() -> LongTermKey? {
        guard role == .peripheral, case .awaitingEncryption(let terms, let key, _) = stage else { return nil }
        stage = .awaitingEncryption(terms, key, isUnderWay: true)
        return terms.key(key.value)
    }

    /// The link has been encrypted. Of no interest unless with this pairing's key.
    mutating func encryptionStarted(
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        guard case .awaitingEncryption(let terms, let key, isUnderWay: true) = stage else { return }
        let exchange = KeyExchange(terms, key: key, identity: resources.identity, random: &resources.random)
        try proceed(terms, exchange, resources, into: &actions)
    }

    /// Whether the pairing fails if the link is not encrypted: no key is ever given away in the clear.
    var needsEncryption: Bool {
        switch stage {
        case .awaitingEncryption, .exchangingKeys: true
        default: false
        }
    }

    // MARK: Steps

    private var terms: PairingTerms? {
        switch stage {
        case .awaitingConsent, .awaitingResponse: nil
        case .awaitingOwnConsent(let terms), .legacy(let terms, _), .secureConnections(let terms, _),
            .awaitingEncryption(let terms, _, _), .exchangingKeys(let terms, _):
            terms
        }
    }

    private var isProving: Bool {
        switch stage {
        case .legacy, .secureConnections: true
        default: false
        }
    }

    private var isAwaitingPasskey: Bool {
        switch stage {
        case .legacy(_, let legacy): legacy.isAwaitingPasskey
        case .secureConnections(_, let secure): secure.isAwaitingPasskey
        default: false
        }
    }

    private func terms(
        request: PairingFeatures,
        _ response: PairingFeatures
    ) throws(PairingFailureReason) -> PairingTerms {
        try PairingTerms(role: role, addresses: addresses, request: request, response: response, settings: settings)
    }

    private mutating func respond(
        _ terms: PairingTerms,
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        var next: [PairingAction] = []
        try begin(terms, &resources, into: &next)
        actions.append(.send(.pairingResponse(terms.response)))
        actions += next
    }

    private mutating func begin(
        _ terms: PairingTerms,
        _ resources: inout PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        if terms.usesSecureConnections {
            let secure = try SecureConnectionsPairing(
                terms,
                local: resources.localOutOfBand,
                random: &resources.random,
                into: &actions
            )
            // Private keys are good for one pairing.
            if terms.method == .outOfBand, terms.hasOutOfBandData(terms.peerRole) { resources.localOutOfBand = nil }
            stage = .secureConnections(terms, secure)
        } else {
            stage = .legacy(terms, try LegacyPairing(terms, random: &resources.random, into: &actions))
        }
    }

    private mutating func encrypt(_ terms: PairingTerms, _ key: AgreedKey, into actions: inout [PairingAction]) {
        stage = .awaitingEncryption(terms, key, isUnderWay: role == .central)
        if role == .central { actions.append(.encrypt(terms.key(key.value))) }
    }

    private mutating func proceed(
        _ terms: PairingTerms,
        _ exchange: consuming KeyExchange,
        _ resources: PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        // Another connection has made or replaced the bond since this pairing began; consent was for the old state.
        guard resources.keyToReplace == keyToReplace else { throw .keyRejected }
        let result = try exchange.proceed(terms, resources, into: &actions)
        stage = .exchangingKeys(terms, exchange)
        if let result { actions.append(.finish(result)) }
    }
}
