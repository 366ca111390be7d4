package import BluethroatBluetoothValues
package import BluethroatEvents
package import BluethroatHost
import BluethroatKeyFobConsole

extension OperationFailure {
    /// A pairing that has failed: why, and what to do.
    package static func pairingFailed(_ failure: PairingFailure, with peer: String) -> Self {
        var result = Self("cannot pair with \(peer): \(failure.sentence)", smpReason: failure.reason)
        if let advice = failure.advice { result.message += "; \(advice)" }
        if case .encryptionFailed(let error) = failure { result.hciError = error.rawValue }
        return result
    }

    /// A question without a person to answer it.
    package static func noAnswer(_ isPasskey: Bool) -> Self {
        Self(
            isPasskey
                ? "the passkey is wanted, and standard input has ended; give it with --passkey, or run this at a terminal"
                : "the digits are to be compared, and standard input has ended; run this at a terminal",
            .wrongUsage
        )
    }

    /// A bonded peer with which the link could not be encrypted.
    package static func notEncrypted(_ peer: String, _ error: ControllerError, pairing: String) -> Self {
        guard error == .pinOrKeyMissing else {
            return Self("the link to \(peer) cannot be encrypted: \(error)", hciError: error.rawValue)
        }
        return Self(
            "\(peer) has lost its bond with this machine: \(error); if you know why, forget it here too with "
                + "`bluethroat bonds remove`, and pair anew with `\(pairing)`",
            hciError: error.rawValue
        )
    }

    /// Adds to a refusal what a better secured link would change.
    package func advised(_ security: LinkSecurity, pairing: String) -> Self {
        guard let attError else { return self }
        var result = self
        switch ATTError(rawValue: attError) {
        case .insufficientAuthentication, .insufficientEncryption:
            result.message +=
                security.isEncrypted
                ? "; pair in a way that is safe from a man in the middle: `\(pairing) --mitm`"
                : "; pair first: `\(pairing)`"
        case .encryptionKeySizeTooShort:
            result.message += "; pair with a longer key: `\(pairing)`"
        case .insufficientAuthorization:
            result.message += "; the device has to be told to trust this central"
        default: break
        }
        return result
    }
}

extension PairingFailure {
    /// What the user can do about it.
    fileprivate var advice: String? {
        switch self {
        case .refused(let reason), .refusedByPeer(let reason): reason.advice
        case .timedOut: "try again, and answer within 30 s"
        case .disconnected: "try again, closer to the device"
        case .encryptionFailed: "try again"
        }
    }
}

extension PairingFailureReason {
    fileprivate var advice: String? {
        switch self {
        case .passkeyEntryFailed: "try again"
        case .outOfBandNotAvailable: "carry the data over first, and name the file with --oob"
        case .authenticationRequirements:
            "choose another --io, or leave out --mitm and --sc-only if less protection will do"
        case .confirmValueFailed: "the passkey is wrong, or somebody listens in; try again with the one that is shown"
        case .pairingNotSupported: "is it ready to pair? Some devices have to be told"
        case .encryptionKeySize: "allow for shorter keys with --minimum-key-size, or offer longer ones"
        case .repeatedAttempts: "wait a while before trying again"
        case .dhKeyCheckFailed: "the passkey is wrong, or somebody listens in; try again"
        case .numericComparisonFailed: "if the digits differ somebody may be between the two; try again elsewhere"
        case .keyRejected, .busy, .unspecified: "try again"
        default: nil
        }
    }
}
