import Testing

@testable import BluethroatOverflowAnalyser

@Suite("What is learnt from the air about the overflow area")
struct OverflowAnalyserTests {
    /// An advertisement with one bit, counted from the left.
    private func advertisement(_ indexes: Int...) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: 16)
        for index in indexes { mask[index / 8] |= 0x80 >> UInt8(index % 8) }
        return [2, 1, 0x1A, 20, 0xFF, 0x4C, 0, 1] + mask
    }

    @Test("Any order of the bits is learnt, whatever it is, each service being the next")
    func learns() {
        var analyser = OverflowAnalyser()
        // Not the order of phones.
        let order = (0..<128).map { ($0 * 37 + 5) % 128 }
        for (service, index) in order.enumerated() {
            let time = Double(service) + 10
            let findings = analyser.hear(advertisement(index), from: "a", rssi: -20, at: time)
            let entry = OverflowEntry(service: UInt64(service), byte: index / 8, value: 0x80 >> UInt8(index % 8))
            #expect(findings == [.found(entry, sender: 0)] + (service == 127 ? [.complete(sender: 0)] : []))
            #expect(analyser.hear(advertisement(index), from: "a", rssi: -20, at: time + 0.5).isEmpty)
            #expect(analyser.isComplete(senders: 1) == (service == 127))
        }
        #expect(analyser.senders[0].alignment == .inconsistent, "no checksum does that")
        let table = analyser.senders[0].table
        #expect(table.map(\.index) == Array(0..<128))
        #expect(order.indices.allSatisfy { table[order[$0]].service == UInt64($0) })
        #expect(table[5].uuid == "00000000-0000-0000-0000-000000000000")
        #expect(table[order[0x7F]].uuid == "00000000-0000-0000-0000-00000000007F")
    }

    /// Some linear rule: each bit of the service has a number, and those of the bits that are set are added.
    private func index(_ service: Int, _ numbers: [Int] = [9, 64, 3, 17, 33, 5, 100, 77, 12, 2]) -> Int {
        numbers.indices.reduce(0) { service >> $1 & 1 == 1 ? $0 ^ numbers[$1] : $0 }
    }

    /// What is known of services that come one a second, up to the one that completes the table.
    /// - Parameters:
    ///   - missed: those that are not heard.
    ///   - late: those that are heard so late that they are counted as two.
    private func sender(missed: Set<Int> = [], late: Set<Int> = []) -> OverflowSender {
        var analyser = OverflowAnalyser()
        for service in 0..<400 where !missed.contains(service) && !analyser.isComplete(senders: 1) {
            // The first 128 services set all bits.
            let index = index(service, [9, 18, 36, 72, 16, 41, 82, 36, 65, 2])
            let time = Double(service) + (late.contains(service) ? 0.8 : 0)
            _ = analyser.hear(advertisement(index), from: "a", rssi: -20, at: time)
        }
        return analyser.senders[0]
    }

    @Test("A change that comes so late that it is counted as two is not believed, wherever it comes")
    func changesComeLate() {
        #expect(sender().alignment == .asCounted)
        for service in stride(from: 1, to: 127, by: 25) {
            #expect([.inconsistent, .unconfirmed].contains(sender(late: [service]).alignment), "\(service)")
        }
        // 128, which nothing else says anything of.
        let last = sender(late: [127])
        #expect(last.entries.count == 128 && last.entries.last?.service == 128)
        #expect(last.alignment == .unconfirmed)
    }

    @Test("A bit that was missed and comes again is confirmed by what is heard until then, or told as unconfirmed")
    func missedBitsComeAgain() {
        for service in [1, 2, 59, 68, 100, 126] {
            let found = sender(missed: [service])
            #expect(found.entries.count == 128)
            // Where the bit comes again at once, nothing was heard of the second 128 services before it.
            let again = found.entries.last?.service
            #expect(found.alignment == (again == 128 ? .unconfirmed : .asCounted), "\(service)")
            // What is counted wrongly among them shows, though only one of them is in the table.
            if let again, (130..<255).contains(again) {
                let late = sender(missed: [service], late: [Int(again)])
                #expect([.inconsistent, .unconfirmed].contains(late.alignment), "\(service)")
            }
        }
    }

    @Test(
        "Who begins to listen late finds out, since bits that come from a checksum fit together",
        arguments: [0, 1, 37, 60]
    )
    func late(by late: Int) {
        var analyser = OverflowAnalyser()
        for service in 0..<400 {
            _ = analyser.hear(advertisement(index(service + late)), from: "a", rssi: -20, at: Double(service))
        }
        let sender = analyser.senders[0]
        #expect(sender.entries.count == 128)
        #expect(sender.alignment == (late == 0 ? .asCounted : .late(by: UInt64(late))))
        #expect(sender.table.allSatisfy { index(Int($0.service)) == $0.index })
    }

    @Test("Two senders do not disturb each other")
    func senders() {
        var analyser = OverflowAnalyser()
        for service in 0..<10 {
            _ = analyser.hear(advertisement(service), from: "a", rssi: -20, at: Double(service))
            _ = analyser.hear(advertisement(100 - service), from: "b", rssi: -30, at: Double(service) + 0.3)
        }
        #expect(analyser.senders.map(\.name) == ["a", "b"])
        #expect(analyser.senders[0].entries.map(\.index) == Array(0..<10))
        #expect(analyser.senders[1].entries.map(\.index) == (0..<10).map { 100 - $0 })
    }

    @Test("A missed change is told once, and counted, so that what comes then is right")
    func missing() {
        var analyser = OverflowAnalyser()
        _ = analyser.hear(advertisement(3), from: "a", rssi: -20, at: 0)
        #expect(analyser.hear(advertisement(3), from: "a", rssi: -20, at: 1.7).isEmpty)
        #expect(
            analyser.hear(advertisement(3), from: "a", rssi: -20, at: 1.75) == [.missingChange(after: 1.75, sender: 0)]
        )
        #expect(analyser.hear(advertisement(3), from: "a", rssi: -20, at: 1.9).isEmpty)
        let entry = OverflowEntry(service: 2, byte: 1, value: 0x80)
        #expect(analyser.hear(advertisement(8), from: "a", rssi: -20, at: 2.05) == [.found(entry, sender: 0)])
        let later = OverflowEntry(service: 5, byte: 2, value: 0x80)
        #expect(
            analyser.hear(advertisement(16), from: "a", rssi: -20, at: 5)
                == [.missingChange(after: 5 - 2.05, sender: 0), .found(later, sender: 0)]
        )
    }

    @Test("Two bits at once say nothing, and a bit that is known is a collision")
    func odd() {
        var analyser = OverflowAnalyser()
        _ = analyser.hear(advertisement(3), from: "a", rssi: -20, at: 0)
        #expect(analyser.hear(advertisement(4, 100), from: "a", rssi: -20, at: 1) == [.several(count: 2, sender: 0)])
        let first = OverflowEntry(service: 0, byte: 0, value: 0x10)
        let again = OverflowEntry(service: 2, byte: 0, value: 0x10)
        #expect(
            analyser.hear(advertisement(3), from: "a", rssi: -20, at: 2) == [.collision(again, with: first, sender: 0)]
        )
        #expect(analyser.hear(advertisement(), from: "a", rssi: -20, at: 3).isEmpty)
    }

    @Test("Only what is loud enough counts, unless all does")
    func floor() {
        var analyser = OverflowAnalyser()
        for rssi in [-45, -46, -90, nil] {
            #expect(analyser.hear(advertisement(3), from: "a", rssi: rssi, at: 0).isEmpty)
        }
        #expect(analyser.weakCount == 4 && analyser.senders.isEmpty)
        #expect(analyser.hear(advertisement(3), from: "a", rssi: -44, at: 0).count == 1)
        var settings = OverflowAnalyser.Settings()
        settings.floor = nil
        settings.first = 0x1_0000
        var all = OverflowAnalyser(settings)
        _ = all.hear(advertisement(3), from: "a", rssi: nil, at: 0)
        #expect(all.senders[0].entries.map(\.uuid) == ["00000000-0000-0000-0000-000000010000"])
    }

    @Test("What is no overflow area is passed over: another company, another message, too short, cut off")
    func rubbish() {
        var analyser = OverflowAnalyser()
        let whole = advertisement(77)
        for length in 0..<whole.count {
            #expect(analyser.hear(Array(whole.prefix(length)), from: "a", rssi: -20, at: 0).isEmpty)
        }
        for (place, value) in [(3, 19), (4, 0x16), (5, 0x4D), (6, 1), (7, 2), (0, 0), (0, 255)] as [(Int, UInt8)] {
            var bytes = whole
            bytes[place] = value
            #expect(analyser.hear(bytes, from: "a", rssi: -20, at: 0).isEmpty)
        }
        #expect(analyser.senders.isEmpty && analyser.weakCount == 0)
        // Behind the mask there may be more.
        let longer = [UInt8](whole[..<3]) + [22] + whole[4...] + [1, 2]
        #expect(analyser.hear(longer, from: "a", rssi: -20, at: 0).count == 1)
    }
}
