import BluethroatKeyFob
import Testing

@Suite("What centrals may write")
struct KeyFobValueTests {
    @Test("Alert levels: one byte, 0, 1 or 2", arguments: [KeyFobValue.linkLossLevel, .immediateAlertLevel])
    func levels(value: KeyFobValue) {
        for byte in UInt8(0)...2 { #expect(value.refusal(of: [byte]) == nil) }
        for byte in UInt8(3)...255 { #expect(value.refusal(of: [byte]) == .invalidValue) }
        #expect(value.refusal(of: []) == .invalidLength)
        #expect(value.refusal(of: [1, 0]) == .invalidLength)
        #expect(value.refusal(of: [9, 9]) == .invalidLength)
        #expect(value.refusal(of: [1], offset: 1) == .notLong)
        #expect(value.refusal(of: [], offset: 5) == .notLong)
    }

    @Test("Accelerometer enable: one byte, 0 or 1, and not any byte but zero")
    func enable() {
        for byte in UInt8(0)...1 { #expect(KeyFobValue.accelerometerEnable.refusal(of: [byte]) == nil) }
        for byte in UInt8(2)...255 {
            #expect(KeyFobValue.accelerometerEnable.refusal(of: [byte]) == .invalidValue)
        }
        #expect(KeyFobValue.accelerometerEnable.refusal(of: []) == .invalidLength)
        #expect(KeyFobValue.accelerometerEnable.refusal(of: [1, 1]) == .invalidLength)
        #expect(KeyFobValue.accelerometerEnable.refusal(of: [1], offset: 1) == .notLong)
    }

    @Test(
        "Nothing else is written",
        arguments: [KeyFobValue.txPowerLevel, .batteryLevel, .batteryState, .x, .y, .z, .keys]
    )
    func others(value: KeyFobValue) { #expect(value.refusal(of: [0]) == .notWritable) }

    @Test("A model that is told of a write it should have refused stays as it is")
    func nothingChanges() {
        var bench = FobBench.connected()
        let before = KeyFobValue.allCases.map { bench.model.value(of: $0) }
        for value in KeyFobValue.allCases { bench.handle(.written(value, 200)) }
        #expect(KeyFobValue.allCases.map { bench.model.value(of: $0) } == before)
        #expect(bench.log.isEmpty)
    }
}
