import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Somebody stands between two devices and pairs with each of them in the name of the other.
@Suite("A man in the middle")
struct ManInTheMiddleTests {
    @Test("With numeric comparison the two victims see different digits", arguments: UInt64(1)...20)
    func numericComparison(seed: UInt64) throws {
        let scene = MiddleScene(.displayYesNo, seed: seed)
        try scene.begin()
        let victims = try [scene.central, scene.peripheral].map { try #require($0.asked.first) }
        #expect(victims[0] != victims[1])
        // Each leg is sound in itself: the attacker sees what his victim sees.
        #expect(scene.towardsCentral.asked.first == victims[0])
        #expect(scene.towardsPeripheral.asked.first == victims[1])
    }

    @Test("People who see different digits say no, and nothing of either pairing is left")
    func refused() throws {
        let scene = MiddleScene(.displayYesNo, seed: 4)
        try scene.begin()
        try scene.answerAll(victims: .refuse, attacker: .agree)
        scene.world.run(for: .seconds(5))
        for device in scene.all {
            #expect(device.result == nil)
            #expect(device.savedBonds.isEmpty)
        }
        #expect(scene.central.failure == .refused(.numericComparisonFailed))
        #expect(scene.peripheral.failure == .refused(.numericComparisonFailed))
    }

    @Test("A passkey shown on one victim and typed into the other helps the attacker to nothing")
    func passkey() throws {
        // The central shows, and its person types the digits into the peripheral: the attacker has to answer on both
        // sides with digits that he does not know.
        var central = PairingSettings(), peripheral = PairingSettings()
        central.inputOutput = .displayOnly
        peripheral.inputOutput = .keyboardOnly
        let scene = MiddleScene(central: central, peripheral: peripheral, attackerIO: .keyboardDisplay, seed: 6)
        try scene.begin()
        let digits = try #require(scene.central.shown)
        try scene.answer(.passkey(digits), scene.peripheralID, scene.peripheral)
        let guess = try #require(Passkey(123_456))
        try scene.answer(.passkey(guess), scene.towardsCentralID, scene.towardsCentral)
        scene.world.run(for: .seconds(5))
        #expect(scene.central.result == nil && scene.peripheral.result == nil)
        // The responder checks first, on either leg: the peripheral finds the attacker out. Towards the central it is the
        // attacker who sees that he has nothing to answer with.
        #expect(scene.peripheral.failure == .refused(.confirmValueFailed))
        #expect(scene.central.failure == .refusedByPeer(.confirmValueFailed))
    }

    @Test("Just Works notices nothing, which is why it does not count as authenticated")
    func justWorks() throws {
        let scene = MiddleScene(.noInputNoOutput, seed: 5)
        try scene.begin()
        scene.world.run(for: .seconds(5))
        for device in scene.all {
            #expect(device.result?.linkKey.isAuthenticated == false)
        }
    }
}
