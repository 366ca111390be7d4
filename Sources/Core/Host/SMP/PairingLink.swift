/// The SMP part of a link: the pairing under way, and how the peer's request for one is answered.
struct PairingLink {
    // A pairing is far larger than the rest of a link, and most links have none.
    enum State {
        case idle
        indirect case pairing(Pairing)
        /// A pairing has timed out: nothing is sent, and nothing listened to. Core 6.0, Vol 3, Part H, 3.4.
        case dead
    }

    /// How this host answers the peer's request to pair.
    var settings: PairingSettings {
        get { sharedSettings.wrappedValue }
        set { sharedSettings.update(newValue) }
    }
    var state = State.idle
    /// The same, shared with all links on which this host pairs as it usually does.
    private var sharedSettings: Boxed<PairingSettings>

    init(settings: Boxed<PairingSettings>) { sharedSettings = settings }

    /// Whether a pairing is under way.
    var isPairing: Bool { if case .pairing = state { true } else { false } }

    /// Whether the pairing under way is about a passkey that is always the same.
    var usesFixedPasskey: Bool { if case .pairing(let pairing) = state { pairing.usesFixedPasskey } else { false } }

    /// The state of a link on which a pairing is under way, taken out to take a step: there is no second copy of it
    /// meanwhile. Another state stays.
    mutating func takePairing() -> State {
        guard isPairing else { return .idle }
        var taken = State.idle
        swap(&taken, &state)
        return taken
    }
}
