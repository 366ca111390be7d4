import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatHost

/// PDUs in any state, any order, any length, with people who say anything and controllers that do anything. Nothing may
/// trap, no key is released that was not agreed on, and afterwards all works as before.
@Suite("Fuzz: SMP")
struct SMPFuzzTests {
    @Test("Decoders take any bytes, and write again what they understood")
    func decoders() {
        var random = FuzzInput(seed: 1, purpose: "SMP decoder fuzz")
        var understood = 0
        for _ in 0..<Fuzzing.inputs {
            let bytes = FuzzedSMP.pdu(&random)
            if let pdu = try? SMPPDU(parsing: bytes.span.bytes) {
                understood += 1
                #expect(pdu.bytes == bytes)
            }
        }
        #expect(understood > Fuzzing.inputs / 10)
    }

    @Test(
        "One end takes anything in any order, from the beginning or after an honest start, and is clean after it",
        arguments: 0..<8 as Range<UInt64>
    )
    func machine(seed: UInt64) throws {
        var fuzz = try HostilePairing(
            FuzzInput(seed: seed, purpose: "SMP machine fuzz"),
            seed: seed,
            startsHonestly: seed % 2 == 1
        )
        for _ in 0..<(Fuzzing.inputs / 8) { try fuzz.step() }
        try fuzz.checkWorks()
        // How far it came says something only if it had time to come far.
        guard Fuzzing.inputs >= 40_000 else { return }
        #expect(fuzz.pairings > Fuzzing.inputs / 1_000, "seed \(seed)")
        #expect(fuzz.ended > Fuzzing.inputs / 1_000, "seed \(seed)")
    }

    @Test("Two ends on a line that damages PDUs never end with different keys", arguments: 0..<10 as Range<UInt64>)
    func damagedLine(seed: UInt64) throws {
        var random = FuzzInput(seed: seed, purpose: "damaged SMP line")
        var finished = 0
        for round in 0..<UInt64(Fuzzing.inputs / 1_000) {
            let way = Way.all[Int(random.next(below: UInt64(Way.all.count)))]
            var pair = try way.pair(seed: seed << 32 | round)
            var line = FuzzInput(seed: seed, device: round, purpose: "damaged SMP line")
            pair.mangle = { _, _, pdu in
                if line.next(below: 12) == 0 { line.damage(&pdu) }
                return line.next(below: 50) != 0
            }
            try pair.pair()
            pair.advance(by: .seconds(30))
            pair.advance(by: .seconds(30))
            #expect(pair.isClean, "seed \(seed), round \(round)")
            if let central = pair.results(0).first, let peripheral = pair.results(1).first {
                finished += 1
                #expect(central.linkKey == peripheral.linkKey, "seed \(seed), round \(round)")
                #expect(central.linkKey == pair.linkKey, "seed \(seed), round \(round)")
            }
        }
        if Fuzzing.inputs >= 50_000 { #expect(finished > 0, "seed \(seed)") }
    }
}
