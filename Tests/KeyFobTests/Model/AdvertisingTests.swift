import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Advertising")
struct AdvertisingTests {
    @Test("The right key starts it, LED2 shows it, and it ends by itself after 30.72 s")
    func period() {
        var bench = FobBench()
        bench.click(.right)
        #expect(
            bench.effects() == [
                .keys(.right), .startAdvertising, .notify(.keys, 2), .advertising(true), .led(.led2, true),
                .keys([]), .notify(.keys, 0),
            ]
        )
        bench.run(for: .milliseconds(30_720 - 200 - 1))
        #expect(bench.log.isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(bench.effects() == [.stopAdvertising, .advertising(false), .led(.led2, false)])
        bench.run(for: .seconds(100))
        #expect(bench.log.isEmpty, "no automatic cycle")
    }

    @Test("The duration is an option", arguments: [TimeSpan.seconds(30), .seconds(180)])
    func duration(_ span: TimeSpan) {
        var options = KeyFobOptions()
        options.advertisingDuration = span
        var bench = FobBench(options)
        bench.handle(.toggleAdvertising)
        bench.run(for: span - .milliseconds(1))
        #expect(bench.model.isAdvertising)
        bench.run(for: .milliseconds(1))
        #expect(!bench.model.isAdvertising)
    }

    @Test("A duration that leads past the last instant never ends")
    func endless() {
        var options = KeyFobOptions()
        options.advertisingDuration = .nanoseconds(.max)
        var bench = FobBench(options)
        bench.run(for: .seconds(1))
        bench.handle(.toggleAdvertising)
        bench.run(for: .seconds(100_000))
        #expect(bench.model.isAdvertising)
    }

    @Test("The right key stops it again, and a new start gets a whole period")
    func toggling() {
        var bench = FobBench.advertising()
        bench.run(for: .seconds(20))
        bench.click(.right)
        #expect(
            bench.effects() == [
                .keys(.right), .stopAdvertising, .notify(.keys, 2), .advertising(false), .led(.led2, false),
                .keys([]), .notify(.keys, 0),
            ]
        )
        bench.click(.right)
        bench.run(for: .seconds(30))
        #expect(bench.model.isAdvertising)
    }

    @Test("toggleAdvertising does what the right key does, without the key")
    func toggleWithoutKey() {
        var bench = FobBench()
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.startAdvertising, .advertising(true), .led(.led2, true)])
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.stopAdvertising, .advertising(false), .led(.led2, false)])
    }

    @Test("A connection ends it; LED2 goes off; the period's end is forgotten")
    func connection() {
        var bench = FobBench.advertising()
        bench.handle(.connected)
        #expect(bench.effects() == [.advertising(false), .led(.led2, false)])
        bench.run(for: .seconds(100))
        #expect(bench.log.isEmpty)
    }

    @Test(
        "After every disconnection it starts for one more period",
        arguments: [true, false]
    )
    func afterDisconnection(bySupervisionTimeout: Bool) {
        var bench = FobBench.connected()
        bench.handle(.disconnected(bySupervisionTimeout: bySupervisionTimeout))
        #expect(bench.effects() == [.startAdvertising, .advertising(true), .led(.led2, true)])
        bench.run(for: .milliseconds(30_720))
        #expect(bench.effects() == [.stopAdvertising, .advertising(false), .led(.led2, false)])
        #expect(bench.model.proximity == .initialized)
    }

    @Test("While connected the right key leaves advertising alone")
    func whileConnected() {
        var bench = FobBench.connected()
        bench.click(.right)
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.keys(.right), .notify(.keys, 2), .keys([]), .notify(.keys, 0)])
    }

    @Test("Firmware before 1.3 does not show it on LED2", arguments: [KeyFobFirmware.v1_1, .v1_2])
    func withoutLight(firmware: KeyFobFirmware) {
        var bench = FobBench(KeyFobOptions(firmware: firmware))
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.startAdvertising, .advertising(true)])
        #expect(!bench.model.led2)
    }

    @Test("Keys faster than the radio: the radio ends up where the last key wanted it")
    func fasterThanTheRadio() {
        var bench = FobBench()
        bench.radioAnswers = false
        bench.handle(.toggleAdvertising)
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.startAdvertising])
        bench.handle(.advertisingStarted)
        #expect(bench.effects() == [.advertising(true), .led(.led2, true), .stopAdvertising])
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [])
        bench.handle(.advertisingStopped)
        #expect(bench.effects() == [.advertising(false), .led(.led2, false), .startAdvertising])
    }

    @Test("A central that connects while the radio is being told to stop is welcome")
    func overtaken() {
        var bench = FobBench.advertising()
        bench.radioAnswers = false
        bench.handle(.toggleAdvertising)
        bench.handle(.connected)
        bench.handle(.advertisingStopped)
        #expect(bench.effects() == [.stopAdvertising, .advertising(false), .led(.led2, false)])
        #expect(bench.model.isConnected && bench.model.proximity == .inRange)
    }

    @Test("A radio that refuses leaves the fob as it was, ready for another try")
    func refused() {
        var bench = FobBench()
        bench.radioAnswers = false
        bench.handle(.toggleAdvertising)
        bench.handle(.advertisingFailed)
        #expect(!bench.model.isAdvertising)
        bench.handle(.toggleAdvertising)
        #expect(bench.effects() == [.startAdvertising, .startAdvertising])
    }

    @Test("A radio that stops on its own accord ends the period")
    func stopsUnasked() {
        var bench = FobBench.advertising()
        bench.handle(.advertisingStopped)
        #expect(bench.effects() == [.advertising(false), .led(.led2, false)])
        bench.run(for: .seconds(100))
        #expect(bench.log.isEmpty)
    }
}
