import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatVirtualTime

/// What kind of device it is: words `name=value`.
struct PeerOptions: Sendable {
    struct Unknown: Error, CustomStringConvertible {
        let description: String

        init(_ word: some StringProtocol) { description = "what is \(word)?" }
    }

    var configuration = HostConfiguration(seed: .random(in: .min ... .max))
    var name = "peer"
    var pairing = PairingSettings()

    init(_ words: some Sequence<String>) throws {
        configuration.secret = Block128(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        configuration.prefersStaticAddress = true
        for word in words { try take(word) }
        configuration.pairing = pairing
    }

    // swift-format-ignore: the switch is a table.
    mutating func take(_ word: String) throws {
        let parts = word.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw Unknown(word) }
        let value = parts[1]
        switch parts[0] {
        case "name": name = String(value)
        case "address":
            guard let address = DeviceAddress(value, kind: .random) else { throw Unknown(word) }
            configuration.staticAddress = address
        case "private": configuration.privacy.ownAddress = value == "1" ? .resolvablePrivate : .identity
        case "rotation":
            guard let seconds = Int64(value) else { throw Unknown(word) }
            configuration.privacy.rotation = .seconds(seconds)
        case "resolving-list": configuration.privacy.usesResolvingList = value == "1"
        case "encrypts": configuration.encryptsBondedLinks = value == "1"
        default: try take(pairing: word)
        }
    }

    /// The words that may also be said later.
    // swift-format-ignore: the switch is a table.
    mutating func take(pairing word: String) throws {
        let parts = word.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw Unknown(word) }
        let value = parts[1]
        switch (parts[0], value) {
        case ("io", "none"): pairing.inputOutput = .noInputNoOutput
        case ("io", "display-only"): pairing.inputOutput = .displayOnly
        case ("io", "display-yes-no"): pairing.inputOutput = .displayYesNo
        case ("io", "keyboard-only"): pairing.inputOutput = .keyboardOnly
        case ("io", "keyboard-display"): pairing.inputOutput = .keyboardDisplay
        case ("protection", "not-wanted"): pairing.protection = .notWanted
        case ("protection", "wanted"): pairing.protection = .wanted
        case ("protection", "required"): pairing.protection = .required
        case ("sc", "never"): pairing.secureConnections = .never
        case ("sc", "preferred"): pairing.secureConnections = .preferred
        case ("sc", "only"): pairing.secureConnections = .only
        case ("bonding", _): pairing.bonding = value == "1"
        case ("accepts", _): pairing.acceptsRequests = value == "1"
        case ("consent", _): pairing.asksConsent = value == "1"
        case ("debug-key", _):
            pairing.privateKey = value == "1" ? .debug : .fresh
            pairing.acceptsDebugKey = value == "1"
        case ("passkey", _):
            guard let passkey = Passkey(digits: value) else { throw Unknown(word) }
            pairing.passkey = .fixed(passkey)
        case ("minimum-key-size", _):
            guard let size = Int(value) else { throw Unknown(word) }
            pairing.minimumKeySize = size
        case ("maximum-key-size", _):
            guard let size = Int(value) else { throw Unknown(word) }
            pairing.maximumKeySize = size
        case ("keys", _):
            guard let bits = UInt8(value) else { throw Unknown(word) }
            pairing.givenKeys = KeyDistribution(rawValue: bits)
            pairing.takenKeys = KeyDistribution(rawValue: bits)
        case ("temporary-key", _): pairing.outOfBand.temporaryKey = try Self.block(value)
        // Confirm value and random number, one after the other.
        case ("oob", _):
            guard value.utf8.count == 64 else { throw Unknown(word) }
            pairing.outOfBand.secureConnections = OutOfBandData(
                confirm: try Self.block(value.prefix(32)),
                random: try Self.block(value.suffix(32))
            )
        default: throw Unknown(word)
        }
    }

    private static func block(_ text: Substring) throws -> Block128 {
        guard let bytes = [UInt8](hex: text), let block = Block128(littleEndian: bytes) else { throw Unknown(text) }
        return block
    }
}
