public import BluethroatBluetoothValues

/// Events about the security of links and about bonds.
public enum SecurityEvent: Sendable {
    /// A step of a pairing, a question for a person, or a pairing's failure. A pairing that succeeds is reported by
    /// `paired`, never by `PairingEvent.finished`.
    case pairing(PairingEvent)
    /// A pairing is complete. Where it made a bond, the bond was saved before; where the bond could not be saved,
    /// `bondStoreFailed` came before and the result is not `isBonded`: the keys are good for this connection only.
    case paired(ConnectionID, PairingResult)
    /// The link is encrypted now, with another key than before, or no longer.
    case encryptionChanged(ConnectionID, LinkSecurity)
    /// The link was to be encrypted with the key of a bond, and was not. `pinOrKeyMissing` says that one of the two has
    /// lost the bond: as central the peer, as peripheral this host. Nothing else is tried by itself; to pair anew is the
    /// application's decision.
    case encryptionFailed(ConnectionID, ControllerError)
    /// A bond was made or replaced by a pairing, and would survive a crash.
    case bondSaved(Bond)
    /// The bond with this peer is forgotten.
    case bondRemoved(DeviceAddress)
    /// The store has failed. What was to be kept is not.
    case bondStoreFailed(BondStoreError)
}
