import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import SceneRecords

/// Two devices pair, use what they have agreed on, meet again with the keys they keep, and change them.
enum PairingScenes {
    static let all = [
        RecordedScene("pairing-legacy", seeds: 25) { try pairing(seed: $0, .never) },
        RecordedScene("pairing-secure", seeds: 25) { try pairing(seed: $0, .preferred) },
        RecordedScene("pairing-loss", seeds: 4) { try pairing(seed: $0 * 6, $0 % 2 == 0 ? .never : .only, loss: 8) },
        RecordedScene("pairing-wrong-passkey", seeds: 4, run: wrongPasskey),
        RecordedScene("pairing-refused", seeds: 4, run: refused),
        RecordedScene("pairing-out-of-band", seeds: 2, run: outOfBand),
        RecordedScene("signed-writes", seeds: 3, run: signedWrites),
    ]

    /// Seeds 1 to 25 go through all pairs of input and output capabilities.
    private static func pairing(
        seed: UInt64,
        _ secureConnections: PairingSettings.SecureConnections,
        loss: Int32 = 0
    ) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: loss)
        let number = UInt8((seed - 1) % 25)
        let isBonding = seed % 3 != 0
        let (central, peripheral) = scene.addPair(host: { end, host in
            host.pairing.inputOutput = IOCapability(rawValue: end == 0 ? number % 5 : number / 5)!
            host.pairing.secureConnections = secureConnections
            host.pairing.bonding = isBonding
            host.pairing.keypressNotifications = seed % 5 == 2
            host.pairing.maximumKeySize = secureConnections == .never && seed % 7 == 3 ? 9 : 16
        })
        try scene.connect(central, to: peripheral)
        if seed % 4 == 0 {
            let refusal = try scene.result(of: central) { try $0.read($1, Table.protected, at: $2, into: &$3) }
            guard case .failed = refusal else { throw SceneFailure("a protected value was read without a key") }
        }
        try pair(scene, central, peripheral, asks: seed % 2 == 0)
        try use(scene, central)
        try scene.disconnect(seed % 2 == 0 ? peripheral : central, from: seed % 2 == 0 ? central : peripheral)
        guard isBonding else { return scene.record }

        try scene.connect(central, to: peripheral)
        let before = central.pairing.encryptions
        try scene.expect("encrypted with the bond's key") {
            before > 1 || central.pairing.encryptions > 1
        }
        try use(scene, central)
        if seed % 3 == 1 {
            // Other keys on a link that is encrypted: encryption pauses and starts again.
            central.forgetPairing()
            peripheral.forgetPairing()
            try pair(scene, central, peripheral, asks: false)
            try use(scene, central)
        }
        return scene.record
    }

    /// Has the peripheral ask for security, or the central pair by itself; it must succeed on both sides.
    private static func pair(
        _ scene: SceneWorld,
        _ central: SceneApplication,
        _ peripheral: SceneApplication,
        asks: Bool
    ) throws {
        if asks {
            try scene.onLink(of: peripheral) { try $0.requestSecurity($1, at: $2, into: &$3) }
        } else {
            try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
        }
        try scene.expect("a pairing ended", within: .seconds(30)) {
            central.pairing.isOver && peripheral.pairing.isOver
        }
        guard let failure = central.pairing.failures.first ?? peripheral.pairing.failures.first else { return }
        throw SceneFailure("pairing failed: \(failure)")
    }

    private static func use(_ scene: SceneWorld, _ central: SceneApplication) throws {
        let value = try scene.result(of: central) { try $0.read($1, Table.protected, at: $2, into: &$3) }
        guard case .value = value else { throw SceneFailure("a protected value was not read: \(value)") }
        let written = try scene.result(of: central) { try $0.write([7, 8], $1, Table.protected, at: $2, into: &$3) }
        guard written == .written else { throw SceneFailure("a protected value was not written: \(written)") }
        scene.run(milliseconds: 700)
    }

    private static func wrongPasskey(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair(host: { end, host in
            host.pairing.inputOutput = end == Int(seed % 2) ? .displayOnly : .keyboardOnly
            host.pairing.secureConnections = seed <= 2 ? .never : .preferred
        })
        for device in [central, peripheral] { device.typed = Passkey(UInt32(seed)) }
        try scene.connect(central, to: peripheral)
        try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
        try scene.expect("both know that it failed") {
            !central.pairing.failures.isEmpty && !peripheral.pairing.failures.isEmpty
        }
        for device in [central, peripheral] {
            device.typed = nil
            device.forgetPairing()
        }
        // Attempts too soon after one that failed are refused.
        scene.run(milliseconds: 3_000)
        try pair(scene, central, peripheral, asks: false)
        try use(scene, central)
        return scene.record
    }

    /// One side demands what the other cannot give.
    private static func refused(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair(host: { end, host in
            guard end == Int(seed % 2) else {
                host.pairing.secureConnections = .never
                return
            }
            if seed <= 2 { host.pairing.protection = .required } else { host.pairing.secureConnections = .only }
        })
        try scene.connect(central, to: peripheral)
        try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
        try scene.expect("both know that it failed") {
            !central.pairing.failures.isEmpty && !peripheral.pairing.failures.isEmpty
        }
        let value = try scene.result(of: central) { try $0.read($1, Table.protected, at: $2, into: &$3) }
        guard case .failed = value else { throw SceneFailure("a protected value was read without a key") }
        scene.run(milliseconds: 1_000)
        return scene.record
    }

    private static func outOfBand(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair(host: { _, host in host.pairing.protection = .required })
        try scene.connect(central, to: peripheral)
        for (device, other) in [(central, peripheral), (peripheral, central)] where seed == 1 || device === central {
            let data = try scene.order(other) { host, _, _ in host.makeOutOfBandData() }
            try scene.onLink(of: device) { host, link, _, _ in
                var settings = host.pairingSettings
                settings.outOfBand = ReceivedOutOfBand(secureConnections: data)
                try host.setPairingSettings(settings, on: link)
            }
        }
        try pair(scene, central, peripheral, asks: false)
        guard central.pairing.results.first?.method == .outOfBand else { throw SceneFailure("another method") }
        try use(scene, central)
        return scene.record
    }

    /// Data with a signature goes over a link without encryption.
    private static func signedWrites(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: 5)
        let (central, peripheral) = scene.addPair(host: { _, host in
            host.encryptsBondedLinks = false
            host.pairing.givenKeys.insert(.signing)
            host.pairing.takenKeys.insert(.signing)
        })
        try scene.connect(central, to: peripheral)
        try pair(scene, central, peripheral, asks: false)
        scene.run(milliseconds: 500)
        try scene.disconnect(central, from: peripheral)
        try scene.connect(central, to: peripheral)
        for number in 1...5 as ClosedRange<UInt8> {
            try scene.onLink(of: central) {
                _ = try $0.writeSigned([number, UInt8(seed)], $1, Table.signed, at: $2, into: &$3)
            }
            scene.run(milliseconds: 200)
        }
        try scene.expect("signed values arrived") { peripheral.values.written == 5 }
        return scene.record
    }
}
