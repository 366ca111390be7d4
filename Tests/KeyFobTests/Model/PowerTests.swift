import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Power-up")
struct PowerTests {
    @Test("The stack starts after 500 ms, LED1 is on for a second, nothing else happens")
    func powerUp() {
        var bench = FobBench(poweredUp: false)
        bench.handle(.powerUp)
        bench.run(for: .seconds(10))
        #expect(
            bench.log == [
                .init(at: .milliseconds(500), effect: .led(.led1, true)),
                .init(at: .milliseconds(500), effect: .startStack),
                .init(at: .milliseconds(1_500), effect: .led(.led1, false)),
            ]
        )
    }

    @Test("The first battery check comes 10 s after the stack's start")
    func firstBatteryCheck() {
        var bench = FobBench(poweredUp: false)
        bench.handle(.powerUp)
        bench.handle(.batteryCharge(percent: 40))
        bench.run(for: .milliseconds(10_499))
        #expect(bench.model.value(of: .batteryLevel) == 100)
        bench.run(for: .milliseconds(1))
        #expect(bench.model.value(of: .batteryLevel) == 40)
    }

    @Test("At power-up every level is none, the power 0 dBm, the battery full, and nothing advertises")
    func initialValues() {
        let model = FobBench().model
        let expected: [(KeyFobValue, UInt8)] = [
            (.linkLossLevel, 0), (.immediateAlertLevel, 0), (.txPowerLevel, 0), (.batteryLevel, 100),
            (.accelerometerEnable, 0), (.x, 0), (.y, 0), (.z, 0), (.keys, 0),
        ]
        for (value, byte) in expected { #expect(model.value(of: value) == byte, "\(value)") }
        #expect(!model.isAdvertising && !model.isConnected && model.proximity == .initialized)
        #expect(model.tone == nil && !model.led1 && !model.led2)
    }

    @Test("Without power a key does nothing")
    func noPower() {
        var bench = FobBench(poweredUp: false)
        bench.click(.left)
        bench.click(.right)
        bench.handle(.toggleAdvertising)
        #expect(bench.log.isEmpty && bench.model.nextDeadline == nil)
    }

    @Test("The right key before the stack has started is remembered")
    func keyBeforeStack() {
        var bench = FobBench(poweredUp: false)
        bench.handle(.powerUp)
        bench.click(.right)
        #expect(!bench.model.isAdvertising)
        bench.run(for: .milliseconds(300))
        #expect(bench.model.isAdvertising)
    }

    @Test("With advertisesAtStart the fob advertises as soon as the stack has started")
    func advertisesAtStart() {
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        var bench = FobBench(options, poweredUp: false)
        bench.handle(.powerUp)
        bench.run(for: .milliseconds(500))
        #expect(bench.model.isAdvertising && bench.model.led2)
    }

    @Test("A second power-up changes nothing")
    func twice() {
        var bench = FobBench.connected()
        bench.handle(.powerUp)
        bench.run(for: .seconds(5))
        #expect(bench.log.isEmpty && bench.model.isConnected)
    }
}
