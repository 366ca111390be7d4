import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("ATT server: reading")
struct ServerReadingTests {
    var bench = ServerBench(SampleDatabase.make)

    private func hex(_ range: Range<Int>) -> String { SampleDatabase.longValue[range].map { $0 }.hex(separator: " ") }

    @Test("GATT/SR/GAR/BV-01-C: a value, cut to one byte less than the MTU")
    mutating func read() {
        #expect(bench.send("0a 18 00") == "0b 44 45")
        #expect(bench.send("0a 14 00") == "0b " + hex(0..<22))
        bench.agree(mtu: 50)
        #expect(bench.send("0a 14 00") == "0b " + hex(0..<49))
        #expect(bench.send("0a 10 00") == "0b 00 a0")
        #expect(bench.send("0a 1f 00") == "0b 00 00")
    }

    @Test("GATT/SR/GAR/BI-01-C: a value without read permission is refused with 0x02")
    mutating func readNotPermitted() {
        #expect(bench.send("0a 16 00") == "01 0a 16 00 02")
        #expect(bench.send("0a 1e 00") == "01 0a 1e 00 02")
        #expect(bench.send("0a 03 00") == "01 0a 03 00 02")
    }

    @Test("GATT/SR/GAR/BI-02-C: a handle that no attribute has is refused with 0x01")
    mutating func invalidHandle() {
        #expect(bench.send("0a 29 00") == "01 0a 29 00 01")
        #expect(bench.send("0a 00 00") == "01 0a 00 00 01")
        #expect(bench.send("0a ff ff") == "01 0a ff ff 01")
    }

    @Test("GATT/SR/GAR/BI-03-C: without authorization a value that wants it is refused with 0x08")
    mutating func authorization() {
        #expect(bench.send("0a 1c 00") == "01 0a 1c 00 08")
        bench.layer.bearers[0].security.isAuthorized = true
        #expect(bench.send("0a 1c 00") == "0b 66")
    }

    @Test("GATT/SR/GAR/BI-04-C, BI-05-C: a link too weak is refused with 0x05, 0x0F or 0x0C, by what is missing")
    mutating func security() {
        #expect(bench.send("0a 1a 00") == "01 0a 1a 00 05")
        bench.layer.bearers[0].security.hasKey = true
        #expect(bench.send("0a 1a 00") == "01 0a 1a 00 0f")
        bench.layer.bearers[0].security.isEncrypted = true
        bench.layer.bearers[0].security.keySize = 7
        #expect(bench.send("0a 1a 00") == "01 0a 1a 00 0c")
        bench.layer.bearers[0].security.keySize = 16
        #expect(bench.send("0a 1a 00") == "0b 55")
        #expect(bench.send("12 1a 00 00") == "01 12 1a 00 05")
        bench.layer.bearers[0].security.isAuthenticated = true
        #expect(bench.send("12 1a 00 00") == "13")
    }

    @Test("GATT/SR/GAR/BV-03-C: all values of a type, as long as their lengths are equal")
    mutating func readByType() {
        #expect(bench.send("08 01 00 ff ff 01 b0") == "09 04 46 00 01 02 48 00 03 04")
        #expect(bench.send("08 49 00 ff ff 01 b0") == "09 05 4a 00 05 06 07")
    }

    @Test(
        "GATT/SR/GAR/BI-06-C: the first value of a type without read permission is refused, a later one ends the list"
    )
    mutating func readByTypeNotPermitted() {
        #expect(bench.send("08 4b 00 ff ff 01 b0") == "01 08 4c 00 02")
        #expect(bench.send("08 01 00 ff ff 03 a0") == "01 08 16 00 02")
    }

    @Test("GATT/SR/GAR/BI-07-C, BI-09-C, BI-10-C: by type as by handle, the trouble has its error and its handle")
    mutating func readByTypeErrors() {
        #expect(bench.send("08 01 00 ff ff 99 99") == "01 08 01 00 0a")
        #expect(bench.send("08 01 00 ff ff 06 a0") == "01 08 1c 00 08")
        #expect(bench.send("08 01 00 ff ff 05 a0") == "01 08 1a 00 05")
    }

    @Test("By type, a value is cut to four bytes less than the MTU, and to 253")
    mutating func readByTypeCut() throws {
        #expect(bench.send("08 01 00 ff ff 02 a0") == "09 15 14 00 " + hex(0..<19))
        let value = [UInt8](repeating: 7, count: 400)
        bench.layer.server.database = try GATTDatabase([
            ServiceDefinition(
                0x1,
                characteristics: (0..<3).map { _ in CharacteristicDefinition(0x2, properties: .read, value: value) }
            )
        ])
        bench.agree(mtu: 517)
        let entry = [UInt8](repeating: 7, count: 253).hex(separator: " ")
        #expect(bench.send("08 01 00 ff ff 02 00") == "09 ff 03 00 \(entry) 05 00 \(entry)")
    }

    @Test("Values without length have a length too")
    mutating func readEmptyByType() throws {
        bench.layer.server.database = try GATTDatabase([
            ServiceDefinition(
                0x1,
                characteristics: (0..<3).map { _ in CharacteristicDefinition(0x2, properties: .read) }
            )
        ])
        #expect(bench.send("08 01 00 ff ff 02 00") == "09 02 03 00 05 00 07 00")
        #expect(bench.send("0a 03 00") == "0b")
        #expect(bench.send("0c 03 00 00 00") == "0d")
    }

    @Test("GATT/SR/GAR/BV-04-C: a long value part by part, and nothing at its end")
    mutating func readBlob() {
        #expect(bench.send("0c 14 00 00 00") == "0d " + hex(0..<22))
        #expect(bench.send("0c 14 00 16 00") == "0d " + hex(22..<44))
        #expect(bench.send("0c 14 00 2c 00") == "0d " + hex(44..<60))
        #expect(bench.send("0c 14 00 3b 00") == "0d 3b")
        #expect(bench.send("0c 14 00 3c 00") == "0d")
    }

    @Test("GATT/SR/GAR/BI-12-C, BI-13-C, BI-14-C, BI-15-C, BI-16-C: parts are refused as values are, and past the end")
    mutating func readBlobErrors() {
        #expect(bench.send("0c 16 00 00 00") == "01 0c 16 00 02")
        #expect(bench.send("0c 14 00 3d 00") == "01 0c 14 00 07")
        #expect(bench.send("0c 14 00 ff ff") == "01 0c 14 00 07")
        #expect(bench.send("0c 29 00 00 00") == "01 0c 29 00 01")
        #expect(bench.send("0c 1c 00 00 00") == "01 0c 1c 00 08")
        #expect(bench.send("0c 1a 00 00 00") == "01 0c 1a 00 05")
    }

    @Test("A value declared not long has no parts: 0x0B")
    mutating func attributeNotLong() {
        #expect(bench.send("0c 12 00 00 00") == "0d 01")
        #expect(bench.send("0c 12 00 01 00") == "01 0c 12 00 0b")
        #expect(bench.send("0c 12 00 09 00") == "01 0c 12 00 0b")
        // One that is merely short has.
        #expect(bench.send("0c 18 00 01 00") == "0d 45")
        #expect(bench.send("0c 18 00 03 00") == "01 0c 18 00 07")
    }

    @Test("GATT/SR/GAR/BV-05-C: several values run together, cut where the PDU is full")
    mutating func readMultiple() {
        #expect(bench.send("0e 18 00 12 00") == "0f 44 45 01")
        #expect(bench.send("0e 12 00 12 00 12 00") == "0f 01 01 01")
        #expect(bench.send("0e 18 00 14 00 12 00") == "0f 44 45 " + hex(0..<20))
    }

    @Test("GATT/SR/GAR/BI-18-C, BI-19-C, BI-20-C, BI-21-C: of several values the first in trouble is named")
    mutating func readMultipleErrors() {
        #expect(bench.send("0e 12 00 16 00 29 00") == "01 0e 16 00 02")
        #expect(bench.send("0e 12 00 29 00 16 00") == "01 0e 29 00 01")
        #expect(bench.send("0e 12 00 1c 00") == "01 0e 1c 00 08")
        #expect(bench.send("0e 12 00 1a 00") == "01 0e 1a 00 05")
    }

    @Test("GATT/SR/GAR/BV-09-C: several values behind their lengths; values are cut, lengths are not")
    mutating func readMultipleVariable() {
        #expect(bench.send("20 18 00 12 00") == "21 02 00 44 45 01 00 01")
        #expect(bench.send("20 18 00 14 00") == "21 02 00 44 45 3c 00 " + hex(0..<16))
        // 4 + 3 x 5 = 19 bytes leave 3, the next length and one byte; then 4 x 5 = 20 leave 2, a length alone;
        // then 21 leave 1, which stays empty.
        #expect(
            bench.send("20 18 00 4a 00 4a 00 4a 00 14 00")
                == "21 02 00 44 45 03 00 05 06 07 03 00 05 06 07 03 00 05 06 07 3c 00 00"
        )
        #expect(
            bench.send("20 46 00 46 00 46 00 46 00 46 00 14 00")
                == "21 02 00 01 02 02 00 01 02 02 00 01 02 02 00 01 02 02 00 01 02 3c 00"
        )
        #expect(
            bench.send("20 46 00 46 00 46 00 12 00 12 00 12 00 14 00")
                == "21 02 00 01 02 02 00 01 02 02 00 01 02 01 00 01 01 00 01 01 00 01"
        )
    }

    @Test("GATT/SR/GAR/BI-36-C, BI-38-C, BI-40-C, BI-42-C: with lengths as without")
    mutating func readMultipleVariableErrors() {
        #expect(bench.send("20 12 00 16 00") == "01 20 16 00 02")
        #expect(bench.send("20 12 00 29 00") == "01 20 29 00 01")
        #expect(bench.send("20 12 00 1c 00") == "01 20 1c 00 08")
        #expect(bench.send("20 12 00 1a 00") == "01 20 1a 00 05")
    }

    @Test("GATT/SR/GAR/BV-06-C, BV-07-C, BV-08-C: descriptors are read as values are")
    mutating func descriptors() {
        #expect(bench.send("0a 64 00") == "0b c3 9c 6e 69 74")
        #expect(bench.send("0c 64 00 02 00") == "0d 6e 69 74")
        #expect(bench.send("0c 64 00 05 00") == "0d")
        #expect(bench.send("0c 64 00 06 00") == "01 0c 64 00 07")
        #expect(bench.send("0a 66 00") == "0b 04 fe 2f 27 01 00 00")
    }

    // MARK: The application's values

    @Test("A read of the application's value waits for it, at whatever offset")
    mutating func dynamicRead() throws {
        #expect(bench.send("0a 21 00") == "")
        let asked = bench.takeServerEvents()
        guard case .readRequested(let id, ServerBench.connection(0), 0x0021, offset: 0) = asked.first else {
            Issue.record("\(asked)")
            return
        }
        #expect(bench.respond(to: id, with: .value([7, 8])) == "0b 07 08")
        #expect(bench.respond(to: id, with: .value([9])) == "")

        #expect(bench.send("0c 21 00 16 00") == "")
        guard case .readRequested(let blob, _, 0x0021, offset: 22) = bench.takeServerEvents().first else {
            Issue.record("no request")
            return
        }
        #expect(bench.respond(to: blob, with: .value([9])) == "0d 09")
    }

    @Test("A read that is answered as a write still waits for its value")
    mutating func wrongAnswer() {
        _ = bench.send("0a 21 00")
        let id = bench.takeRequest()
        #expect(bench.respond(to: id, with: .written) == OrderError.wrongAnswer.description)
        #expect(bench.respond(to: id, with: .value([7, 8])) == "0b 07 08")
    }

    @Test("What the application refuses is refused with its error")
    mutating func dynamicRefusal() {
        #expect(bench.send("0a 21 00") == "")
        #expect(bench.respond(to: bench.takeRequest(), with: .refused(ATTError(rawValue: 0x81))) == "01 0a 21 00 81")
        #expect(bench.send("0c 21 00 09 00") == "")
        #expect(bench.respond(to: bench.takeRequest(), with: .refused(.invalidOffset)) == "01 0c 21 00 07")
    }

    @Test("A value too long is cut to what fits, and to 512 bytes")
    mutating func dynamicTooLong() {
        _ = bench.send("0a 21 00")
        let answer = bench.respond(to: bench.takeRequest(), with: .value([UInt8](repeating: 1, count: 100_000)))
        #expect(answer == "0b" + String(repeating: " 01", count: 22))
        _ = bench.send("20 21 00 12 00")
        let lengths = bench.respond(to: bench.takeRequest(), with: .value([UInt8](repeating: 1, count: 100_000)))
        #expect(lengths == "21 00 02" + String(repeating: " 01", count: 20))
    }

    @Test("Several values, of which the application has some, are one response")
    mutating func dynamicMultiple() {
        #expect(bench.send("0e 21 00 12 00 23 00 21 00") == "")
        let first = bench.takeRequest()
        #expect(bench.respond(to: first, with: .value([0xAA])) == "")
        let second = bench.takeRequest()
        #expect(second != first)
        // 0x0021 stands there twice and is asked for once.
        #expect(bench.respond(to: second, with: .value([0xBB, 0xBC])) == "0f aa 01 bb bc aa")
        #expect(bench.takeServerEvents() == [])
    }

    @Test("Of several values, the application is asked for none if another cannot be read anyway")
    mutating func dynamicMultipleRefused() {
        #expect(bench.send("0e 21 00 16 00") == "01 0e 16 00 02")
        #expect(bench.takeServerEvents() == [])
        _ = bench.send("0e 21 00 23 00")
        #expect(bench.respond(to: bench.takeRequest(), with: .refused(.unlikelyError)) == "01 0e 21 00 0e")
    }

    @Test("By type, the application's values join the others, up to a length that differs or a refusal")
    mutating func dynamicByType() throws {
        bench.layer.server.database = try GATTDatabase([
            ServiceDefinition(
                0x1,
                characteristics: [
                    CharacteristicDefinition(0x2, properties: .read, value: [1]),
                    CharacteristicDefinition(0x2, properties: .read, reads: .application),
                    CharacteristicDefinition(0x2, properties: .read, value: [3]),
                    CharacteristicDefinition(0x2, properties: .read, reads: .application),
                ]
            )
        ])
        _ = bench.send("08 01 00 ff ff 02 00")
        #expect(bench.respond(to: bench.takeRequest(), with: .value([2])) == "")
        #expect(
            bench.respond(to: bench.takeRequest(), with: .refused(.unlikelyError)) == "09 03 03 00 01 05 00 02 07 00 03"
        )
        _ = bench.send("08 01 00 ff ff 02 00")
        #expect(bench.respond(to: bench.takeRequest(), with: .value([2, 2])) == "09 03 03 00 01")
        _ = bench.send("08 08 00 ff ff 02 00")
        #expect(bench.respond(to: bench.takeRequest(), with: .refused(ATTError(rawValue: 0x80))) == "01 08 09 00 80")
    }

    @Test("Requests that come while the application thinks are answered afterwards, in order; too many are not")
    mutating func impatientClient() {
        #expect(bench.send("0a 21 00") == "")
        let first = bench.takeRequest()
        for _ in 0..<3 { #expect(bench.send("0a 12 00") == "") }
        #expect(bench.send("0a 23 00") == "")
        #expect(bench.send("0a 18 00") == "")
        // Commands do not wait.
        #expect(bench.send("52 16 00 05") == "")
        #expect(bench.takeServerEvents() == [.valueWritten(ServerBench.connection(0), 0x0016, [5])])
        #expect(bench.respond(to: first, with: .value([9])) == "0b 09 | 0b 01 | 0b 01 | 0b 01")
        #expect(bench.respond(to: bench.takeRequest(), with: .value([8])) == "0b 08")
        #expect(bench.send("0a 18 00") == "0b 44 45")
    }

    @Test("Clients wait for the application apart from each other")
    mutating func twoClients() {
        bench = ServerBench(SampleDatabase.make, connections: 2)
        _ = bench.send("0a 21 00", from: 0)
        let first = bench.takeRequest()
        #expect(bench.send("0a 12 00", from: 1) == "0b 01")
        _ = bench.send("0a 21 00", from: 1)
        let second = bench.takeRequest()
        #expect(bench.respond(to: second, with: .value([2])) == "0b 02")
        #expect(bench.respond(to: first, with: .value([1])) == "0b 01")
    }

    @Test("An application that leaves a client waiting for 30 s loses the bearer")
    mutating func forgetfulApplication() {
        _ = bench.send("0e 21 00 23 00")
        _ = bench.advance(.seconds(20))
        #expect(bench.respond(to: bench.takeRequest(), with: .value([1])) == "")
        let second = bench.takeRequest()
        // The second question is part of the same transaction.
        #expect(bench.layer.nextDeadline == .zero + .seconds(30))
        _ = bench.advance(.milliseconds(9_999))
        #expect(bench.timedOut.isEmpty)
        _ = bench.advance(.milliseconds(1))
        #expect(bench.timedOut == [ServerBench.connection(0)])
        #expect(bench.respond(to: second, with: .value([1])) == "")
        #expect(bench.send("0a 12 00") == "")
        #expect(bench.layer.nextDeadline == nil)
    }

    @Test("An application that answers in time has no deadline left")
    mutating func promptApplication() {
        _ = bench.send("0a 21 00")
        _ = bench.advance(.milliseconds(29_999))
        #expect(bench.respond(to: bench.takeRequest(), with: .value([1])) == "0b 01")
        #expect(bench.layer.nextDeadline == nil)
        // The next one has 30 s of its own, even if it came before.
        _ = bench.send("0a 21 00")
        _ = bench.send("0a 23 00")
        _ = bench.advance(.seconds(20))
        #expect(bench.respond(to: bench.takeRequest(), with: .value([1])) == "0b 01")
        #expect(bench.layer.nextDeadline == bench.now + .seconds(30))
    }

    @Test("An answer for a connection that has gone reaches nobody, not even one with the same handle")
    mutating func lateAnswer() {
        _ = bench.send("0a 21 00")
        let late = bench.takeRequest()
        _ = bench.perform { layer, _, actions in
            layer.close(ServerBench.connection(0), into: &actions)
            layer.open(ServerBench.connection(0, generation: 2))
        }
        #expect(bench.respond(to: late, with: .value([1])) == "")
    }
}
