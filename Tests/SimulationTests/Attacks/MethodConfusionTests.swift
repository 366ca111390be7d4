import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Method confusion (von Tschirschnitz and others, 2021): a man in the middle lets one victim compare digits and asks the
/// other one to type them. Both are six digits, and a person who does as the devices say lets him in.
///
///     central ── numeric comparison: 123456 ── attacker ── passkey entry: 123456 ── peripheral
///
/// or the other way round:
///
///     central ── passkey entry: 123456 ── attacker ── numeric comparison: 123456 ── peripheral
@Suite("Method confusion")
struct MethodConfusionTests {
    private static func settings(
        _ io: IOCapability,
        _ models: AssociationModels = .all,
        _ protection: PairingSettings.Protection = .wanted
    ) -> PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = io
        settings.associationModels = models
        settings.protection = protection
        return settings
    }

    /// Two victims, as they are if the central compares and the peripheral types; else the other way round.
    struct Attack: Sendable, CustomTestStringConvertible {
        let comparing: ConnectionRole
        var testDescription: String { "the \(comparing) compares" }

        static let both = [Attack(comparing: .central), Attack(comparing: .peripheral)]

        /// Plays the attack as far as it goes; the person types what the other device shows, and agrees there.
        func play(_ comparer: PairingSettings, _ typist: PairingSettings) throws -> MiddleScene {
            switch comparing {
            case .central: try playComparingCentral(comparer, typist)
            case .peripheral: try playComparingPeripheral(comparer, typist)
            }
        }

        private func playComparingCentral(
            _ central: PairingSettings,
            _ peripheral: PairingSettings
        ) throws -> MiddleScene {
            let scene = MiddleScene(
                central: central,
                peripheral: peripheral,
                towardsCentral: MethodConfusionTests.settings(.displayYesNo),
                seed: 9
            )
            try scene.connect()
            try scene.beginPairing(scene.centralID, scene.central)
            scene.world.run(for: .seconds(3))
            guard case .compare(let digits)? = scene.towardsCentral.asked.first else { return scene }
            // The attacker shows the peripheral's person, as the passkey, what the central shows to be compared.
            var towardsPeripheral = MethodConfusionTests.settings(.displayOnly)
            towardsPeripheral.passkey = .fixed(digits)
            try scene.beginPairing(scene.towardsPeripheralID, scene.towardsPeripheral, towardsPeripheral)
            scene.world.run(for: .seconds(3))
            if scene.peripheral.asked == [.enter] {
                try scene.answer(.passkey(digits), scene.peripheralID, scene.peripheral)
            }
            try scene.answer(.agree, scene.centralID, scene.central)
            try scene.answer(.agree, scene.towardsCentralID, scene.towardsCentral)
            scene.world.run(for: .seconds(5))
            return scene
        }

        private func playComparingPeripheral(
            _ peripheral: PairingSettings,
            _ central: PairingSettings
        ) throws -> MiddleScene {
            let scene = MiddleScene(
                central: central,
                peripheral: peripheral,
                towardsCentral: MethodConfusionTests.settings(.displayOnly),
                seed: 9
            )
            try scene.connect()
            let towardsPeripheral = MethodConfusionTests.settings(.displayYesNo)
            try scene.beginPairing(scene.towardsPeripheralID, scene.towardsPeripheral, towardsPeripheral)
            scene.world.run(for: .seconds(3))
            guard case .compare(let digits)? = scene.towardsPeripheral.asked.first else { return scene }
            // The attacker shows the central's person, as the passkey, what the peripheral shows to be compared.
            scene.world.perform(on: scene.towardsCentralID) { host, _, _ in
                host.pairingSettings.passkey = .fixed(digits)
            }
            try scene.beginPairing(scene.centralID, scene.central)
            scene.world.run(for: .seconds(3))
            if scene.central.asked == [.enter] {
                try scene.answer(.passkey(digits), scene.centralID, scene.central)
            }
            try scene.answer(.agree, scene.peripheralID, scene.peripheral)
            try scene.answer(.agree, scene.towardsPeripheralID, scene.towardsPeripheral)
            scene.world.run(for: .seconds(5))
            return scene
        }

        func comparer(_ scene: MiddleScene) -> PairingDevice {
            comparing == .central ? scene.central : scene.peripheral
        }

        func typist(_ scene: MiddleScene) -> PairingDevice {
            comparing == .central ? scene.peripheral : scene.central
        }
    }

    @Test(
        "Method confusion works, as the specification leaves it open, where a device can compare and type digits",
        arguments: Attack.both,
        [IOCapability.displayYesNo, .keyboardDisplay]
    )
    func works(_ attack: Attack, _ comparer: IOCapability) throws {
        let scene = try attack.play(Self.settings(comparer), Self.settings(.keyboardDisplay))
        for victim in [scene.central, scene.peripheral] {
            #expect(victim.result?.linkKey.isAuthenticated == true)
            #expect(victim.result?.linkKey.isSecureConnections == true)
        }
        // Two pairings, and each victim has a key with the attacker.
        #expect(scene.central.result?.linkKey.value != scene.peripheral.result?.linkKey.value)
        #expect(scene.central.result?.linkKey.value == scene.towardsCentral.result?.linkKey.value)
        #expect(scene.peripheral.result?.linkKey.value == scene.towardsPeripheral.result?.linkKey.value)
    }

    @Test(
        "What can be noticed: one application is asked to compare digits and the other for a passkey, never the same",
        arguments: Attack.both,
        [IOCapability.displayYesNo, .keyboardDisplay]
    )
    func told(_ attack: Attack, _ io: IOCapability) throws {
        let scene = try attack.play(Self.settings(io), Self.settings(.keyboardDisplay))
        let comparer = attack.comparer(scene), typist = attack.typist(scene)
        guard case .compare? = comparer.asked.first else {
            Issue.record("who compares was asked \(comparer.asked)")
            return
        }
        #expect(comparer.asked.count == 1 && typist.asked == [.enter])
        #expect(comparer.shown == nil && typist.shown == nil)
        #expect(comparer.result?.method == .numericComparison)
        #expect(typist.result?.method == .passkeyEntry(shownBy: attack.comparing))
    }

    @Test(
        "A device that takes numeric comparison only cannot be confused: the attacker gets no pairing with it",
        arguments: Attack.both
    )
    func oneModel(_ attack: Attack) throws {
        let comparer = Self.settings(.displayYesNo, .numericComparison)
        let typist = Self.settings(.keyboardDisplay, .numericComparison)
        let scene = try attack.play(comparer, typist)
        #expect(attack.typist(scene).asked == [] && attack.typist(scene).result == nil)
        #expect(attack.typist(scene).failure == .refused(.authenticationRequirements))
        // The same devices still pair with each other.
        let isCentral = attack.comparing == .central
        let honest = PairingScene(central: isCentral ? comparer : typist, peripheral: isCentral ? typist : comparer)
        try honest.pair()
        #expect(honest.central.result?.method == .numericComparison)
    }

    @Test(
        "Devices without a keyboard cannot be confused: nothing but a comparison is possible, and digits differ",
        arguments: Attack.both
    )
    func noKeyboard(_ attack: Attack) throws {
        let scene = try attack.play(
            Self.settings(.displayYesNo, .all, .required),
            Self.settings(.displayYesNo, .all, .required)
        )
        #expect(attack.typist(scene).asked == [] && attack.typist(scene).result == nil)
    }
}
