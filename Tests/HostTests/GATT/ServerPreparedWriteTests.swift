import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("ATT server: prepared writes")
struct ServerPreparedWriteTests {
    var bench = ServerBench(SampleDatabase.make)
    let peer = ServerBench.connection(0)

    @Test("GATT/SR/GAW/BV-05-C: a long value in parts; each is repeated, and nothing changes until the end")
    mutating func longWrite() {
        let parts = (0..<4).map { part in (0..<18).map { UInt8(part * 18 + $0) } }
        for (index, part) in parts.enumerated() {
            let body = "14 00 " + [UInt8(index * 18), 0].hex(separator: " ") + " " + part.hex(separator: " ")
            #expect(bench.send("16 " + body) == "17 " + body)
        }
        #expect(bench.layer.server.database.value(of: 0x0014) == SampleDatabase.longValue)
        #expect(bench.send("18 01") == "19")
        #expect(bench.layer.server.database.value(of: 0x0014) == parts.flatMap { $0 })
        #expect(bench.takeServerEvents() == [.valueWritten(peer, 0x0014, parts.flatMap { $0 })])
    }

    @Test("Written from its beginning on, a value is as long as what was written, even if it was longer")
    mutating func shorter() {
        _ = bench.send("16 14 00 00 00 aa bb")
        _ = bench.send("16 14 00 02 00 cc")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 14 00") == "0b aa bb cc")
    }

    @Test("Written from elsewhere on, the rest of a value stays")
    mutating func piece() {
        _ = bench.send("16 14 00 01 00 aa bb")
        #expect(bench.send("18 01") == "19")
        var expected = SampleDatabase.longValue
        expected.replaceSubrange(1..<3, with: [0xAA, 0xBB])
        #expect(bench.layer.server.database.value(of: 0x0014) == expected)
        _ = bench.send("16 28 00 00 00 aa")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 28 00") == "0b aa 02 03 04")
    }

    @Test("GATT/SR/GAW/BV-06-C, BV-10-C: several values, mixed, all at once and in order")
    mutating func severalValues() {
        _ = bench.send("16 14 00 00 00 01")
        _ = bench.send("16 12 00 00 00 09")
        _ = bench.send("16 14 00 01 00 02")
        _ = bench.send("16 12 00 00 00 0a")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0e 12 00 14 00") == "0f 0a 01 02")
    }

    @Test("GATT/SR/GAW/BV-07-C: cancelled, nothing is written, and the queue is empty")
    mutating func cancel() {
        _ = bench.send("16 12 00 00 00 09")
        #expect(bench.send("18 00") == "19")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 12 00") == "0b 01")
        #expect(bench.takeServerEvents() == [])
    }

    @Test("GATT/SR/GAW/BV-11-C: nothing prepared, nothing written, and no error")
    mutating func nothingPrepared() {
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("18 00") == "19")
    }

    @Test(
        "GATT/SR/GAW/BI-07-C, BI-08-C, BI-11-C, BI-12-C: what may not be written is not prepared, and the queue stays"
    )
    mutating func refusals() {
        _ = bench.send("16 12 00 00 00 09")
        #expect(bench.send("16 29 00 00 00 01") == "01 16 29 00 01")
        #expect(bench.send("16 18 00 00 00 01") == "01 16 18 00 03")
        #expect(bench.send("16 1c 00 00 00 01") == "01 16 1c 00 08")
        #expect(bench.send("16 1a 00 00 00 01") == "01 16 1a 00 05")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 12 00") == "0b 09")
    }

    @Test(
        "GATT/SR/GAW/BI-09-C, BI-33-C: one part that does not fit spoils all, and the queue is empty",
        arguments: [
            ("14 00 3d 00 01", "14 00 07"), ("12 00 00 00 01 02", "12 00 0d"), ("14 00 00 10 01", "14 00 07"),
            ("12 00 01 00 02", "12 00 0b"), ("12 00 00 00", "12 00 0d"), ("28 00 03 00 01 02", "28 00 0d"),
            ("04 00 00 00 01 00", "04 00 13"), ("26 00 00 00 02 00", "26 00 80"), ("1f 00 02 00 00", "1f 00 0d"),
        ]
    )
    mutating func allOrNothing(part: String, error: String) {
        let before = bench.layer.server.database.rows
        _ = bench.send("16 14 00 00 00 01")
        _ = bench.send("16 1f 00 00 00 01 00")
        #expect(bench.send("16 " + part) == "17 " + part)
        #expect(bench.send("18 01") == "01 18 " + error)
        #expect(bench.layer.server.database.rows == before)
        #expect(bench.send("0a 1f 00") == "0b 00 00")
        #expect(bench.takeServerEvents() == [])
        #expect(bench.send("18 01") == "19")
        #expect(bench.layer.server.database.rows == before)
    }

    @Test("A value that outgrows its limit part by part is refused")
    mutating func outgrows() {
        bench.agree(mtu: 100)
        let part = String(repeating: " 55", count: 60)
        _ = bench.send("16 14 00 00 00" + part)
        _ = bench.send("16 14 00 3c 00" + part)
        #expect(bench.send("18 01") == "01 18 14 00 0d")
    }

    @Test("Too many parts, or too many bytes in them, are refused with 0x09; those before stay")
    mutating func queueFull() {
        for _ in 0..<GATTServer.preparedLimit { #expect(bench.send("16 12 00 00 00 07") == "17 12 00 00 00 07") }
        #expect(bench.send("16 12 00 00 00 08") == "01 16 12 00 09")
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 12 00") == "0b 07")

        bench.agree(mtu: 517)
        let part = String(repeating: " 01", count: 512)
        for _ in 0..<8 { #expect(bench.send("16 16 00 00 00" + part).hasPrefix("17")) }
        #expect(bench.send("16 16 00 00 00 01") == "01 16 16 00 09")
        #expect(bench.send("18 00") == "19")
        #expect(bench.send("16 16 00 00 00 01") == "17 16 00 00 00 01")
    }

    @Test("Clients' queues are apart, and one ends with its connection")
    mutating func queuesApart() {
        bench = ServerBench(SampleDatabase.make, connections: 2)
        _ = bench.send("16 12 00 00 00 07", from: 0)
        #expect(bench.send("18 01", from: 1) == "19")
        #expect(bench.send("0a 12 00", from: 1) == "0b 01")
        _ = bench.perform { layer, _, actions in
            layer.close(peer, into: &actions)
            layer.open(peer)
        }
        #expect(bench.send("18 01", from: 0) == "19")
        #expect(bench.send("0a 12 00", from: 1) == "0b 01")
    }

    @Test("A subscription can be prepared")
    mutating func subscription() {
        _ = bench.send("16 1f 00 00 00 03")
        #expect(bench.send("18 01") == "19")
        #expect(bench.takeServerEvents() == [.subscriptionChanged(peer, 0x001E, [.notifications, .indications])])
    }

    @Test("The application is asked once for all its values, and the database's wait for its word")
    mutating func dynamicBatch() {
        _ = bench.send("16 21 00 00 00 01 02")
        _ = bench.send("16 12 00 00 00 09")
        _ = bench.send("16 23 00 05 00 03")
        _ = bench.send("16 21 00 02 00 04")
        #expect(bench.send("18 01") == "")
        let asked = bench.takeServerEvents()
        let batch = [
            AttributeWrite(handle: 0x0021, value: [1, 2]), AttributeWrite(handle: 0x0023, offset: 5, value: [3]),
            AttributeWrite(handle: 0x0021, offset: 2, value: [4]),
        ]
        guard case .writeRequested(let id, peer, batch, .prepared) = asked.first, asked.count == 1 else {
            Issue.record("\(asked)")
            return
        }
        #expect(bench.layer.server.database.value(of: 0x0012) == [1])
        #expect(bench.respond(to: id, with: .written) == "19")
        #expect(bench.takeServerEvents() == [.valueWritten(peer, 0x0012, [9])])
        #expect(bench.layer.server.database.value(of: 0x0012) == [9])
    }

    @Test("What the application refuses of a batch, the database does not take either")
    mutating func dynamicBatchRefused() {
        _ = bench.send("16 21 00 00 00 01")
        _ = bench.send("16 12 00 00 00 09")
        _ = bench.send("16 23 00 00 00 01")
        _ = bench.send("18 01")
        let error = ATTError(rawValue: 0x80)
        #expect(bench.respond(to: bench.takeRequest(), with: .refused(error, 0x0023)) == "01 18 23 00 80")
        #expect(bench.layer.server.database.value(of: 0x0012) == [1])
    }

    @Test("What waits for the application's word is not written where the database has changed meanwhile under it")
    mutating func databaseReplacedMeanwhile() throws {
        _ = bench.send("16 21 00 00 00 01 02")
        _ = bench.send("16 12 00 00 00 09")
        #expect(bench.send("18 01") == "")
        let id = bench.takeRequest()
        _ = try bench.perform { layer, now, actions in
            let range = try layer.removeService(at: 0x0010)
            try layer.server.database.add([SampleDatabase.services[1]])
            layer.databaseChanged(range, at: now, into: &actions)
        }
        #expect(bench.respond(to: id, with: .written) == "01 18 12 00 12")
        #expect(bench.send("0a 12 00") == "0b 01")
        #expect(!bench.takeServerEvents().contains { if case .valueWritten = $0 { true } else { false } })
    }

    @Test("A batch that the database cannot take is not even shown to the application")
    mutating func dynamicBatchSpoilt() {
        _ = bench.send("16 21 00 00 00 01")
        _ = bench.send("16 12 00 00 00 01 02")
        #expect(bench.send("18 01") == "01 18 12 00 0d")
        #expect(bench.takeServerEvents() == [])
    }

    @Test("GATT/SR/GAW/BI-41-C: what was prepared before the database changed under it is refused with 0x12")
    mutating func databaseChanged() throws {
        _ = bench.send("16 12 00 00 00 09")
        _ = try bench.perform { layer, now, actions in
            let range = try layer.removeService(at: 0x0010)
            layer.databaseChanged(range, at: now, into: &actions)
        }
        #expect(bench.send("18 01") == "01 18 12 00 12")
        #expect(bench.send("18 01") == "19")
    }

    @Test(
        "That holds even if something else stands at the same handle by then, and not for what was prepared elsewhere"
    )
    mutating func databaseReplaced() throws {
        _ = bench.send("16 12 00 00 00 09")
        _ = bench.send("16 64 00 00 00 41")
        _ = try bench.perform { layer, now, actions in
            let range = try layer.removeService(at: 0x0010)
            try layer.server.database.add([SampleDatabase.services[1]])
            layer.databaseChanged(range, at: now, into: &actions)
        }
        #expect(bench.send("18 01") == "01 18 12 00 12")
        #expect(bench.send("0a 12 00") == "0b 01")
        #expect(bench.send("0a 64 00") == "0b c3 9c 6e 69 74")

        _ = bench.send("16 64 00 00 00 41")
        _ = try bench.perform { layer, now, actions in
            layer.databaseChanged(try layer.removeService(at: 0x0010), at: now, into: &actions)
        }
        #expect(bench.send("18 01") == "19")
        #expect(bench.send("0a 64 00") == "0b 41")
    }
}
