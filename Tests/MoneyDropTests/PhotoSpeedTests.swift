import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import Foundation
import Testing

@Suite("A photo of 2 MB, with messages in between")
struct PhotoSpeedTests {
    @Test(
        "It comes at 97 % of what the air can carry, and each message is answered within 100 ms, encrypted or not",
        arguments: [true, false]
    )
    func speed(isEncrypted: Bool) throws {
        let scene = MoneyScene(deposit: 1_000, logsAir: false)
        let photo = picture(2_000_000)
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: photo) { $0.encryptsChannel = isEncrypted }
        ben.drop.look(true)
        func received() -> UInt64 {
            if case .coming(let count, _)? = ben.sees(anna)?.photo { return count }
            return ben.sees(anna)?.photo == .complete(2_000_000) ? 2_000_000 : 0
        }
        try scene.air.run(until: received() > 50_000, within: .seconds(5))
        let world = scene.air.world
        let began = world.now, first = received()
        var latencies: [Double] = []
        var sentCount = 0
        // From when the bank has paid, which is when the message can be written, to its answer.
        var paid: Instant?
        ben.drop.changed = {
            switch ben.wallet.wallet.outgoing.last?.state {
            case .paid: paid = paid ?? world.now
            case .told:
                if let start = paid { latencies.append(Double((world.now - start).nanoseconds) / 1e6) }
                paid = nil
            default: break
            }
        }
        while received() < 1_950_000 {
            if latencies.count == sentCount {
                _ = try ben.send(1, to: anna)
                sentCount += 1
            }
            world.run(for: .milliseconds(received() < 1_850_000 ? 1_000 : 2))
        }
        let seconds = Double((world.now - began).nanoseconds) / 1e9
        let share = Double(received() - first) / seconds / Self.limit(isEncrypted)
        let longest = try #require(latencies.max())
        print("a photo at \(share * 100) % of the air, \(latencies.count) messages, the slowest \(longest) ms")
        #expect((0.97...1).contains(share), "\(share)")
        #expect(latencies.count > 10 && longest < 100)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(2_000_000), within: .seconds(5))
        #expect(ben.drop.photo(of: try #require(ben.sees(anna)?.id)) == photo)
        try scene.air.run(until: anna.screen.notices.count == sentCount, within: .seconds(2))
    }

    /// Bytes of Link Layer payload in one direction in a second on LE 2M: 251 bytes with 11 around them and, where they
    /// are encrypted, a MIC of 4; the empty packet of the other side, which has none; and 150 µs after each.
    private static func limit(_ isEncrypted: Bool) -> Double {
        let frames = 251 + 2 * 11 + (isEncrypted ? 4 : 0)
        return 251_000_000 / Double(frames * 4 + 2 * 150)
    }
}
