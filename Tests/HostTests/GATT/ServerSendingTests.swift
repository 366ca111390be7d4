import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("ATT server: notifications and indications")
struct ServerSendingTests {
    var bench = ServerBench(SampleDatabase.make, connections: 2)
    let peer = ServerBench.connection(0)

    private func notification(_ value: [UInt8], _ handle: AttributeHandle, to index: Int = 0) -> String? {
        let bearer = bench.layer.bearers[index]
        guard bench.layer.server.wants(.notifications, of: handle, bearer.link) else { return nil }
        let packet = bench.layer.server.notification(value, of: handle, mtu: bearer.mtu)
        return Array(packet[OutgoingPDU.headroom...]).hex(separator: " ")
    }

    private mutating func indicate(_ value: [UInt8], _ handle: AttributeHandle, to number: Int? = nil) -> String {
        bench.perform { layer, now, actions in
            let connection = number.map { ServerBench.connection($0) }
            _ = layer.indicate(value, of: handle, to: connection, at: now, into: &actions)
        }
    }

    @Test("Only who has subscribed is notified, and only of that characteristic")
    mutating func notifications() {
        #expect(notification([1], 0x001E) == nil)
        _ = bench.send("12 1f 00 01 00")
        #expect(notification([1], 0x001E) == "1b 1e 00 01")
        #expect(notification([1], 0x001E, to: 1) == nil)
        #expect(notification([1], 0x0025) == nil)
        #expect(notification([1], 0x0012) == nil)
        #expect(notification([1], 0x1234) == nil)
        _ = bench.send("12 1f 00 02 00")
        #expect(notification([1], 0x001E) == nil)
    }

    @Test("A notification is cut to three bytes less than the MTU")
    mutating func cutNotification() {
        _ = bench.send("12 1f 00 01 00")
        let value = [UInt8](repeating: 9, count: 600)
        #expect(notification(value, 0x001E)?.split(separator: " ").count == 23)
        bench.agree(mtu: 517)
        #expect(notification(value, 0x001E)?.split(separator: " ").count == 517)
    }

    @Test("Several values are one PDU for a client that understands it, and one each for others")
    mutating func multiple() {
        _ = bench.send("12 1f 00 01 00")
        _ = bench.send("12 26 00 01 00")
        let values = [
            HandleValue(handle: 0x001E, value: [1]), HandleValue(handle: 0x0012, value: [2]),
            HandleValue(handle: 0x0025, value: [3, 4]),
        ]
        func sent() -> [String] {
            bench.layer.server.notifications(values, to: bench.layer.bearers[0].link)
                .map { Array($0[OutgoingPDU.headroom...]).hex(separator: " ") }
        }
        #expect(sent() == ["1b 1e 00 01", "1b 25 00 03 04"])
        _ = bench.send("12 06 00 04")
        #expect(sent() == ["23 1e 00 01 00 01 25 00 02 00 03 04"])
        _ = bench.send("12 1f 00 00 00")
        #expect(sent() == ["1b 25 00 03 04"])
    }

    @Test("Values are never cut inside a PDU with others")
    mutating func multipleFilling() {
        _ = bench.send("12 1f 00 01 00")
        _ = bench.send("12 06 00 04")
        func lengths(_ counts: [Int]) -> [String] {
            let values = counts.map { HandleValue(handle: 0x001E, value: [UInt8](repeating: 7, count: $0)) }
            return bench.layer.server.notifications(values, to: bench.layer.bearers[0].link)
                .map { "\([$0[9]].hex)/\($0.count - OutgoingPDU.headroom)" }
        }
        #expect(lengths([7, 7]) == ["23/23"])
        #expect(lengths([7, 8]) == ["1b/10", "1b/11"])
        #expect(lengths([1, 1, 1, 1, 1]) == ["23/21", "1b/4"])
        #expect(lengths([19, 2, 3]) == ["1b/22", "23/14"])
        // Alone it has more room, and may be cut.
        #expect(lengths([2, 40, 3]) == ["1b/23", "23/14"])
    }

    @Test("GATT/SR/GAI/BV-01-C: one indication at a time; the next waits for the confirmation")
    mutating func indications() {
        _ = bench.send("12 1f 00 02 00")
        _ = bench.takeEvents()
        #expect(indicate([1], 0x001E) == "1d 1e 00 01")
        #expect(indicate([2], 0x001E) == "")
        #expect(indicate([3], 0x001E) == "")
        #expect(bench.send("0a 12 00") == "0b 01")
        #expect(bench.send("1e") == "1d 1e 00 02")
        #expect(bench.takeServerEvents() == [.indicationConfirmed(peer, 0x001E)])
        #expect(bench.send("1e") == "1d 1e 00 03")
        #expect(bench.send("1e") == "")
        #expect(bench.layer.nextDeadline == nil)
        #expect(bench.takeServerEvents().count == 2)
    }

    @Test("Only who has subscribed gets indications; who has not is not waited for")
    mutating func indicationTargets() {
        #expect(indicate([1], 0x001E) == "")
        _ = bench.send("12 1f 00 02 00", from: 1)
        #expect(indicate([1], 0x001E, to: 0) == "")
        #expect(indicate([1], 0x001E) == "1d 1e 00 01")
        #expect(bench.layer.bearers[0].server.indications.isEmpty)
    }

    @Test("More indications than a queue holds are refused")
    mutating func fullQueue() {
        _ = bench.send("12 1f 00 02 00")
        var accepted = 0
        for _ in 0..<100 {
            _ = bench.perform { layer, now, actions in
                if layer.indicate([1], of: 0x001E, to: nil, at: now, into: &actions) { accepted += 1 }
            }
        }
        #expect(accepted == ServerSession.indicationLimit)
        for _ in 0..<accepted { _ = bench.send("1e") }
        #expect(bench.takeServerEvents().count == accepted + 1)
        #expect(indicate([1], 0x001E) == "1d 1e 00 01")
    }

    @Test("GATT/SR/GAT/BV-01-C: without confirmation for 30 s the bearer is closed, and nothing more is sent or taken")
    mutating func timeout() {
        _ = bench.send("12 1f 00 03 00")
        _ = bench.takeEvents()
        _ = indicate([1], 0x001E)
        #expect(bench.layer.nextDeadline == .zero + .seconds(30))
        #expect(bench.advance(.milliseconds(29_999)) == "")
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.advance(.milliseconds(1)) == "")
        guard case .attTimedOut(peer) = bench.takeEvents().first else {
            Issue.record("no event")
            return
        }
        #expect(bench.timedOut == [peer])
        #expect(bench.layer.nextDeadline == nil)
        #expect(notification([1], 0x001E) == nil)
        #expect(indicate([2], 0x001E) == "")
        #expect(bench.send("0a 12 00") == "")
        #expect(bench.send("1e") == "")
        // Others are not concerned.
        #expect(bench.send("0a 12 00", from: 1) == "0b 01")
    }

    @Test("A confirmation in time keeps the bearer open")
    mutating func confirmedInTime() {
        _ = bench.send("12 1f 00 02 00")
        _ = indicate([1], 0x001E)
        _ = bench.advance(.milliseconds(29_999))
        _ = bench.send("1e")
        #expect(bench.advance(.seconds(100)) == "")
        #expect(bench.timedOut.isEmpty)
    }
}
