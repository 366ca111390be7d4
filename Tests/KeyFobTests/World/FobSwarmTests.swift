import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Worlds with loss, drift and a fob that is carried about: whatever becomes of the connection, both ends agree in the
/// end, and the fob can be found again.
@Suite("Swarm of key fobs on the air")
struct FobSwarmTests {
    /// What a life leaves behind, to be compared with another of the same seed.
    private struct Trace: Equatable {
        var digest: TraceDigest
        var notices: [KeyFobNotice]
    }

    @Test("Carried about, pressed, written to and disconnected, the fob is found again", arguments: swarmSeeds(12))
    func life(seed: UInt64) throws { _ = try live(seed: seed) }

    @Test("The same seed gives the same life")
    func sameSeed() throws {
        #expect(try live(seed: 99) == live(seed: 99))
        #expect(try live(seed: 99).digest != live(seed: 98).digest)
    }

    private func live(seed: UInt64) throws -> Trace {
        var random = SeededRandom(seed: seed, purpose: "a key fob's week")
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        let drift = (fob: Int64(random.next(below: 101)) - 50, phone: Int64(random.next(below: 101)) - 50)
        let it = FobWorld(seed: seed, options: options, drift: drift)
        it.world.setLossEverywhere(Ratio.percent(Int32(random.next(below: 16))))
        it.world.run(for: .seconds(2))
        for _ in 0..<30 {
            try step(it, using: &random)
            it.world.run(for: random.span(upTo: .seconds(3)))
            #expect(!(it.fob.model.isConnected && it.fob.model.isAdvertising), "seed \(seed)")
            #expect(it.fob.model.isConnected == (it.fob.connection != nil), "seed \(seed)")
        }
        // Heal: near again, no loss. Both ends agree, and the fob is found.
        it.world.setLossEverywhere(.never)
        it.world.move(it.fobID, to: .origin)
        it.world.run(for: .seconds(40))
        #expect((it.fob.connection != nil) == (it.phone.connection != nil), "seed \(seed): the ends disagree")
        if it.phone.connection == nil {
            try? it.order { try $0.cancelConnect(at: $1, into: &$2) }
            it.world.run(for: .seconds(1))
            if it.phone.connection == nil {
                if !it.fob.model.isAdvertising {
                    it.touch { it.fob.toggleAdvertising(host: $0, at: $1, into: &$2) }
                }
                try it.connect()
            }
        }
        #expect(try it.read(0x0003) == .value(Array("TI BLE Keyfob".utf8)), "seed \(seed)")
        return Trace(digest: it.world.digest, notices: it.fob.takeNotices())
    }

    private func step(_ it: FobWorld, using random: inout SeededRandom) throws {
        let key = Bool.random(using: &random) ? KeyFobKey.left : .right
        switch random.next(below: 9) {
        case 0, 1: it.touch { it.fob.click(key, host: $0, at: $1, into: &$2) }
        case 2:
            let metres = Double(random.next(below: 60))
            it.world.move(it.fobID, to: .metres(x: metres))
        case 3: it.world.move(it.fobID, to: .metres(x: 100_000))
        case 4: it.world.move(it.fobID, to: .origin)
        case 5:
            let percent = Int(random.next(below: 101))
            it.touch { it.fob.setBattery(percent: percent, host: $0, at: $1, into: &$2) }
        case 6:
            guard let connection = it.phone.connection?.id else { return }
            let level = UInt8(random.next(below: 3))
            let handle: AttributeHandle = Bool.random(using: &random) ? 0x0025 : 0x0028
            _ = try? it.order { try $0.write([level], connection, handle, at: $1, into: &$2) }
        case 7:
            guard let connection = it.phone.connection?.id else { return }
            try? it.order { try $0.disconnect(connection, at: $1, into: &$2) }
        default:
            guard it.phone.connection == nil else { return }
            try? it.order { try $0.connect(to: KeyFobDevice.address(), at: $1, into: &$2) }
        }
    }
}
