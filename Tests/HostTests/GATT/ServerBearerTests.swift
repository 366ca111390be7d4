import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("ATT server: bearer")
struct ServerBearerTests {
    var bench = ServerBench(SampleDatabase.make)
    let peer = ServerBench.connection(0)

    @Test(
        "GATT/SR/GAC/BV-01-C: the smaller of both ends' longest PDUs is agreed on",
        arguments: [23, 24, 100, 516, 517]
    )
    mutating func exchangeMTU(mtu: Int) {
        let bytes = [UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)].hex(separator: " ")
        #expect(bench.send("02 " + bytes) == "03 05 02")
        #expect(bench.layer.mtu(of: peer) == mtu)
        #expect(bench.takeEvents().count == (mtu == 23 ? 0 : 1))
        // The response itself was still of the old length; this one is of the new.
        #expect(bench.send("0a 14 00").split(separator: " ").count == min(mtu, 61))
    }

    @Test("A client that takes more than this host gets what this host takes")
    mutating func longerClient() {
        bench = ServerBench(SampleDatabase.make, maximumMTU: 185)
        #expect(bench.send("02 ff ff") == "03 b9 00")
        #expect(bench.layer.mtu(of: peer) == 185)
    }

    @Test("Less than 23 bytes is no MTU: 23 it stays", arguments: ["00 00", "01 00", "16 00"])
    mutating func tooSmall(mtu: String) {
        #expect(bench.send("02 " + mtu) == "03 05 02")
        #expect(bench.layer.mtu(of: peer) == 23)
    }

    @Test("GATT/SR/UNS/BI-01-C: a request that nobody knows is refused with 0x06")
    mutating func unknownRequests() {
        for raw in UInt8.min...UInt8.max {
            let opcode = ATTOpcode(rawValue: raw)
            guard opcode.isRequest, !ATTExample.all.contains(where: { $0.bytes[0] == raw && raw != 0x7F }) else {
                continue
            }
            let hex = [raw].hex
            #expect(bench.send(hex) == "01 \(hex) 00 00 06")
            #expect(bench.send(hex + " 01 02 03") == "01 \(hex) 00 00 06")
        }
    }

    @Test("GATT/SR/UNS/BI-02-C: a command that nobody knows is ignored")
    mutating func unknownCommands() {
        for raw in UInt8.min...UInt8.max where raw & 0x40 != 0 && raw != 0x52 {
            #expect(bench.send([raw].hex + " 16 00 01") == "")
        }
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("A malformed request is refused with 0x04 and handle 0x0000")
    mutating func malformed() {
        for hex in [
            "02", "02 17", "02 17 00 00", "04 01 00 ff", "04 01 00 ff ff 00", "06 01 00 ff ff 00", "08 01 00 ff ff",
            "08 01 00 ff ff 00", "08 01 00 ff ff 00 28 00 00", "0a", "0a 01", "0a 12 00 00", "0c 12 00 00",
            "0c 12 00 00 00 00", "0e", "0e 12 00", "0e 12 00 12", "0e 12 00 12 00 12", "10 01 00 ff ff",
            "10 01 00 ff ff 00 28 00", "12", "12 12", "16 12 00 00", "18", "18 02", "18 ff", "18 01 00", "20 12 00",
            "20 12 00 12 00 12",
        ] {
            #expect(bench.send(hex) == "01 \(hex.prefix(2)) 00 00 04", "\(hex)")
        }
        #expect(bench.layer.mtu(of: peer) == 23)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("A PDU longer than the MTU is refused with 0x04 if it is a request, and ignored if it is a command")
    mutating func tooLong() {
        let long = String(repeating: " 01", count: 21)
        #expect(bench.send("12 16 00" + long) == "01 12 00 00 04")
        #expect(bench.send("52 16 00" + long) == "")
        #expect(bench.layer.server.database.value(of: 0x0016) == [])
        #expect(bench.send("7f" + long + " 01 01") == "")
        bench.agree(mtu: 24)
        #expect(bench.send("12 16 00" + long) == "13")
    }

    @Test("Of a PDU longer than this host takes at all only the beginning is seen, and that is enough")
    mutating func muchTooLong() {
        func beginning(_ bytes: [UInt8]) -> String {
            bench.perform { layer, _, actions in
                layer.handleTooLongPDU(bytes.span.bytes, on: ServerBench.connection(0), into: &actions)
            }
        }
        #expect(beginning([0x12, 0x16, 0x00, 0x01]) == "01 12 00 00 04")
        #expect(beginning([0x3F]) == "01 3f 00 00 04")
        #expect(beginning([0x52, 0x16, 0x00, 0x01]) == "")
        #expect(beginning([0x1B, 0x16, 0x00, 0x01]) == "")
        #expect(beginning([0x0B]) == "")
        #expect(beginning([]) == "")
    }

    @Test("A PDU of no bytes, and one for a connection that has gone, are ignored")
    mutating func nothing() {
        #expect(bench.send("") == "")
        #expect(bench.send("0a 12 00", from: 5) == "")
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("Responses that nobody asked for, and confirmations of nothing, are told of and ignored")
    mutating func unsolicited() {
        for hex in ["01 0a 12 00 01", "03 17 00", "05 01 01 00 00 28", "0b 01", "13", "19", "1e", "1e 00"] {
            #expect(bench.send(hex) == "")
            let opcode = ATTOpcode(rawValue: ([UInt8](hex: hex) ?? [0])[0])
            let events = bench.takeEvents()
            guard events.count == 1, case .client(.unexpectedPDU(peer, opcode)) = events[0] else {
                Issue.record("\(hex): \(events)")
                continue
            }
        }
    }
}
