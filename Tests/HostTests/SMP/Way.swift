import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// The ways to pair, each with settings for central and peripheral that lead to it.
struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let method: PairingMethod
    let settings: [PairingSettings]
    let isSecure: Bool

    var testDescription: String { name }

    init(_ name: String, _ method: PairingMethod, _ central: IOCapability, _ peripheral: IOCapability, secure: Bool) {
        self.name = name
        self.method = method
        isSecure = secure
        settings = [central, peripheral].map { capability in
            var settings = PairingSettings()
            settings.inputOutput = capability
            settings.secureConnections = secure ? .preferred : .never
            settings.givenKeys = [.encryption, .identity, .signing]
            settings.takenKeys = [.encryption, .identity, .signing]
            return settings
        }
    }

    static let temporaryKey = Block128(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    static let all: [Way] = [
        Way("legacy Just Works", .justWorks, .noInputNoOutput, .displayYesNo, secure: false),
        Way(
            "legacy passkey, central shows",
            .passkeyEntry(shownBy: .central),
            .displayOnly,
            .keyboardOnly,
            secure: false
        ),
        Way(
            "legacy passkey, peripheral shows",
            .passkeyEntry(shownBy: .peripheral),
            .keyboardOnly,
            .displayOnly,
            secure: false
        ),
        Way(
            "legacy passkey, typed into both",
            .passkeyEntry(shownBy: nil),
            .keyboardOnly,
            .keyboardOnly,
            secure: false
        ),
        Way("legacy OOB", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: false),
        Way("Just Works", .justWorks, .noInputNoOutput, .displayYesNo, secure: true),
        Way("numeric comparison", .numericComparison, .displayYesNo, .keyboardDisplay, secure: true),
        Way("passkey, central shows", .passkeyEntry(shownBy: .central), .displayYesNo, .keyboardOnly, secure: true),
        Way(
            "passkey, peripheral shows",
            .passkeyEntry(shownBy: .peripheral),
            .keyboardOnly,
            .displayOnly,
            secure: true
        ),
        Way("passkey, typed into both", .passkeyEntry(shownBy: nil), .keyboardOnly, .keyboardOnly, secure: true),
        Way("OOB both ways", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
        Way("OOB, central has received", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
        Way("OOB, peripheral has received", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
    ]

    var isPasskey: Bool {
        if case .passkeyEntry = method { true } else { false }
    }

    /// Which ends have received something on another way.
    var receivers: [Int] {
        guard method == .outOfBand else { return [] }
        if name.contains("central") { return [0] }
        if name.contains("peripheral") { return [1] }
        return [0, 1]
    }

    func pair(seed: UInt64 = 1, _ change: (inout [PairingSettings]) -> Void = { _ in }) throws -> SecurityPair {
        var settings = settings
        change(&settings)
        var pair = SecurityPair(settings, seed: seed)
        try exchangeOutOfBand(&pair, &settings)
        return pair
    }

    /// Carries what is to be carried before a pairing.
    func exchangeOutOfBand(_ pair: inout SecurityPair, _ settings: inout [PairingSettings]) throws {
        for end in receivers {
            settings[end].outOfBand =
                isSecure
                ? ReceivedOutOfBand(secureConnections: pair.managers[1 - end].makeOutOfBandData())
                : ReceivedOutOfBand(temporaryKey: Self.temporaryKey)
            try pair.managers[end].set(settings[end], on: SecurityPair.connection)
        }
    }
}
