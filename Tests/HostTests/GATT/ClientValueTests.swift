import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("GATT client: reading and writing")
struct ClientValueTests {
    var bench = ClientBench()

    private func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0) } }
    private func hex(_ range: Range<Int>) -> String { bytes(range).hex(separator: " ") }

    // MARK: The longest PDU

    @Test("The longest PDU is asked for once; later orders only tell it")
    mutating func exchangeMTU() throws {
        let exchange = ClientProcedure.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false))
        #expect(try bench.order(exchange) == "02 05 02")
        #expect(try bench.order(exchange) == "")
        #expect(bench.answer("03 b9 00") == "")
        #expect(bench.takeResults() == [.mtu(185), .mtu(185)])
        #expect(try bench.order(exchange) == "")
        #expect(try bench.result() == .mtu(185))
        #expect(bench.layer.mtu(of: bench.server) == 185)
    }

    @Test("What the peer has agreed on as client is good for this client too")
    mutating func exchangedByPeer() throws {
        #expect(bench.answer("02 64 00") == "03 05 02")
        _ = bench.takeEvents()
        #expect(try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false))) == "")
        #expect(try bench.result() == .mtu(100))
    }

    @Test(
        "A server that does not know the exchange, or answers with less than 23, takes 23 bytes",
        arguments: ["01 02 00 00 06", "03 16 00", "03 00 00", "03 17 00"]
    )
    mutating func smallMTU(answer: String) throws {
        _ = try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false)))
        #expect(bench.answer(answer) == "")
        #expect(try bench.result() == .mtu(23))
    }

    @Test("Requests of the peer are answered with 23 bytes until the exchange is over, and ours are understood so")
    mutating func exchangeCrossing() throws {
        bench.layer.server.database = SampleDatabase.make
        _ = try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false)))
        #expect(bench.answer("0a 14 00") == "0b " + hex(0..<22))
        _ = bench.answer("03 64 00")
        #expect(bench.answer("0a 14 00") == "0b " + hex(0..<60))

        // The other way round: our read was on its way when the peer asked.
        bench = ClientBench()
        #expect(try bench.order(.read(ValueReading(0x0005))) == "0a 05 00")
        #expect(bench.answer("02 64 00") == "03 05 02")
        #expect(bench.answer("0b " + hex(0..<22)) == "0c 05 00 16 00")
        #expect(bench.answer("0d " + hex(22..<60)) == "")
        #expect(try bench.result() == .value(bytes(0..<60)))
    }

    @Test("A peer's exchange while the application thinks does not change the response it waits for")
    mutating func exchangeWhilePending() throws {
        bench.layer.server.database = SampleDatabase.make
        #expect(bench.answer("0a 21 00") == "")
        guard case .server(.readRequested(let id, _, _, _)) = bench.takeEvents().first else {
            Issue.record("no request")
            return
        }
        _ = try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false)))
        _ = bench.answer("03 64 00")
        let value = bytes(0..<60)
        let answer = try bench.perform { layer, now, actions in
            try layer.respond(to: id, with: .value(value), at: now, into: &actions)
        }
        #expect(answer == "0b " + hex(0..<22))
    }

    @Test("While the longest PDU is being asked for, indications wait and notifications are held back")
    mutating func sendingDuringExchange() throws {
        bench.layer.server.database = SampleDatabase.make
        _ = bench.answer("12 1f 00 03 00")
        _ = try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false)))
        #expect(bench.layer.bearers[0].isExchangingMTU)
        let indicated = bench.perform { layer, now, actions in
            _ = layer.indicate([1], of: 0x001E, to: nil, at: now, into: &actions)
        }
        #expect(indicated == "")
        bench.layer.bearers[0].hasPendingReady = true
        _ = bench.takeEvents()
        #expect(bench.answer("03 64 00") == "1d 1e 00 01")
        #expect(bench.takeEvents().contains { if case .readyToSend = $0 { true } else { false } })
    }

    // MARK: Reading

    @Test("GATT/CL/GAR/BV-01-C: a short value in one request")
    mutating func read() throws {
        #expect(try bench.order(.read(ValueReading(0x0005))) == "0a 05 00")
        #expect(bench.answer("0b 01 02") == "")
        #expect(try bench.result() == .value([1, 2]))
        _ = try bench.order(.read(ValueReading(0x0005)))
        #expect(bench.answer("0b") == "")
        #expect(try bench.result() == .value([]))
    }

    @Test(
        "GATT/CL/GAR/BV-04-C: a long value part by part, whichever way it ends",
        arguments: ["0d", "0d 2c", "01 0c 05 00 07", "01 0c 05 00 0b"]
    )
    mutating func readLong(end: String) throws {
        _ = try bench.order(.read(ValueReading(0x0005)))
        #expect(bench.answer("0b " + hex(0..<22)) == "0c 05 00 16 00")
        #expect(bench.answer("0d " + hex(22..<44)) == "0c 05 00 2c 00")
        #expect(bench.answer(end) == "")
        #expect(try bench.result() == .value(bytes(0..<(end == "0d 2c" ? 45 : 44))))
    }

    @Test(
        "GATT/CL/GAR/BI-01-C to BI-05-C: a refusal is handed on",
        arguments: [0x01, 0x02, 0x05, 0x08, 0x0C, 0x0F, 0x12, 0x80, 0xFF] as [UInt8]
    )
    mutating func readRefused(code: UInt8) throws {
        _ = try bench.order(.read(ValueReading(0x0005)))
        #expect(bench.answer("01 0a 05 00 " + [code].hex) == "")
        #expect(
            try bench.result() == .failed(.refused(ATTError(rawValue: code), request: .readRequest, handle: 0x0005))
        )
        _ = try bench.order(.read(ValueReading(0x0005)))
        #expect(bench.answer("0b " + hex(0..<22)) == "0c 05 00 16 00")
        #expect(bench.answer("01 0c 05 00 0e") == "")
        #expect(
            try bench.result() == .failed(.refused(.unlikelyError, request: .readBlobRequest, handle: 0x0005))
        )
    }

    @Test("The longest value has 512 bytes, and is complete with the last of them")
    mutating func longest() throws {
        _ = try bench.order(.exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false)))
        _ = bench.answer("03 01 01")
        _ = bench.takeEvents()
        _ = try bench.order(.read(ValueReading(0x0005)))
        #expect(bench.answer("0b " + hex(0..<256)) == "0c 05 00 00 01")
        #expect(bench.answer("0d " + hex(256..<512)) == "")
        #expect(try bench.result() == .value(bytes(0..<512)))
    }

    @Test("GATT/CL/GAR/BV-03-C, BI-07-C: all values of a type")
    mutating func readByUUID() throws {
        #expect(try bench.order(.readByUUID(ReadingByUUID(0x2A19, in: 0x0001...0x0040))) == "08 01 00 40 00 19 2a")
        #expect(bench.answer("09 03 05 00 64 09 00 63") == "08 0a 00 40 00 19 2a")
        #expect(bench.answer("09 04 0c 00 01 02") == "08 0d 00 40 00 19 2a")
        #expect(bench.answer("01 08 0d 00 0a") == "")
        #expect(
            try bench.result()
                == .values([
                    HandleValue(handle: 5, value: [0x64]), HandleValue(handle: 9, value: [0x63]),
                    HandleValue(handle: 12, value: [1, 2]),
                ])
        )
        _ = try bench.order(.readByUUID(ReadingByUUID(0x2A19, in: 0x0001...0x0040)))
        #expect(bench.answer("01 08 01 00 0a") == "")
        #expect(
            try bench.result() == .failed(.refused(.attributeNotFound, request: .readByTypeRequest, handle: 1))
        )
    }

    @Test("GATT/CL/GAR/BV-05-C: several values run together")
    mutating func readMultiple() throws {
        let reading = ReadingMultiple([0x0003, 0x0005], withLengths: false)
        #expect(try bench.order(.readMultiple(reading)) == "0e 03 00 05 00")
        #expect(bench.answer("0f 01 02 03") == "")
        #expect(try bench.result() == .value([1, 2, 3]))
        _ = try bench.order(.readMultiple(reading))
        #expect(bench.answer("01 0e 05 00 02") == "")
        #expect(try bench.result() == .failed(.refused(.readNotPermitted, request: .readMultipleRequest, handle: 5)))
    }

    @Test("GATT/CL/GAR/BV-08-C: several values with their lengths; the last may be cut")
    mutating func readMultipleVariable() throws {
        let reading = ReadingMultiple([0x0003, 0x0005], withLengths: true)
        #expect(try bench.order(.readMultiple(reading)) == "20 03 00 05 00")
        #expect(bench.answer("21 01 00 07 03 00 08 09") == "")
        let values = [HandleValue(handle: 3, value: [7]), HandleValue(handle: 5, value: [8, 9])]
        #expect(try bench.result() == .values(values))
        // A full PDU that ends within a length, as some servers have it.
        _ = try bench.order(.readMultiple(reading))
        #expect(bench.answer("21 13 00 " + hex(0..<19) + " 09") == "")
        #expect(try bench.result() == .values([HandleValue(handle: 3, value: bytes(0..<19))]))
        _ = try bench.order(.readMultiple(reading))
        #expect(bench.answer("21 01 00 07 01 00 07 01 00 07") == "")
        #expect(try bench.result() == .failed(.contradictoryResponse(.readMultipleVariableResponse)))
    }

    // MARK: Writing

    @Test("GATT/CL/GAW/BV-03-C, BI-02-C to BI-06-C: a short value in one request")
    mutating func write() throws {
        let value = bytes(0..<20)
        #expect(try bench.order(.write(ValueWriting(0x0005, value))) == "12 05 00 " + hex(0..<20))
        #expect(bench.answer("13") == "")
        #expect(try bench.result() == .written)
        _ = try bench.order(.write(ValueWriting(0x0005, [])))
        #expect(bench.answer("01 12 05 00 03") == "")
        #expect(try bench.result() == .failed(.refused(.writeNotPermitted, request: .writeRequest, handle: 5)))
    }

    @Test("GATT/CL/GAW/BV-05-C: a value too long for a request is written in parts")
    mutating func writeLong() throws {
        #expect(try bench.order(.write(ValueWriting(0x0005, bytes(0..<21)))) == "16 05 00 00 00 " + hex(0..<18))
        #expect(bench.answer("17 05 00 00 00 " + hex(0..<18)) == "16 05 00 12 00 12 13 14")
        #expect(bench.answer("17 05 00 12 00 12 13 14") == "18 01")
        #expect(bench.answer("19") == "")
        #expect(try bench.result() == .written)
    }

    @Test("GATT/CL/GAW/BI-07-C to BI-13-C: a refused part ends it, and the server forgets those before")
    mutating func writeLongRefused() throws {
        _ = try bench.order(.write(ValueWriting(0x0005, bytes(0..<21))))
        #expect(bench.answer("01 16 05 00 05") == "")
        #expect(
            try bench.result()
                == .failed(.refused(.insufficientAuthentication, request: .prepareWriteRequest, handle: 5))
        )
        _ = try bench.order(.write(ValueWriting(0x0005, bytes(0..<21))))
        _ = bench.answer("17 05 00 00 00 " + hex(0..<18))
        #expect(bench.answer("01 16 05 00 09") == "18 00")
        #expect(bench.answer("19") == "")
        #expect(
            try bench.result() == .failed(.refused(.prepareQueueFull, request: .prepareWriteRequest, handle: 5))
        )
        _ = try bench.order(.write(ValueWriting(0x0005, bytes(0..<21))))
        _ = bench.answer("17 05 00 00 00 " + hex(0..<18))
        _ = bench.answer("17 05 00 12 00 12 13 14")
        #expect(bench.answer("01 18 05 00 07") == "")
        #expect(
            try bench.result() == .failed(.refused(.invalidOffset, request: .executeWriteRequest, handle: 5))
        )
    }

    @Test("GATT/CL/GAW/BV-06-C: several values reliably, each repeated by the server")
    mutating func reliableWrite() throws {
        let writes = [
            AttributeWrite(handle: 0x0005, value: [1, 2]), AttributeWrite(handle: 0x0007, offset: 3, value: [4]),
            AttributeWrite(handle: 0x0009, value: []),
        ]
        #expect(try bench.order(.writePrepared(PreparedWriting(writes))) == "16 05 00 00 00 01 02")
        #expect(bench.answer("17 05 00 00 00 01 02") == "16 07 00 03 00 04")
        #expect(bench.answer("17 07 00 03 00 04") == "16 09 00 00 00")
        #expect(bench.answer("17 09 00 00 00") == "18 01")
        #expect(bench.answer("19") == "")
        #expect(try bench.result() == .written)
    }

    @Test(
        "GATT/CL/GAW/BI-32-C: repeated wrongly, all is cancelled",
        arguments: [
            "17 05 00 00 00 01 03", "17 06 00 00 00 01 02", "17 05 00 01 00 01 02", "17 05 00 00 00 01",
            "17 05 00 00 00 01 02 03",
        ]
    )
    mutating func echoMismatch(echo: String) throws {
        _ = try bench.order(.writePrepared(PreparedWriting([AttributeWrite(handle: 0x0005, value: [1, 2])])))
        #expect(bench.answer(echo) == "18 00")
        #expect(bench.answer("19") == "")
        #expect(try bench.result() == .failed(.echoMismatch(handle: 0x0005)))
    }

    @Test("Even a server that will not cancel comes to an end")
    mutating func cancelRefused() throws {
        _ = try bench.order(.writePrepared(PreparedWriting([AttributeWrite(handle: 0x0005, value: [1])])))
        #expect(bench.answer("17 05 00 00 00 02") == "18 00")
        #expect(bench.answer("01 18 00 00 06") == "")
        #expect(try bench.result() == .failed(.echoMismatch(handle: 0x0005)))
    }

    @Test("A command is one PDU")
    func writeCommand() {
        let packet = GATTClient.writeCommand([1, 2], 0x0028)
        #expect(packet[OutgoingPDU.headroom...].map { $0 } == [0x52, 0x28, 0x00, 1, 2])
    }
}
