import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Foundation
import Testing

/// Random bytes against every decoder of this layer: no trap, nothing but `DecodeError`, and what was understood is
/// written and understood again.
@Suite("Fuzz: HCI packets")
struct HCIFuzzTests {
    static let inputs = ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? 100_000

    /// A sample with a few bytes changed, or its length, or random bytes behind a header that mostly makes sense.
    private func mutate(_ samples: [[UInt8]], lengthAt index: Int, random: inout SeededRandom) -> [UInt8] {
        var packet = samples[Int(random.next(below: UInt64(samples.count)))]
        switch random.next(below: 8) {
        case 0:
            let header = min(packet.count, index + (packet[0] == 4 ? 2 : 1))
            packet = Array(packet[..<header]) + random.bytes(Int(random.next(below: 80)))
        case 1: packet = random.bytes(Int(random.next(below: 60)))
        case 2: packet.removeLast(Int(random.next(below: UInt64(packet.count))))
        case 3: packet += random.bytes(Int(random.next(below: 10)))
        default: break
        }
        for _ in 0..<random.next(below: 4) where !packet.isEmpty {
            packet[Int(random.next(below: UInt64(packet.count)))] = UInt8(truncatingIfNeeded: random.next())
        }
        if packet.count > index, random.next(below: 8) != 0 {
            packet[index] = UInt8(truncatingIfNeeded: packet.count - index - 1)
        }
        return packet
    }

    @Test("Damaged commands are read or refused")
    func commands() {
        var random = SeededRandom(seed: 1, purpose: "fuzz commands")
        let samples = Samples.commands.map { $0.packet() }
        var understood = 0
        for _ in 0..<Self.inputs {
            let packet = mutate(samples, lengthAt: 3, random: &random)
            guard let command = try? Command(parsing: packet) else { continue }
            understood += 1
            let again = command.packet()
            if (try? Command(parsing: again)) != command {
                Issue.record("\(packet.hex) was read as \(command) and written as \(again.hex)")
            }
        }
        #expect(understood > Self.inputs / 10)
    }

    @Test("Damaged events are read or refused")
    func events() {
        var random = SeededRandom(seed: 2, purpose: "fuzz events")
        let samples = Samples.events.map { $0.packet() }
        var understood = 0
        for _ in 0..<Self.inputs {
            let packet = mutate(samples, lengthAt: 2, random: &random)
            guard let event = try? Event(parsing: packet) else { continue }
            understood += 1
            let again = event.packet()
            if (try? Event(parsing: again)) != event {
                Issue.record("\(packet.hex) was read as \(event) and written as \(again.hex)")
            }
        }
        #expect(understood > Self.inputs / 10)
    }

    @Test("Damaged return parameters are read or refused")
    func returnParameters() throws {
        var random = SeededRandom(seed: 3, purpose: "fuzz return parameters")
        var understood = 0
        for _ in 0..<Self.inputs {
            let sample = Samples.returns[Int(random.next(below: UInt64(Samples.returns.count)))]
            var bytes = sample.bytes
            if random.next(below: 4) == 0 { bytes = random.bytes(Int(random.next(below: 70))) }
            for _ in 0..<random.next(below: 4) where !bytes.isEmpty {
                bytes[Int(random.next(below: UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let written = try? sample.rewritten(bytes) else { continue }
            understood += 1
            if try sample.rewritten(written) != written {
                Issue.record("\(sample.opcode): \(bytes.hex) was written as \(written.hex)")
            }
        }
        #expect(understood > Self.inputs / 10)
    }

    @Test("Random ACL headers are read or refused")
    func acl() {
        var random = SeededRandom(seed: 4, purpose: "fuzz acl")
        var understood = 0
        for _ in 0..<Self.inputs {
            var packet = random.bytes(Int(random.next(below: 40)))
            if packet.count >= 5, random.next(below: 4) != 0 {
                packet[0] = 2
                packet[2] &= 0x3F
                packet[3] = UInt8(packet.count - 5)
                packet[4] = 0
            }
            var bytes = packet.span.bytes
            guard let header = try? ACLHeader(parsing: &bytes) else { continue }
            understood += 1
            var again = packet
            ACLHeader.write(handle: header.handle, boundary: header.boundary, into: &again)
            if again != packet { Issue.record("\(packet.hex) was written as \(again.hex)") }
        }
        #expect(understood > Self.inputs / 10)
    }

    @Test("Random streams are cut into packets or die, and no byte is lost")
    func framing() {
        var random = SeededRandom(seed: 5, purpose: "fuzz framing")
        for _ in 0..<(Self.inputs / 10) {
            var framing = H4Framing()
            var taken = 0
            var given = 0
            do throws(H4FramingError) {
                for _ in 0..<8 {
                    var piece = random.bytes(Int(random.next(below: 24)))
                    if !piece.isEmpty, random.next(below: 4) != 0 { piece[0] = 1 + UInt8(random.next(below: 5)) }
                    given += piece.count
                    framing.append(piece)
                    while let packet = try framing.nextPacket() { taken += packet.count }
                    if taken + framing.pendingCount != given { Issue.record("bytes were lost") }
                }
            } catch {
                if framing.pendingCount != 0 { Issue.record("a dead stream keeps bytes") }
            }
        }
    }
}
