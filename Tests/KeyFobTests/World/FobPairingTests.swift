import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("The key fob pairs as TI's does")
struct FobPairingTests {
    private func options(_ demand: KeyFobPairing.Demand) -> KeyFobOptions {
        var options = KeyFobOptions()
        options.pairing.demand = demand
        return options
    }

    private var keyboard: PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = .keyboardOnly
        return settings
    }

    /// Pairs, typing these digits if they are asked for; what the telephone has made of it.
    private func pair(_ it: FobWorld, _ settings: PairingSettings, typing digits: UInt32 = 0) throws {
        let id = try #require(it.phone.connection).id
        try it.order { host, now, actions in try host.pair(id, settings: settings, at: now, into: &actions) }
        let isAsked = it.world.run(for: .seconds(5)) { it.phone.wantsPasskey || it.phone.pairing != nil }
        try #require(isAsked)
        if it.phone.wantsPasskey {
            let passkey = try #require(Passkey(digits))
            try it.order { host, now, actions in try host.answer(.passkey(passkey), on: id, at: now, into: &actions) }
            try #require(it.world.run(for: .seconds(5)) { it.phone.pairing != nil })
        }
        // The fob has the last word of it a moment later.
        it.world.run(for: .milliseconds(200))
    }

    private func refusal(_ result: ProcedureResult) -> ATTError? {
        if case .failed(.refused(let error, _, _)) = result { error } else { nil }
    }

    @Test("A fob that demands nothing is read without pairing, and pairs all the same")
    func nothingDemanded() throws {
        let it = try FobWorld.connected()
        #expect(try refusal(it.read(0x002F)) == nil)
        try pair(it, keyboard)
        #expect(try it.phone.pairing?.get().method == .passkeyEntry(shownBy: .peripheral))
    }

    @Test("What is refused until the link is encrypted, and what everybody may know")
    func demandsEncryption() throws {
        let it = try FobWorld.connected(options: options(.encryption))
        for handle: AttributeHandle in [0x0025, 0x002B, 0x002F, 0x0034] {
            #expect(try refusal(it.read(handle)) == .insufficientAuthentication, "\(handle)")
        }
        #expect(try refusal(it.write([1], 0x0025)) == .insufficientAuthentication)
        // The configuration of the keys: to be notified is to be given the value.
        #expect(try refusal(it.write([1, 0], 0x0048)) == .insufficientAuthentication)
        #expect(try refusal(it.read(0x0048)) == nil)
        #expect(try refusal(it.read(0x0003)) == nil)
        try it.writeCommand([2], 0x0028)
        #expect(!it.changes().contains(.alert(.high, .immediate)), "a command that may not be is dropped")

        var nobody = PairingSettings()
        nobody.protection = .notWanted
        try pair(it, nobody)
        #expect(try it.phone.pairing?.get().method == .justWorks)
        #expect(try refusal(it.read(0x002F)) == nil)
        #expect(try refusal(it.write([1, 0], 0x0048)) == nil)
        try it.writeCommand([2], 0x0028)
        #expect(it.changes().contains(.alert(.high, .immediate)))
    }

    @Test("A fob that demands authentication is not content with Just Works")
    func demandsAuthentication() throws {
        let it = try FobWorld.connected(options: options(.authentication))
        try pair(it, PairingSettings())
        #expect(try it.phone.pairing?.get().method == .justWorks)
        #expect(try refusal(it.read(0x002F)) == .insufficientAuthentication)
        it.phone.pairing = nil
        try pair(it, keyboard)
        #expect(try refusal(it.read(0x002F)) == nil)
    }

    @Test("Its passkey is 000000, it shows it, and who watches is told how it went without a key")
    func passkey() throws {
        let it = try FobWorld.connected()
        _ = it.changes()
        try pair(it, keyboard)
        let changes = it.changes()
        let peer = try #require(it.phone.connection).id
        #expect(peer == it.phone.connection?.id)
        #expect(changes.contains { if case .passkey(_, let digits) = $0 { digits.value == 0 } else { false } })
        let pairings: [KeyFobNotice.Pairing] = changes.compactMap {
            if case .paired(_, let pairing) = $0 { pairing } else { nil }
        }
        #expect(pairings.count == 1)
        #expect(pairings.first?.isAuthenticated == true && pairings.first?.isBonded == true)
        // Of Core 4.0.
        #expect(pairings.first?.isSecureConnections == false)
        #expect(changes.contains { if case .encrypted(_, let link) = $0 { link.isEncrypted } else { false } })
    }

    @Test("A wrong passkey is told by both, and leaves nothing")
    func wrongPasskey() throws {
        let it = try FobWorld.connected()
        try pair(it, keyboard, typing: 1)
        #expect(throws: PairingFailure.refusedByPeer(.confirmValueFailed)) { try it.phone.pairing?.get() }
        let failures = it.changes().filter { if case .pairingFailed = $0 { true } else { false } }
        #expect(failures.count == 1)
        #expect(it.world.perform(on: it.fobID) { host, _, _ in host.bonds }?.isEmpty == true)
    }

    @Test("A bonded central that has lost the keys may pair anew")
    func again() throws {
        let it = try FobWorld.connected()
        try pair(it, keyboard)
        _ = try it.phone.pairing?.get()
        it.phone.pairing = nil
        try pair(it, keyboard)
        #expect(try it.phone.pairing?.get().isBonded == true)
        #expect(it.world.perform(on: it.fobID) { host, _, _ in host.bonds }?.count == 1)
    }
}
