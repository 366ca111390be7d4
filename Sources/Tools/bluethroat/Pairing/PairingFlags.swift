import ArgumentParser
import BluethroatHost

/// How a command pairs.
struct PairingFlags: ParsableArguments {
    /// What this machine, with its user, can show and enter.
    enum InputOutput: String, CaseIterable, ExpressibleByArgument {
        case displayYesNo = "display-yes-no"
        case keyboardOnly = "keyboard-only"
        case displayOnly = "display-only"
        case keyboardDisplay = "keyboard-display"
        case none

        var capability: IOCapability {
            switch self {
            case .displayYesNo: .displayYesNo
            case .keyboardOnly: .keyboardOnly
            case .displayOnly: .displayOnly
            case .keyboardDisplay: .keyboardDisplay
            case .none: .noInputNoOutput
            }
        }
    }

    @Option(help: "What can be shown and typed here.")
    var io = InputOutput.keyboardDisplay

    @Option(
        help: ArgumentHelp(
            "The passkey, up to six digits: the one that the device shows, or the one to show here.",
            valueName: "n"
        ),
        transform: { try Passkey(typed: $0) }
    )
    var passkey: Passkey?

    @Option(file: "What has come from the device on another way; docs/cli.md has the form.")
    var oob: String?

    @Option(
        file: "Write what is to be carried to the device on another way, before pairing; - writes it to the output."
    )
    var ownOob: String?

    @Flag(help: "Pair without LE Secure Connections, as before Bluetooth 4.2. Can be listened to.")
    var legacy = false

    @Flag(help: "Fail rather than pair without protection from a man in the middle.")
    var mitm = false

    @Flag(help: "Keep the keys, so that the next connections are encrypted without pairing.")
    var bond = false

    @OptionGroup var demands: PairingDemands

    @Option(help: ArgumentHelp("The longest key to offer, in bytes: 7 to 16 (default: 16).", valueName: "bytes"))
    var maximumKeySize: Int?

    @Flag(help: "Say that compared digits are the same, without looking. Gives the protection away.")
    var yes = false

    private var scOnly: Bool { demands.scOnly }

    func validate() throws {
        if legacy, scOnly { throw ValidationError("--legacy and --sc-only contradict each other; give one of them") }
        let isSafe = io != .none || oob != nil || ownOob != nil
        if scOnly, !isSafe {
            throw ValidationError("--sc-only needs a person or data from another way; give another --io, or --oob")
        }
        if mitm, !isSafe {
            throw ValidationError("--mitm needs a person or data from another way; give another --io, or --oob")
        }
        if passkey != nil, io == .none || io == .displayYesNo && !legacy {
            // With display and yes or no a passkey is only shown, and only to a keyboard.
            if io == .none { throw ValidationError("--io none takes no passkey; give another --io") }
        }
        try PairingDemands.check(maximumKeySize, "maximum")
        let shortest = demands.minimumKeySize ?? 7, longest = maximumKeySize ?? 16
        guard shortest <= longest else {
            throw ValidationError("the shortest key (\(shortest) bytes) is longer than the longest (\(longest))")
        }
        if scOnly, longest < 16 { throw ValidationError("--sc-only wants keys of 16 bytes; leave out the key size") }
    }

    /// The host's settings, without out-of-band data.
    var settings: PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = io.capability
        settings.protection = mitm ? .required : io == .none && oob == nil && ownOob == nil ? .notWanted : .wanted
        settings.bonding = bond
        settings.minimumKeySize = demands.minimumKeySize ?? 7
        settings.maximumKeySize = maximumKeySize ?? 16
        if legacy { settings.secureConnections = .never }
        if scOnly { settings.enterSecureConnectionsOnlyMode() }
        if let passkey { settings.passkey = .fixed(passkey) }
        return settings
    }
}
