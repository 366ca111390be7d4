import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatHost

/// Random and damaged PDUs for both roles. Nothing may trap, memory stays bounded, and afterwards all works as before.
@Suite("Fuzz: ATT and GATT")
struct GATTFuzzTests {
    @Test("Decoders take any bytes, and write again what they understood")
    func decoders() {
        var random = FuzzInput(seed: 1, purpose: "ATT decoder fuzz")
        var understood = 0
        for _ in 0..<Fuzzing.inputs {
            let bytes = FuzzedATT.pdu(&random)
            if let pdu = try? ATTPDU(parsing: bytes.span.bytes) {
                understood += 1
                #expect(pdu.bytes == bytes)
            }
        }
        #expect(understood > Fuzzing.inputs / 10)
    }

    @Test("A server answers every request with one PDU that fits, and nothing else", arguments: 0..<4 as Range<UInt64>)
    func server(seed: UInt64) throws {
        var fuzz = HostileClient(FuzzInput(seed: seed, purpose: "ATT server fuzz"))
        for _ in 0..<(Fuzzing.inputs / 4) { fuzz.step() }
        try fuzz.checkWorks()
        // How far it came says something only if it had time to come far.
        guard Fuzzing.inputs >= 40_000 else { return }
        #expect(fuzz.answered > Fuzzing.inputs / 20, "seed \(seed)")
        #expect(fuzz.asked > Fuzzing.inputs / 10_000, "seed \(seed)")
    }

    @Test("A client ends each procedure once, whatever the server says", arguments: 0..<4 as Range<UInt64>)
    func client(seed: UInt64) throws {
        var fuzz = HostileServer(FuzzInput(seed: seed, purpose: "ATT client fuzz"))
        for _ in 0..<(Fuzzing.inputs / 4) { fuzz.step() }
        #expect(fuzz.ended > Fuzzing.inputs / 100, "seed \(seed)")
        #expect(fuzz.succeeded > Fuzzing.inputs / 1_000, "seed \(seed)")
        try fuzz.checkWorks()
    }

    @Test(
        "A client and a server understand each other again after a line that damages every tenth PDU",
        arguments: 0..<20 as Range<UInt64>
    )
    func damagedLine(seed: UInt64) throws {
        var random = FuzzInput(seed: seed, purpose: "damaged line")
        var server = ATTEnd(maximumMTU: 100)
        server.server.database = SampleDatabase.make
        var pair = ATTPair(ATTEnd(maximumMTU: 517), server)
        pair.read = { [UInt8(truncatingIfNeeded: $0.rawValue)] }
        pair.mangle = { pdu in
            if random.next(below: 10) == 0 { random.damage(&pdu) }
        }
        var choices = FuzzInput(seed: seed, purpose: "damaged line orders")
        var ended = 0
        let orders = Fuzzing.inputs / 200
        for _ in 0..<orders {
            let procedure = FuzzedATT.procedure(&choices)
            if try pair.run(procedure) != nil {
                ended += 1
            } else {
                // Something got lost; the bearer times out and the connection begins anew.
                for end in 0..<2 {
                    pair.perform(end) { layer, _, actions in
                        layer.close(ATTPair.connection, into: &actions)
                        layer.open(ATTPair.connection)
                    }
                }
            }
        }
        if orders >= 50 { #expect(ended > orders / 3, "seed \(seed)") }
        pair.mangle = { _ in }
        for end in 0..<2 {
            pair.perform(end) { layer, _, actions in
                layer.close(ATTPair.connection, into: &actions)
                layer.open(ATTPair.connection)
            }
        }
        let database = SampleDatabase.make.discoverable
        #expect(try pair.run(.everything(FullDiscovery())) == .database(database), "seed \(seed)")
    }
}
