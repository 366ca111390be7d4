import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("ATT server: caching clients")
struct ServerCachingTests {
    var bench = ServerBench(SampleDatabase.make)
    let peer = ServerBench.connection(0)

    /// Adds a service behind all others, or removes it.
    private mutating func change() -> String {
        do {
            return try bench.perform { layer, now, actions in
                let range: ClosedRange<AttributeHandle>
                if layer.server.database.value(of: 0x0069) == nil {
                    range = try layer.server.database.add([ServiceDefinition(0x9999)])[0].range
                } else {
                    range = try layer.removeService(at: 0x0069)
                }
                layer.databaseChanged(range, at: now, into: &actions)
            }
        } catch {
            Issue.record("\(error)")
            return ""
        }
    }

    @Test("GATT/SR/GAS/BV-01-C: whoever subscribed to Service Changed is told which handles are concerned")
    mutating func serviceChanged() {
        #expect(change() == "")
        _ = bench.send("12 04 00 02 00")
        #expect(change() == "1d 03 00 69 00 69 00")
        #expect(bench.send("1e") == "")
    }

    @Test("Changes that come before the confirmation are told of together")
    mutating func mergedChanges() throws {
        _ = bench.send("12 04 00 02 00")
        #expect(change() == "1d 03 00 69 00 69 00")
        #expect(change() == "")
        let removed = try bench.perform { layer, now, actions in
            let range = try layer.removeService(at: 0x0040)
            layer.databaseChanged(range, at: now, into: &actions)
        }
        #expect(removed == "")
        #expect(bench.send("1e") == "1d 03 00 40 00 69 00")
        #expect(bench.send("1e") == "")
    }

    @Test("Who does not know of a change is told of it before any value, however many wait, and gets these afterwards")
    mutating func changeBeforeValues() throws {
        _ = bench.send("12 06 00 01")
        _ = bench.send("12 04 00 02 00")
        _ = bench.send("12 1f 00 02 00")
        let value: AttributeHandle = 0x001E, client = peer
        let first = bench.perform { layer, now, actions in
            for number in 0..<ServerSession.indicationLimit {
                _ = layer.indicate([UInt8(number)], of: value, to: client, at: now, into: &actions)
            }
        }
        #expect(first == "1d 1e 00 00")
        #expect(change() == "")
        #expect(bench.send("1e") == "1d 03 00 69 00 69 00")
        #expect(bench.send("1e") == "1d 1e 00 01")
        #expect(bench.send("1e") == "1d 1e 00 02")
    }

    @Test("Only the last of several confirmations makes a client aware")
    mutating func lastConfirmation() {
        _ = bench.send("12 06 00 01")
        _ = bench.send("12 04 00 02 00")
        _ = change()
        _ = change()
        #expect(bench.send("1e") == "1d 03 00 69 00 69 00")
        #expect(bench.layer.bearers[0].server.caching == .unaware)
        #expect(bench.send("1e") == "")
        #expect(bench.layer.bearers[0].server.caching == .aware)
        #expect(bench.send("0a 18 00") == "0b 44 45")
    }

    @Test("A subscription in a service that is removed is forgotten, whoever gets its place")
    mutating func removedSubscription() throws {
        _ = bench.send("12 1f 00 01 00")
        _ = try bench.perform { layer, now, actions in
            let range = try layer.removeService(at: 0x0010)
            try layer.server.database.add([SampleDatabase.services[1]])
            layer.databaseChanged(range, at: now, into: &actions)
        }
        #expect(bench.send("0a 1f 00") == "0b 00 00")
        #expect(bench.send("0a 26 00") == "0b 00 00")
        #expect(bench.layer.subscription(of: peer, to: 0x001E) == [])
    }

    @Test("GATT/SR/GAS/BV-02-C: the hash is read by its type, and is new after a change")
    mutating func hash() {
        let before = bench.send("08 01 00 ff ff 2a 2b")
        #expect(before == "09 12 08 00 " + SampleDatabase.make.hash.hex(separator: " "))
        _ = change()
        let after = bench.send("08 01 00 ff ff 2a 2b")
        #expect(after != before)
        #expect(after == "09 12 08 00 " + bench.layer.server.database.hash.hex(separator: " "))
    }

    @Test("GATT/SR/GAS/BV-05-C: a client with robust caching is told once that it is out of sync, and others never are")
    mutating func outOfSync() {
        _ = change()
        #expect(bench.send("0a 18 00") == "0b 44 45")
        #expect(bench.send("12 06 00 01") == "13")
        _ = change()
        #expect(bench.send("0a 18 00") == "01 0a 18 00 12")
        #expect(bench.send("0a 18 00") == "0b 44 45")
        _ = change()
        // Commands are ignored, until a request has been refused and another one come.
        #expect(bench.send("52 16 00 01") == "")
        #expect(bench.layer.server.database.value(of: 0x0016) == [])
        #expect(bench.send("12 06 00 00") == "01 12 06 00 12")
        #expect(bench.send("52 16 00 01") == "")
        #expect(bench.layer.server.database.value(of: 0x0016) == [])
        #expect(bench.send("12 06 00 00") == "01 12 06 00 13")
        #expect(bench.send("52 16 00 01") == "")
        #expect(bench.layer.server.database.value(of: 0x0016) == [1])
        _ = change()
        #expect(bench.send("0a 08 00") == "01 0a 08 00 12")
        _ = change()
        #expect(bench.send("08 02 00 ff ff 04 a0") == "01 08 02 00 12")
    }

    @Test(
        "Every request that names handles is refused, discovery is not",
        arguments: [
            "0a 18 00", "0c 14 00 00 00", "12 14 00 01", "16 14 00 00 00 01", "0e 12 00 18 00", "20 12 00 18 00",
            "08 01 00 fe ff 04 a0",
        ]
    )
    mutating func whichRequests(hex: String) {
        _ = bench.send("12 06 00 01")
        _ = change()
        for discovery in [
            "04 01 00 02 00", "06 01 00 ff ff 00 28 00 a0", "10 01 00 ff ff 00 28", "08 02 00 04 00 03 28",
            "08 40 00 50 00 02 28", "08 01 00 ff ff 04 a0", "02 17 00", "18 01", "18 00",
        ] {
            #expect(!bench.send(discovery).hasSuffix(" 12"), "\(discovery)")
        }
        let answer = bench.send(hex)
        #expect(answer.hasPrefix("01 \(hex.prefix(2)) "))
        #expect(answer.hasSuffix(" 12"))
        #expect(!bench.send(hex).hasSuffix(" 12"))
    }

    @Test("GATT/SR/GAS/BV-06-C: reading the hash, or confirming the indication, makes a client aware")
    mutating func becomingAware() {
        _ = bench.send("12 06 00 01")
        _ = change()
        #expect(bench.send("08 01 00 ff ff 2a 2b").hasPrefix("09"))
        #expect(bench.send("0a 18 00") == "0b 44 45")
        _ = bench.send("12 04 00 02 00")
        #expect(change().hasPrefix("1d 03 00"))
        _ = bench.send("1e")
        #expect(bench.send("0a 18 00") == "0b 44 45")
        #expect(change().hasPrefix("1d 03 00"))
        #expect(bench.send("0a 18 00") == "01 0a 18 00 12")
    }

    @Test("GATT/SR/GAS/BV-08-C: the same for several values at once")
    mutating func readMultipleVariable() {
        _ = change()
        #expect(bench.send("20 12 00 18 00") == "21 01 00 01 02 00 44 45")
        _ = bench.send("12 06 00 01")
        _ = change()
        #expect(bench.send("20 12 00 18 00") == "01 20 12 00 12")
        _ = bench.send("08 01 00 ff ff 2a 2b")
        #expect(bench.send("20 12 00 18 00") == "21 01 00 01 02 00 44 45")
    }

    @Test("A client out of sync is sent nothing but Service Changed")
    mutating func nothingSent() {
        _ = bench.send("12 1f 00 03 00")
        _ = bench.send("12 06 00 01")
        let wants = { (bench: ServerBench) in
            bench.layer.server.wants(.notifications, of: 0x001E, bench.layer.bearers[0].link)
        }
        #expect(wants(bench))
        _ = change()
        #expect(!wants(bench))
        _ = bench.send("0a 18 00")
        #expect(!wants(bench))
        _ = bench.send("0a 18 00")
        #expect(wants(bench))
    }

    @Test("Prepared writes of a client out of sync are forgotten when it wants them carried out")
    mutating func preparedWrites() {
        _ = bench.send("12 06 00 01")
        _ = bench.send("16 12 00 00 00 09")
        _ = change()
        #expect(bench.send("18 01") == "01 18 12 00 12")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 12 00") == "0b 01")
    }

    @Test(
        "GATT/SR/GAS/BV-04-C, BV-07-C: what a bonded client had set comes back, and so does what it does not know yet"
    )
    mutating func bonds() throws {
        _ = bench.send("12 06 00 01")
        _ = bench.send("12 04 00 02 00")
        _ = bench.send("12 1f 00 01 00")
        let record = try #require(bench.layer.clientRecord(of: peer))
        #expect(record.subscriptions.map(\.value) == [0x0003, 0x001E])
        let returned = ServerBench.connection(0, generation: 2)
        func reconnect(_ record: ClientRecord) -> String {
            bench.perform { layer, now, actions in
                for bearer in layer.bearers { layer.close(bearer.connection, into: &actions) }
                layer.open(returned)
                layer.restore(record, of: returned, at: now, into: &actions)
            }
        }
        func send(_ hex: String) -> String {
            bench.perform { layer, now, actions in
                let bytes = [UInt8](hex: hex) ?? []
                layer.handlePDU(bytes.span.bytes, on: returned, at: now, into: &actions)
            }
        }
        #expect(reconnect(record) == "")
        #expect(send("0a 06 00") == "0b 01")
        #expect(send("0a 1f 00") == "0b 01 00")
        #expect(send("0a 18 00") == "0b 44 45")

        try bench.layer.server.database.add([ServiceDefinition(0x9999)])
        #expect(reconnect(record) == "1d 03 00 01 00 ff ff")
        #expect(send("0a 18 00") == "01 0a 18 00 12")

        let unaware = ClientRecord(features: 1)
        #expect(reconnect(unaware) == "")
        let again = try #require(bench.layer.clientRecord(of: returned))
        #expect(reconnect(again) == "")
        #expect(send("0a 18 00") == "01 0a 18 00 12")
    }
}
