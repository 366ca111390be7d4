import BluethroatBluetoothValues
import BluethroatHost
import Testing

/// What the specification says of each pair of devices, as it stands there and not as the code has it: a row for each
/// responder, a column for each initiator, both in the order of the IO capabilities' numbers. Core 6.0, Vol 3, Part H,
/// table 2.8.
///
/// `J` is Just Works, `C` numeric comparison, `i` a passkey that the initiator shows, `r` one that the responder shows,
/// `b` one that is typed into both.
private enum Table28 {
    //                    DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput, KeyboardDisplay
    static let legacy = ["JJrJr", "JJrJr", "iibJi", "JJJJJ", "iirJi"]
    static let secureConnections = ["JJrJr", "JCrJC", "iibJi", "JJJJJ", "iCrJC"]

    static func method(_ initiator: IOCapability, _ responder: IOCapability, isSecure: Bool) -> PairingMethod {
        let row = Array((isSecure ? secureConnections : legacy)[Int(responder.rawValue)])
        return switch row[Int(initiator.rawValue)] {
        case "C": .numericComparison
        case "i": .passkeyEntry(shownBy: .central)
        case "r": .passkeyEntry(shownBy: .peripheral)
        case "b": .passkeyEntry(shownBy: nil)
        default: .justWorks
        }
    }
}

/// Every pair of IO capabilities, in both roles, in both kinds of pairing, with every wish for protection: paired on the
/// air, by people who do what their device asks of them.
@Suite("IO capabilities, each with each")
struct IOCapabilityTableTests {
    enum Kind: CaseIterable {
        case secureConnections, legacyInitiator, legacyResponder, legacyBoth

        var isSecure: Bool { self == .secureConnections }

        func settings(_ role: ConnectionRole) -> PairingSettings.SecureConnections {
            switch self {
            case .secureConnections: .preferred
            case .legacyBoth: .never
            case .legacyInitiator: role == .central ? .never : .preferred
            case .legacyResponder: role == .peripheral ? .never : .preferred
            }
        }
    }

    @Test(
        "The method is that of table 2.8, and people are asked what it says",
        arguments: IOCapability.allCases,
        Kind.allCases
    )
    func table(initiator: IOCapability, kind: Kind) throws {
        for responder in IOCapability.allCases {
            for (centralWants, peripheralWants) in [(true, true), (true, false), (false, true), (false, false)] {
                let scene = PairingScene(
                    central: Self.settings(initiator, kind, .central, centralWants ? .wanted : .notWanted),
                    peripheral: Self.settings(responder, kind, .peripheral, peripheralWants ? .wanted : .notWanted),
                    seed: UInt64(initiator.rawValue) * 8 + UInt64(responder.rawValue)
                )
                try scene.pair()
                // Nobody who wants no protection is asked for anything.
                let method =
                    centralWants || peripheralWants
                    ? Table28.method(initiator, responder, isSecure: kind.isSecure) : .justWorks
                let label: Comment =
                    "\(initiator) to \(responder), \(kind), wanted by \((centralWants, peripheralWants))"
                Self.check(scene, method, isSecure: kind.isSecure, label)
            }
        }
    }

    @Test(
        "Who demands protection gets it or fails with authentication requirements",
        arguments: IOCapability.allCases,
        [ConnectionRole.central, .peripheral]
    )
    func demanded(initiator: IOCapability, by demanding: ConnectionRole) throws {
        for kind in [Kind.secureConnections, .legacyBoth] {
            for responder in IOCapability.allCases {
                let scene = PairingScene(
                    central: Self.settings(initiator, kind, .central, demanding == .central ? .required : .notWanted),
                    peripheral: Self.settings(
                        responder,
                        kind,
                        .peripheral,
                        demanding == .peripheral ? .required : .notWanted
                    )
                )
                try scene.pair()
                let method = Table28.method(initiator, responder, isSecure: kind.isSecure)
                let label: Comment = "\(initiator) to \(responder), \(kind), demanded by \(demanding)"
                guard method == .justWorks else {
                    Self.check(scene, method, isSecure: kind.isSecure, label)
                    continue
                }
                let refusing = scene.device(demanding),
                    other = scene.device(demanding == .central ? .peripheral : .central)
                #expect(refusing.failure == .refused(.authenticationRequirements), label)
                #expect(other.failure == .refusedByPeer(.authenticationRequirements), label)
                #expect(refusing.result == nil && other.result == nil, label)
                #expect(scene.security(.central)?.isEncrypted == false, label)
            }
        }
    }

    @Test(
        "Secure Connections only refuses who cannot, in either role",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func secureConnectionsOnly(demanding: ConnectionRole) throws {
        for capability in IOCapability.allCases {
            var strict = Self.settings(.keyboardDisplay, .secureConnections, demanding, .required)
            strict.enterSecureConnectionsOnlyMode()
            let legacy = Self.settings(capability, .legacyBoth, .central, .wanted)
            let scene =
                demanding == .central
                ? PairingScene(central: strict, peripheral: legacy) : PairingScene(central: legacy, peripheral: strict)
            try scene.pair()
            #expect(scene.device(demanding).failure == .refused(.authenticationRequirements))
            #expect(scene.central.result == nil && scene.peripheral.result == nil)
        }
    }

    private static func settings(
        _ capability: IOCapability,
        _ kind: Kind,
        _ role: ConnectionRole,
        _ protection: PairingSettings.Protection
    ) -> PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = capability
        settings.secureConnections = kind.settings(role)
        settings.protection = protection
        return settings
    }

    private static func check(_ scene: PairingScene, _ method: PairingMethod, isSecure: Bool, _ label: Comment) {
        for role in [ConnectionRole.central, .peripheral] {
            let device = scene.device(role)
            #expect(device.failure == nil, label)
            #expect(device.result?.method == method, label)
            #expect(device.result?.linkKey.isAuthenticated == method.isAuthenticated, label)
            #expect(device.result?.linkKey.isSecureConnections == isSecure, label)
            #expect(device.result?.linkKey.size == 16, label)
            #expect(device.savedBonds.count == 1, label)
            let security = scene.security(role)
            #expect(security?.isEncrypted == true, label)
            #expect(security?.isAuthenticated == method.isAuthenticated, label)
            #expect(questions(of: method, role) == device.asked.map(kind), label)
            #expect((device.shown != nil) == (method == .passkeyEntry(shownBy: role)), label)
        }
        #expect(scene.central.result?.linkKey.value == scene.peripheral.result?.linkKey.value, label)
        if method == .numericComparison { #expect(scene.central.asked == scene.peripheral.asked, label) }
    }

    private static func kind(_ question: PairingDevice.Question) -> String {
        switch question {
        case .compare: "compare"
        case .enter: "enter"
        case .consent: "consent"
        }
    }

    private static func questions(of method: PairingMethod, _ role: ConnectionRole) -> [String] {
        switch method {
        case .justWorks, .outOfBand: []
        case .numericComparison: ["compare"]
        case .passkeyEntry(let shower): shower == role ? [] : ["enter"]
        }
    }
}
