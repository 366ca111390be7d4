import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

@Suite("Pairing methods")
struct PairingMethodTests {
    /// Table 2.8 of Core 6.0, Vol 3, Part H: a row for each initiator, a column for each responder, in the order
    /// display only, display yes/no, keyboard only, no input no output, keyboard display.
    ///
    /// `.` Just Works, `=` numeric comparison, `>` the initiator shows a passkey, `<` the responder shows one, `#` both
    /// enter one.
    static let legacy = [
        ". . > . >",
        ". . > . >",
        "< < # . <",
        ". . . . .",
        "< < > . >",
    ]
    static let secureConnections = [
        ". . > . >",
        ". = > . =",
        "< < # . <",
        ". . . . .",
        "< = > . =",
    ]

    static func method(_ symbol: Character) -> PairingMethod? {
        switch symbol {
        case ".": .justWorks
        case "=": .numericComparison
        case ">": .passkeyEntry(shownBy: .central)
        case "<": .passkeyEntry(shownBy: .peripheral)
        case "#": .passkeyEntry(shownBy: nil)
        default: nil
        }
    }

    static func expected(_ initiator: IOCapability, _ responder: IOCapability, secure: Bool) -> PairingMethod? {
        let row = (secure ? secureConnections : legacy)[Int(initiator.rawValue)].split(separator: " ")
        return row[Int(responder.rawValue)].first.flatMap(method)
    }

    /// What two devices announce.
    struct Case: Sendable, CustomTestStringConvertible {
        var capabilities: [IOCapability]
        var protection: [Bool]
        var outOfBand: [Bool]
        var secure: [Bool]

        var usesSecureConnections: Bool { secure == [true, true] }

        func features(_ device: Int) -> PairingFeatures {
            var requirements: AuthenticationRequirements = [.bonding]
            if protection[device] { requirements.insert(.manInTheMiddleProtection) }
            if secure[device] { requirements.insert(.secureConnections) }
            return PairingFeatures(
                inputOutput: capabilities[device],
                hasOutOfBandData: outOfBand[device],
                requirements: requirements,
                initiatorKeys: [],
                responderKeys: []
            )
        }

        /// Tables 2.6, 2.7 and 2.8.
        var method: PairingMethod? {
            let hasData = usesSecureConnections ? outOfBand.contains(true) : outOfBand == [true, true]
            if hasData { return .outOfBand }
            guard protection.contains(true) else { return .justWorks }
            return expected(capabilities[0], capabilities[1], secure: usesSecureConnections)
        }

        var testDescription: String { "\(capabilities) \(protection) \(outOfBand) \(secure)" }

        static let all: [Case] = {
            var cases: [Case] = []
            let flags = [[false, false], [false, true], [true, false], [true, true]]
            for initiator in IOCapability.allCases {
                for responder in IOCapability.allCases {
                    for protection in flags {
                        for outOfBand in flags {
                            for secure in flags {
                                cases.append(
                                    Case(
                                        capabilities: [initiator, responder],
                                        protection: protection,
                                        outOfBand: outOfBand,
                                        secure: secure
                                    )
                                )
                            }
                        }
                    }
                }
            }
            return cases
        }()
    }

    @Test("Every IO capability pair, OOB, MITM and SC flag gives the method of tables 2.6 to 2.8")
    func table() throws {
        #expect(Case.all.count == 25 * 64)
        for test in Case.all {
            let method = PairingMethod.chosen(initiator: test.features(0), responder: test.features(1))
            let expected = try #require(test.method)
            #expect(method == expected, "\(test.testDescription)")
            #expect(method.isAuthenticated == (expected != .justWorks), "\(test.testDescription)")
        }
    }

    @Test("A passkey has six digits, as text too")
    func passkeys() {
        #expect(Passkey(1_000_000) == nil)
        #expect(Passkey(4711)?.description == "004711")
        #expect(Passkey(digits: "004711")?.value == 4711)
        for text in ["4711", "0047111", "+04711", "00471x", "", "٠٠٤٧١١"] { #expect(Passkey(digits: text) == nil) }
    }
}
