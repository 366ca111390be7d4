import ArgumentParser
import BluethroatHost
import BluethroatKeyFob

/// How the fob pairs, where that is not TI's way.
struct KeyFobPairingFlags: ParsableArguments {
    @Flag(help: "Give the fob's values only to centrals that have paired, and only over an encrypted link.")
    var requirePairing = false

    @Flag(help: "The same, and only after a pairing that was safe from a man in the middle: with the passkey.")
    var requireAuthentication = false

    @Option(
        help: ArgumentHelp("The fob's passkey, up to six digits (default: 000000, as TI's).", valueName: "n"),
        transform: { try Passkey(typed: $0) }
    )
    var passkey: Passkey?

    @Flag(help: "Let the fob pair with LE Secure Connections, which came after its chip.")
    var secureConnections = false

    @OptionGroup var demands: PairingDemands

    /// The first of them that was given; they are TI's.
    var first: String? {
        if requirePairing { return "--require-pairing" }
        if requireAuthentication { return "--require-authentication" }
        if passkey != nil { return "--passkey" }
        if secureConnections { return "--secure-connections" }
        if demands.scOnly { return "--sc-only" }
        return demands.minimumKeySize == nil ? nil : "--minimum-key-size"
    }

    /// The settings of the fob's bond manager.
    var pairing: KeyFobPairing {
        var pairing = KeyFobPairing()
        if requirePairing { pairing.demand = .encryption }
        if requireAuthentication { pairing.demand = .authentication }
        if let passkey { pairing.passkey = passkey.value }
        pairing.usesSecureConnections = secureConnections
        pairing.demandsSecureConnections = demands.scOnly
        pairing.minimumKeySize = demands.minimumKeySize ?? pairing.minimumKeySize
        return pairing
    }
}

extension Passkey {
    /// As people type it: one to six digits, leading zeros left out or not.
    init(typed text: some StringProtocol) throws(ValidationError) {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt32(text), let passkey = Passkey(number)
        else { throw ValidationError("\(text) is no passkey; it has up to six digits") }
        self = passkey
    }
}
