import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

@Suite("ATT server: writing")
struct ServerWritingTests {
    var bench = ServerBench(SampleDatabase.make)
    let peer = ServerBench.connection(0)

    @Test("GATT/SR/GAW/BV-03-C: a value is written, and told of")
    mutating func write() {
        #expect(bench.send("12 14 00 aa bb") == "13")
        #expect(bench.takeServerEvents() == [.valueWritten(peer, 0x0014, [0xAA, 0xBB])])
        #expect(bench.send("0a 14 00") == "0b aa bb")
        #expect(bench.send("12 14 00") == "13")
        #expect(bench.send("0a 14 00") == "0b")
    }

    @Test(
        "GATT/SR/GAW/BI-02-C, BI-03-C, BI-04-C, BI-05-C, BI-32-C: a write that cannot be is refused, and changes nothing"
    )
    mutating func refusals() {
        let before = bench.layer.server.database.rows
        #expect(bench.send("12 29 00 01") == "01 12 29 00 01")
        #expect(bench.send("12 00 00 01") == "01 12 00 00 01")
        #expect(bench.send("12 18 00 01") == "01 12 18 00 03")
        #expect(bench.send("12 10 00 01") == "01 12 10 00 03")
        #expect(bench.send("12 11 00 01") == "01 12 11 00 03")
        #expect(bench.send("12 1c 00 01") == "01 12 1c 00 08")
        #expect(bench.send("12 1a 00 01") == "01 12 1a 00 05")
        #expect(bench.send("12 12 00 01 02") == "01 12 12 00 0d")
        #expect(bench.send("12 12 00") == "01 12 12 00 0d")
        bench.agree(mtu: 517)
        #expect(bench.send("12 14 00" + String(repeating: " 01", count: 101)) == "01 12 14 00 0d")
        #expect(bench.send("12 16 00" + String(repeating: " 01", count: 513)) == "01 12 16 00 0d")
        #expect(bench.takeServerEvents() == [])
        #expect(bench.layer.server.database.rows == before)
        #expect(bench.send("12 16 00" + String(repeating: " 01", count: 512)) == "13")
    }

    @Test("A value of fixed length keeps it: less is written over its beginning, more is refused")
    mutating func fixedLength() {
        #expect(bench.send("12 28 00 09 08") == "13")
        #expect(bench.send("0a 28 00") == "0b 09 08 03 04")
        #expect(bench.send("12 28 00") == "13")
        #expect(bench.send("12 28 00 01 02 03 04 05") == "01 12 28 00 0d")
        #expect(bench.send("0a 28 00") == "0b 09 08 03 04")
    }

    @Test("GATT/SR/GAW/BV-01-C: a command is carried out and not answered")
    mutating func command() {
        #expect(bench.send("52 16 00 07") == "")
        #expect(bench.takeServerEvents() == [.valueWritten(peer, 0x0016, [7])])
    }

    @Test("GATT/SR/GAW/BI-39-C: a command that cannot be carried out is dropped in silence")
    mutating func badCommands() {
        let before = bench.layer.server.database.rows
        for hex in [
            "52 29 00 01", "52 00 00 01", "52 18 00 01", "52 12 00 01 02", "52 1c 00 01", "52", "52 16",
            "52 16 00" + String(repeating: " 01", count: 21),
        ] {
            #expect(bench.send(hex) == "", "\(hex)")
        }
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.layer.server.database.rows == before)
    }

    @Test("A signed command is dropped: there is no bond to check it with")
    mutating func signedCommand() {
        #expect(bench.send("d2 16 00 07 01 02 03 04 05 06 07 08 09 0a 0b 0c") == "")
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.layer.server.database.value(of: 0x0016) == [])
    }

    // MARK: Client configurations

    @Test("A configuration is the client's own, and is told of by the value it is about")
    mutating func configuration() {
        bench = ServerBench(SampleDatabase.make, connections: 2)
        #expect(bench.send("12 1f 00 01 00") == "13")
        #expect(bench.takeServerEvents() == [.subscriptionChanged(peer, 0x001E, .notifications)])
        #expect(bench.send("0a 1f 00") == "0b 01 00")
        #expect(bench.send("0a 1f 00", from: 1) == "0b 00 00")
        #expect(bench.send("12 1f 00 03 00") == "13")
        #expect(bench.takeServerEvents() == [.subscriptionChanged(peer, 0x001E, [.notifications, .indications])])
        // The same again is no change.
        #expect(bench.send("12 1f 00 03 00") == "13")
        #expect(bench.takeServerEvents() == [])
        #expect(bench.send("12 1f 00 00 00") == "13")
        #expect(bench.takeServerEvents() == [.subscriptionChanged(peer, 0x001E, [])])
    }

    @Test("GATT/SR/GAN/BV-01-C: a configuration ends with the connection")
    mutating func configurationEnds() {
        _ = bench.send("12 1f 00 01 00")
        _ = bench.perform { layer, _, actions in
            layer.close(peer, into: &actions)
            layer.open(peer)
        }
        #expect(bench.send("0a 1f 00") == "0b 00 00")
    }

    @Test("Bits that the properties lack are refused with 0x13; bits that nobody knows are ignored")
    mutating func configurationBits() {
        #expect(bench.send("12 04 00 01 00") == "01 12 04 00 13")
        #expect(bench.send("12 04 00 03 00") == "01 12 04 00 13")
        #expect(bench.send("12 04 00 02 00") == "13")
        #expect(bench.send("12 1f 00 fd ff") == "13")
        #expect(bench.send("0a 1f 00") == "0b 01 00")
    }

    @Test("The first byte of a configuration may be written alone, three bytes may not")
    mutating func configurationLength() {
        #expect(bench.send("12 1f 00 02") == "13")
        #expect(bench.send("0a 1f 00") == "0b 02 00")
        #expect(bench.send("12 1f 00 01 00 00") == "01 12 1f 00 0d")
        #expect(bench.send("0a 1f 00") == "0b 02 00")
    }

    @Test("A configuration with an error of its own refuses with it what it does not support")
    mutating func strictConfiguration() {
        #expect(bench.send("12 26 00 02 00") == "01 12 26 00 80")
        #expect(bench.send("12 26 00 04 00") == "01 12 26 00 80")
        #expect(bench.send("12 26 00 01 01") == "01 12 26 00 80")
        #expect(bench.send("12 26 00 01") == "01 12 26 00 0d")
        #expect(bench.send("12 26 00") == "01 12 26 00 0d")
        #expect(bench.send("12 26 00 01 00 00") == "01 12 26 00 0d")
        #expect(bench.send("0c 26 00 01 00") == "01 0c 26 00 0b")
        #expect(bench.send("12 26 00 01 00") == "13")
        #expect(bench.send("12 26 00 00 00") == "13")
    }

    @Test("A server configuration is one for all clients")
    mutating func serverConfiguration() {
        bench = ServerBench(SampleDatabase.make, connections: 2)
        #expect(bench.send("12 65 00 01 00") == "13")
        #expect(bench.takeServerEvents() == [.valueWritten(peer, 0x0065, [1, 0])])
        #expect(bench.send("0a 65 00", from: 1) == "0b 01 00")
    }

    @Test("GATT/SR/GAS/BV-03-C: what a client supports is its own; bits can be set and not cleared")
    mutating func clientFeatures() {
        bench = ServerBench(SampleDatabase.make, connections: 2)
        #expect(bench.send("0a 06 00") == "0b 00")
        #expect(bench.send("12 06 00 01") == "13")
        #expect(bench.send("12 06 00 04") == "01 12 06 00 13")
        #expect(bench.send("12 06 00 05 00") == "13")
        #expect(bench.send("12 06 00") == "01 12 06 00 0d")
        #expect(bench.send("0a 06 00") == "0b 05")
        #expect(bench.send("0a 06 00", from: 1) == "0b 00")
    }

    // MARK: The application's values

    @Test("A write to the application's value waits for its word")
    mutating func dynamicWrite() {
        #expect(bench.send("12 21 00 05") == "")
        let asked = bench.takeServerEvents()
        guard case .writeRequested(let id, peer, [AttributeWrite(handle: 0x0021, value: [5])], .request) = asked.first
        else {
            Issue.record("\(asked)")
            return
        }
        #expect(bench.respond(to: id, with: .written) == "13")
        #expect(bench.respond(to: id, with: .written) == "")
        _ = bench.send("12 21 00 05")
        let refusal = RequestAnswer.refused(ATTError(rawValue: 0x80))
        #expect(bench.respond(to: bench.takeRequest(), with: refusal) == "01 12 21 00 80")
    }

    @Test("A write that is answered with a value still waits for its answer")
    mutating func wrongAnswer() {
        _ = bench.send("12 21 00 05")
        let id = bench.takeRequest()
        #expect(bench.respond(to: id, with: .value([5])) == OrderError.wrongAnswer.description)
        #expect(bench.respond(to: id, with: .written) == "13")
    }

    @Test("A command to the application's value is handed on, and nobody waits")
    mutating func dynamicCommand() {
        #expect(bench.send("52 21 00 05") == "")
        let asked = bench.takeServerEvents()
        guard case .writeRequested(let id, peer, [AttributeWrite(handle: 0x0021, value: [5])], .command) = asked.first
        else {
            Issue.record("\(asked)")
            return
        }
        #expect(bench.respond(to: id, with: .refused(.unlikelyError)) == "")
        #expect(bench.send("0a 12 00") == "0b 01")
    }
}
