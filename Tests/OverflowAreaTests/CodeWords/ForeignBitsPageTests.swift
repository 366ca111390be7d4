import BluethroatOverflowArea
import BluethroatVirtualTime
import Foundation
import Testing

/// What is got of payloads whose phone has bits of other apps in its area, wherever these fall.
@Suite("The page docs/overflow.md and foreign bits")
struct ForeignBitsPageTests {
    private static let counts = [0, 1, 2, 4, 8, 14, 20, 28, 40]
    private static let payloads = 500

    /// How many payloads were read, and how many others were believed.
    private struct Tally {
        var right = 0, wrong = 0

        mutating func note(_ payload: [UInt8]?, sent: [UInt8]) {
            if payload == sent { right += 1 } else if payload != nil { wrong += 1 }
        }
    }

    /// What a scanner believes after two turns of each position.
    private func believed(_ frame: BeaconFrame, _ foreign: OverflowMask) -> [UInt8]? {
        var banks = BankStatuses()
        var payload: [UInt8]?
        for turn in 0..<4 {
            let mask = frame.mask(at: turn % 2).union(foreign)
            payload = banks.judge(mask.bytes(.app), payloadSize: 4).payload ?? payload
        }
        return payload
    }

    @Test("As many payloads are read with so many foreign bits as the page says")
    func table() throws {
        var random = SeededRandom(seed: 1, purpose: "foreign bits of the page")
        var (positions, hamming, bch) = ([Tally](), [Tally](), [Tally]())
        let places = (0..<128).compactMap { OverflowBit(index: $0) }
        for count in Self.counts {
            var (inPositions, inHamming, inBCH) = (Tally(), Tally(), Tally())
            for _ in 0..<Self.payloads {
                let payload = random.bytes(4)
                let foreign = places.shuffled(using: &random).prefix(count).reduce(into: OverflowMask()) {
                    $0.insert($1)
                }
                inPositions.note(believed(try #require(BeaconFrame(payload)), foreign), sent: payload)
                let short = try #require(HammingFrame(payload)).mask.union(foreign)
                inHamming.note(HammingFrame.read(short).payload, sent: payload)
                let long = try #require(BCHFrame(payload)).mask.union(foreign)
                inBCH.note(BCHFrame.read(long)?.payload, sent: payload)
            }
            positions.append(inPositions)
            hamming.append(inHamming)
            bch.append(inBCH)
        }
        func row(_ name: String, _ tallies: [Tally], _ number: KeyPath<Tally, Int>) -> String {
            let cells = tallies.map {
                "\(Int((100 * Double($0[keyPath: number]) / Double(Self.payloads)).rounded())) %"
            }
            return "| \(name) | " + cells.joined(separator: " | ") + " |\n"
        }
        let head = "| foreign bits | " + Self.counts.map(String.init).joined(separator: " | ") + " |\n"
        let table =
            head + "|" + String(repeating: "---|", count: Self.counts.count + 1) + "\n"
            + row("two positions (`demo`)", positions, \.right) + row("`hamming`", hamming, \.right)
            + row("… and a wrong payload", hamming, \.wrong) + row("`bch`", bch, \.right)
            + row("… and a wrong payload", bch, \.wrong)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/overflow.md"), encoding: .utf8)
        let missing = table.split(separator: "\n").filter { !page.contains("\($0)\n") }
        #expect(missing.isEmpty, "the page is to have these lines")
        #expect(positions.allSatisfy { $0.wrong == 0 })
    }
}
