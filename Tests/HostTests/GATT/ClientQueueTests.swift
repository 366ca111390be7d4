import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("GATT client: one request at a time")
struct ClientQueueTests {
    var bench = ClientBench()

    private func read(_ handle: AttributeHandle) -> ClientProcedure { .read(ValueReading(handle)) }

    @Test("Procedures wait for each other, and are answered in their order")
    mutating func queue() throws {
        #expect(try bench.order(read(0x0001)) == "0a 01 00")
        #expect(try bench.order(read(0x0002)) == "")
        #expect(try bench.order(.write(ValueWriting(0x0003, [7]))) == "")
        #expect(bench.answer("0b 01") == "0a 02 00")
        #expect(bench.answer("01 0a 02 00 02") == "12 03 00 07")
        #expect(bench.answer("13") == "")
        #expect(
            bench.takeResults() == [
                .value([1]), .failed(.refused(.readNotPermitted, request: .readRequest, handle: 2)), .written,
            ]
        )
    }

    @Test("More procedures than a queue holds are not taken")
    mutating func fullQueue() throws {
        for _ in 0...ClientSession.waitingLimit { _ = try bench.order(read(0x0001)) }
        #expect(throws: OrderError.tooManyProcedures) { try bench.order(read(0x0001)) }
        _ = bench.answer("0b")
        _ = try bench.order(read(0x0001))
    }

    @Test("A connection that is not there takes no orders")
    mutating func noConnection() {
        bench.layer.bearers.removeAll()
        #expect(throws: OrderError.noSuchConnection) { try bench.order(read(0x0001)) }
    }

    @Test("GATT/CL/GAT/BV-01-C, BV-02-C: without an answer for 30 s all procedures fail, and the bearer is closed")
    mutating func timeout() throws {
        _ = try bench.order(read(0x0001))
        _ = try bench.order(.write(ValueWriting(0x0003, [7])))
        #expect(bench.layer.nextDeadline == .zero + .seconds(30))
        _ = bench.advance(.milliseconds(29_999))
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.advance(.milliseconds(1)) == "")
        #expect(bench.timedOut == [bench.server])
        #expect(bench.takeResults() == [.failed(.timedOut), .failed(.timedOut)])
        #expect(bench.layer.nextDeadline == nil)
        #expect(throws: OrderError.attTimedOut) { try bench.order(read(0x0001)) }
        #expect(bench.answer("0b 01") == "")
        #expect(bench.answer("1d 01 00") == "")
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("Each request has its own 30 s")
    mutating func deadlines() throws {
        _ = try bench.order(read(0x0001))
        _ = bench.advance(.seconds(29))
        #expect(bench.answer("0b 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15") != "")
        _ = bench.advance(.seconds(29))
        #expect(bench.timedOut.isEmpty)
        _ = bench.answer("0d")
        #expect(bench.layer.nextDeadline == nil)
        _ = bench.advance(.seconds(100))
        #expect(bench.timedOut.isEmpty)
    }

    @Test("When the connection ends, all procedures do")
    mutating func disconnected() throws {
        _ = try bench.order(.everything(FullDiscovery()))
        _ = try bench.order(read(0x0001))
        let server = bench.server
        #expect(bench.perform { layer, _, actions in layer.close(server, into: &actions) } == "")
        #expect(bench.takeResults() == [.failed(.disconnected), .failed(.disconnected)])
        #expect(bench.layer.bearers.isEmpty)
    }

    @Test("Client and server on one connection do not disturb each other")
    mutating func bothRoles() throws {
        bench.layer.server.database = SampleDatabase.make
        _ = try bench.order(read(0x0001))
        #expect(bench.answer("0a 12 00") == "0b 01")
        #expect(bench.answer("12 14 00 09") == "13")
        #expect(bench.answer("0b 05") == "")
        #expect(try bench.result() == .value([5]))
    }

    // MARK: What the server sends by itself

    @Test("GATT/CL/GAN/BV-01-C: a notification is handed on, at any time")
    mutating func notification() throws {
        _ = try bench.order(read(0x0001))
        #expect(bench.answer("1b 47 00 03") == "")
        let events = bench.takeEvents()
        guard case .client(.notificationReceived(bench.server, 0x0047, [3], isIndication: false)) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(bench.answer("0b 01") == "")
    }

    @Test("GATT/CL/GAI/BV-01-C: an indication is confirmed and handed on")
    mutating func indication() {
        #expect(bench.answer("1d 47 00 03") == "1e")
        let events = bench.takeEvents()
        guard case .client(.notificationReceived(bench.server, 0x0047, [3], isIndication: true)) = events.first else {
            Issue.record("\(events)")
            return
        }
    }

    @Test("GATT/CL/GAN/BV-02-C: several values in one notification are several, and a bad one spoils no other")
    mutating func multipleNotification() {
        #expect(bench.answer("23 02 00 01 00 05 00 00 00 00 04 00 00 00") == "")
        let handles = bench.takeEvents().map { event in
            if case .client(.notificationReceived(_, let handle, let value, _)) = event {
                "\(handle) \(value)"
            } else {
                "?"
            }
        }
        #expect(handles == ["0x0002 [5]", "0x0004 []"])
    }

    @Test(
        "An indication is confirmed even if it makes no sense; nothing of it is handed on",
        arguments: ["1d", "1d 01", "1d 00 00 01", "1d 01 00" + String(repeating: " 00", count: 21)]
    )
    mutating func badIndication(hex: String) {
        #expect(bench.answer(hex) == "1e")
        guard case .client(.unexpectedPDU(_, .handleValueIndication)) = bench.takeEvents().first else {
            Issue.record("not told of")
            return
        }
    }

    @Test(
        "A notification that makes no sense is ignored",
        arguments: [
            "1b", "1b 01", "1b 00 00 01", "1b 01 00" + String(repeating: " 00", count: 21), "23", "23 01 00 00 00",
            "23 01 00 01 00 05 02 00 02 00 05",
        ]
    )
    mutating func badNotification(hex: String) {
        #expect(bench.answer(hex) == "")
        let events = bench.takeEvents()
        guard events.count == 1, case .client(.unexpectedPDU) = events[0] else {
            Issue.record("\(events)")
            return
        }
    }
}
