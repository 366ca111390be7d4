import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// Two controllers that encrypt their link, on one medium.
@Suite("Encryption: two controllers")
struct EncryptedWorldTests {
    @Test("They encrypt the link, exchange data both ways, and change the key")
    func encrypt() throws {
        let pair = try EncryptedPair(seed: 1)
        #expect(try pair.encrypt() == .changed)
        try pair.exchange(count: 20)
        #expect(try pair.encrypt() == .refreshed)
        try pair.exchange(count: 20)
    }

    @Test("The same where three frames of ten are lost", arguments: 1...8 as ClosedRange<UInt64>)
    func loss(seed: UInt64) throws {
        let pair = try EncryptedPair(seed: seed, latency: seed % 2 == 0 ? 4 : 0)
        pair.air.medium.setLossEverywhere(.percent(30))
        #expect(try pair.encrypt() == .changed)
        for _ in 0..<3 {
            try pair.exchange(count: 12)
            #expect(try pair.encrypt() == .refreshed)
        }
    }

    @Test(
        "Long data keeps flowing through one new key after the other: nothing lost, nothing twice, nothing out of order",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func refreshUnderLoad(seed: UInt64) throws {
        let pair = try EncryptedPair(seed: seed, octets: seed % 2 == 0 ? 251 : 27)
        pair.air.medium.setLossEverywhere(.percent(Int32(seed) * 4))
        var refreshes = 0, isOrdered = false
        #expect(try pair.encrypt() == .changed)
        var stream = SeededRandom(seed: seed, purpose: "keys")
        var key = SecureTester.key
        for _ in 0..<4_000 where pair.received.contains(where: { $0.count < 200 }) {
            for index in 0..<2 { pair.feed(index, upTo: 200) { 40 + $0 % 200 } }
            if !isOrdered, stream.next(below: 20) == 0 {
                key = Block128(high: stream.next(), low: stream.next())
                try pair.order(key)
                isOrdered = true
            }
            pair.air.run(for: .milliseconds(10))
            pair.collect()
            pair.answer(with: key)
            _ = pair.takeOutcome(at: 1)
            if let outcome = pair.takeOutcome(at: 0) {
                #expect(outcome == .refreshed)
                refreshes += 1
                isOrdered = false
            }
        }
        #expect(pair.received == [Array(0..<200), Array(0..<200)])
        #expect(refreshes > 1)
        for station in pair.air.stations { station.controller.checkInvariants() }
    }

    @Test(
        "Connection updates, channel maps, data lengths and versions go on beside it",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func procedures(seed: UInt64) throws {
        var stream = SeededRandom(seed: seed, purpose: "orders")
        let pair = try EncryptedPair(seed: seed)
        pair.air.medium.setLossEverywhere(.percent(Int32(stream.next(below: 25))))
        var count = 0
        for _ in 0..<12 {
            try pair.order()
            for _ in 0..<3 {
                let index = Int(stream.next(below: 2))
                pair.air.send(Self.order(pair.handles[index], index, &stream), to: index)
                pair.air.run(for: .microseconds(Int64(stream.next(below: 40_000))))
                pair.answer(with: SecureTester.key)
            }
            let outcome = try pair.finishEncryption(within: .seconds(20))
            #expect(outcome == (count == 0 ? .changed : .refreshed))
            count += 1
            try pair.exchange(count: 4)
        }
        for station in pair.air.stations {
            #expect(!station.packets.contains { $0[1] == EventCode.disconnectionComplete.rawValue })
            station.controller.checkInvariants()
        }
    }

    private static func order(_ handle: ConnectionHandle, _ index: Int, _ stream: inout SeededRandom) -> Command {
        switch stream.next(below: 5) {
        case 0:
            let interval = UInt16(6 + stream.next(below: 20))
            return .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: handle,
                    minimumInterval: interval,
                    maximumInterval: interval,
                    maximumLatency: 0,
                    supervisionTimeout: 600
                )
            )
        case 1 where index == 0:
            let channels = (0..<4).map { _ in UInt8(truncatingIfNeeded: stream.next()) | 0x11 }
            return .leSetHostChannelClassification(LESetHostChannelClassification(channels: channels + [0x1F]))
        case 2:
            return .leSetDataLength(
                LESetDataLength(
                    connection: handle,
                    transmitOctets: UInt16(27 + stream.next(below: 200)),
                    transmitTime: 2_120
                )
            )
        case 3: return .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle))
        default: return .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle))
        }
    }

    @Test("With two keys that differ both ends hear of a MIC failure or of a link that is lost, and of no encryption")
    func otherKey() throws {
        let pair = try EncryptedPair(seed: 3)
        try pair.order(Block128(high: 1, low: 1))
        var outcomes: [EncryptedPair.Outcome?] = [nil, nil]
        pair.air.run(for: .seconds(20)) {
            pair.answer(with: SecureTester.key)
            for index in 0..<2 where outcomes[index] == nil { outcomes[index] = pair.takeOutcome(at: index) }
            return outcomes[0] != nil && outcomes[1] != nil
        }
        #expect(outcomes[1] == .disconnected(.connectionTerminatedMICFailure))
        #expect(outcomes[0] == .disconnected(.connectionTimeout))
    }

    @Test("The authenticated payload timeout never comes between two who answer, however idle or lossy the link")
    func ping() throws {
        let pair = try EncryptedPair(seed: 4, latency: 3)
        #expect(try pair.encrypt() == .changed)
        for index in 0..<2 {
            try pair.air.succeed(
                .setEventMaskPage2(SetEventMaskPage2(mask: .authenticatedPayloadTimeoutExpired)),
                at: index
            )
            let command = WriteAuthenticatedPayloadTimeout(connection: pair.handles[index], timeout: 200)
            try pair.air.succeed(.writeAuthenticatedPayloadTimeout(command), at: index)
        }
        pair.air.medium.setLossEverywhere(.percent(10))
        pair.air.run(for: .seconds(120))
        for station in pair.air.stations {
            #expect(!station.packets.contains { $0[1] == EventCode.authenticatedPayloadTimeoutExpired.rawValue })
            #expect(!station.packets.contains { $0[1] == EventCode.disconnectionComplete.rawValue })
        }
        try pair.exchange(count: 5)
    }
}
