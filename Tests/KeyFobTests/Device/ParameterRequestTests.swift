import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("The fob's wish for another pace")
struct ParameterRequestTests {
    /// 80 to 800 steps, latency 0, 1000 steps of 10 ms; without code and identifier.
    private let wish: [UInt8] = [0x08, 0x00, 0x50, 0x00, 0x20, 0x03, 0x00, 0x00, 0xE8, 0x03]

    @Test("It comes 5 s after the connection, once")
    func request() {
        var bench = DeviceBench.connected()
        bench.run(for: .milliseconds(4_999))
        #expect(bench.signals == [])
        bench.run(for: .milliseconds(1))
        #expect(bench.signals.count == 1)
        #expect(bench.signals.first?.first == 0x12)
        #expect(bench.signals.first.map { Array($0[2...]) } == wish)
        bench.run(for: .seconds(120))
        #expect(bench.signals.count == 1)
        #expect(bench.device.connection != nil, "nobody disconnects for want of an answer")
    }

    @Test("After a refusal, or an acceptance, nothing more is said", arguments: [UInt8(0), 1])
    func answered(result: UInt8) throws {
        var bench = DeviceBench.connected()
        bench.run(for: .seconds(5))
        let identifier = try #require(bench.signals.first)[1]
        bench.send([0x13, identifier, 2, 0, result, 0], channel: 5)
        bench.run(for: .seconds(120))
        #expect(bench.signals.count == 1)
        #expect(bench.device.connection != nil)
    }

    @Test(
        "There is no need where the connection is like that",
        arguments: [
            (80, 0, 1_000, false), (800, 0, 1_000, false), (79, 0, 1_000, true), (801, 0, 1_000, true),
            (100, 1, 1_000, true), (100, 0, 999, true),
        ] as [(UInt16, UInt16, UInt16, Bool)]
    )
    func need(interval: UInt16, latency: UInt16, timeout: UInt16, asks: Bool) {
        var bench = DeviceBench.advertising()
        bench.connect(interval: interval, latency: latency, timeout: timeout)
        bench.run(for: .seconds(60))
        #expect(bench.signals.count == (asks ? 1 : 0))
    }

    @Test("What counts is the pace at the end of the 5 s")
    func changedMeanwhile() {
        var bench = DeviceBench.connected()
        bench.run(for: .seconds(3))
        bench.updateParameters(interval: 160, latency: 0, timeout: 1_000)
        bench.run(for: .seconds(60))
        #expect(bench.signals == [])
    }

    @Test("A connection that ends before is not asked; the next one has its own 5 s")
    func ended() {
        var bench = DeviceBench.connected()
        bench.run(for: .seconds(3))
        bench.disconnect(reason: .remoteUserTerminatedConnection)
        bench.run(for: .seconds(3))
        bench.connect()
        bench.run(for: .milliseconds(4_999))
        #expect(bench.signals == [])
        bench.run(for: .milliseconds(1))
        #expect(bench.signals.count == 1)
    }

    @Test("Firmware 1.3 does not ask; with asking enabled it asks at once")
    func firmware1_3() {
        var options = KeyFobOptions(firmware: .v1_3)
        var silent = DeviceBench.connected(options)
        silent.run(for: .seconds(60))
        #expect(silent.signals == [])
        options.requestsConnectionParameters = true
        var bench = DeviceBench.advertising(options)
        bench.connect()
        #expect(bench.signals.count == 1)
    }
}
