import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Method confusion (von Tschirschnitz and others, 2021): a man in the middle lets one victim compare digits and asks the
/// other one to type them. Both are six digits, and a person who does as the devices say lets him in.
///
///     central ── numeric comparison: 123456 ── attacker ── passkey entry: 123456 ── peripheral
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

    /// Plays the attack as far as it goes; the person types what the central shows, and agrees there.
    private func attack(_ central: PairingSettings, _ peripheral: PairingSettings) throws -> MiddleScene {
        let scene = MiddleScene(
            central: central,
            peripheral: peripheral,
            towardsCentral: Self.settings(.displayYesNo),
            seed: 9
        )
        try scene.connect()
        try scene.beginPairing(scene.centralID, scene.central)
        scene.world.run(for: .seconds(3))
        guard case .compare(let digits)? = scene.towardsCentral.asked.first else { return scene }
        // The attacker shows the peripheral's person, as the passkey, what the central shows to be compared.
        var towardsPeripheral = Self.settings(.displayOnly)
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

    @Test("Method confusion works, as the specification leaves it open, where a device can compare and type digits")
    func works() throws {
        let scene = try attack(Self.settings(.displayYesNo), Self.settings(.keyboardDisplay))
        for victim in [scene.central, scene.peripheral] {
            #expect(victim.result?.linkKey.isAuthenticated == true)
            #expect(victim.result?.linkKey.isSecureConnections == true)
        }
    }

    @Test("What can be noticed: one application is asked to compare digits and the other for a passkey, never the same")
    func told() throws {
        let scene = try attack(Self.settings(.displayYesNo), Self.settings(.keyboardDisplay))
        guard case .compare? = scene.central.asked.first else {
            Issue.record("the central was asked \(scene.central.asked)")
            return
        }
        #expect(scene.peripheral.asked == [.enter] && scene.central.shown == nil)
        #expect(scene.central.result?.method == .numericComparison)
        #expect(scene.peripheral.result?.method == .passkeyEntry(shownBy: .central))
    }

    @Test("A device that takes numeric comparison only cannot be confused: the attacker gets no pairing with it")
    func oneModel() throws {
        let scene = try attack(
            Self.settings(.displayYesNo, .numericComparison),
            Self.settings(.keyboardDisplay, .numericComparison)
        )
        #expect(scene.peripheral.asked == [] && scene.peripheral.result == nil)
        #expect(scene.peripheral.failure == .refused(.authenticationRequirements))
        // The same devices still pair with each other.
        let honest = PairingScene(
            central: Self.settings(.displayYesNo, .numericComparison),
            peripheral: Self.settings(.keyboardDisplay, .numericComparison)
        )
        try honest.pair()
        #expect(honest.central.result?.method == .numericComparison)
    }

    @Test("Devices without a keyboard cannot be confused: nothing but a comparison is possible, and digits differ")
    func noKeyboard() throws {
        let scene = try attack(
            Self.settings(.displayYesNo, .all, .required),
            Self.settings(.displayYesNo, .all, .required)
        )
        #expect(scene.peripheral.asked == [] && scene.peripheral.result == nil)
    }
}
