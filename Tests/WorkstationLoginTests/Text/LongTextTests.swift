import BluethroatVirtualTime
import Foundation
import FuzzInputs
import Testing

@testable import BluethroatWorkstationLogin

@Suite("4409 bytes over bad air")
struct LongTextTests {
    private static let lengths = [23, 185, 517]
    /// How many seeds each length is given; without a given a thousand, or usually 300, are shared among the three.
    private static let given = ProcessInfo.processInfo.environment["BLUETHROAT_TEXT_SEEDS"].flatMap(UInt64.init)
    private static let batch: UInt64 = 50
    private static let batches = Array(0..<((given ?? Effort.count(1_000, usually: 300)) + batch - 1) / batch)

    /// A world of its own: connect, and send the text both ways at once, with a tenth of all packets lost.
    private static func arrives(seed: UInt64, mtu: Int) throws -> Bool {
        let scene = TextScene(seed: seed, mtu: mtu, loss: 10)
        try scene.connect()
        guard scene.client.mode == .framed else { return false }
        scene.client.sendLongText()
        scene.server.sendLongText()
        scene.run(for: .seconds(30)) {
            scene.server.pad.lines.last?.hasSuffix("END") == true
                && scene.client.pad.lines.last?.hasSuffix("END") == true
        }
        return scene.atServer == [LongText.text] && scene.atClient == [LongText.text]
    }

    @Test(
        "The text arrives intact at MTU 23, 185 and 517, both ways, with 10 % of all packets lost",
        arguments: batches
    )
    func intact(batch: UInt64) throws {
        for seed in batch * Self.batch..<(batch + 1) * Self.batch {
            for (index, mtu) in Self.lengths.enumerated() where Self.given != nil || seed % 3 == index {
                #expect(try Self.arrives(seed: seed, mtu: mtu), "seed \(seed), MTU \(mtu)")
            }
        }
    }

    @Test("Without headers nothing is lost either", arguments: lengths)
    func raw(mtu: Int) throws {
        for seed in 0..<10 as Range<UInt64> {
            let scene = TextScene(seed: seed, mtu: mtu, loss: 10, usesFramedMode: false)
            try scene.connect()
            scene.client.sendLongText()
            scene.server.sendLongText()
            scene.run(for: .seconds(5))
            #expect(
                scene.atServer.joined() == LongText.text && scene.atClient.joined() == LongText.text,
                "seed \(seed)"
            )
        }
    }
}
