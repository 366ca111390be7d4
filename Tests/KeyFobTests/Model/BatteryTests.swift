import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Battery")
struct BatteryTests {
    @Test(
        "Voltages and what they measure",
        arguments: [
            (3_000, 100), (2_900, 90), (2_800, 80), (2_700, 70), (2_500, 50), (2_200, 20), (2_000, 0), (3_750, 100),
            (9_000, 100), (0, 0), (-1, 0),
        ]
    )
    func voltages(millivolts: Int, percent: UInt8) {
        var bench = FobBench()
        bench.handle(.batteryVoltage(millivolts: millivolts))
        #expect(bench.read(.batteryLevel) == percent)
    }

    @Test("Every per cent can be had, with either service", arguments: 0...100)
    func percents(percent: Int) {
        var bench = FobBench()
        bench.handle(.batteryCharge(percent: percent))
        #expect(bench.read(.batteryLevel) == UInt8(percent))

        var old = FobBench(KeyFobOptions(firmware: .v1_1))
        old.handle(.batteryCharge(percent: percent))
        old.run(for: .seconds(5))
        #expect(abs(Int(old.read(.batteryLevel)) - percent) <= 1, "whole counts of the converter")
    }

    @Test("It is checked every 10 s, connected or not, and told when it has gone down")
    func checks() {
        for connected in [false, true] {
            var bench = connected ? FobBench.connected() : FobBench()
            bench.handle(.batteryCharge(percent: 80))
            bench.run(for: .seconds(11))
            #expect(bench.effects() == [.battery(percent: 80), .notify(.batteryLevel, 80)])
            bench.run(for: .seconds(60))
            #expect(bench.effects() == [], "never periodic")
            bench.handle(.batteryCharge(percent: 79))
            bench.run(for: .seconds(10))
            #expect(bench.effects() == [.battery(percent: 79), .notify(.batteryLevel, 79)])
        }
    }

    @Test("Checks are exactly 10 s apart")
    func period() {
        var bench = FobBench()
        var percent = 100
        var instants: [TimeSpan] = []
        for _ in 0..<5 {
            percent -= 1
            bench.handle(.batteryCharge(percent: percent))
            bench.run(for: .seconds(10))
            instants += bench.log.compactMap { $0.effect == .battery(percent: UInt8(percent)) ? $0.at : nil }
        }
        #expect(instants == [10_500, 20_500, 30_500, 40_500, 50_500].map(TimeSpan.milliseconds))
    }

    @Test("A read measures at once and notifies nobody")
    func readMeasures() {
        var bench = FobBench.connected()
        bench.handle(.batteryCharge(percent: 33))
        #expect(bench.model.value(of: .batteryLevel) == 100)
        #expect(bench.read(.batteryLevel) == 33)
        #expect(bench.effects() == [.battery(percent: 33)])
        bench.run(for: .seconds(30))
        #expect(bench.effects() == [], "the check finds nothing new")
    }

    @Test("The level only goes down until the power is cut")
    func onlyDown() {
        var bench = FobBench()
        bench.handle(.batteryCharge(percent: 50))
        #expect(bench.read(.batteryLevel) == 50)
        bench.handle(.batteryCharge(percent: 90))
        #expect(bench.read(.batteryLevel) == 50)
        bench.run(for: .seconds(60))
        #expect(bench.model.value(of: .batteryLevel) == 50)
        bench.handle(.batteryCharge(percent: 49))
        #expect(bench.read(.batteryLevel) == 49)
        #expect(FobBench().model.value(of: .batteryLevel) == 100)
    }

    @Test("Stack 1.1: checked every 5 s, with a state, never notified; a read does not measure")
    func customService() {
        var bench = FobBench(KeyFobOptions(firmware: .v1_1))
        #expect(bench.read(.batteryState) == 4)
        bench.handle(.batteryVoltage(millivolts: 2_700))
        #expect(bench.read(.batteryLevel) == 100)
        bench.run(for: .seconds(4))
        #expect(bench.effects() == [.battery(percent: 69)])
        bench.handle(.batteryCharge(percent: 20))
        bench.run(for: .seconds(5))
        #expect(bench.read(.batteryState) == 4)
        bench.handle(.batteryCharge(percent: 19))
        bench.run(for: .seconds(5))
        #expect(bench.read(.batteryState) == 5)
        #expect(!bench.effects().contains { if case .notify = $0 { true } else { false } })
    }
}
