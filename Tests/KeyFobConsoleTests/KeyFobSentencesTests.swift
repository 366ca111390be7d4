import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Changes in words")
struct KeyFobSentencesTests {
    @Test("Each is one line that begins with its time")
    func lines() throws {
        let peer = try #require(DeviceAddress("C0:11:22:33:44:55", kind: .random))
        let cases: [(KeyFobNotice.Change, String)] = [
            (.advertising(true), "advertising"),
            (.advertising(false), "no longer advertising"),
            (.connected(peer), "connected with C0:11:22:33:44:55"),
            (
                .disconnected(peer, reason: .connectionTimeout),
                "disconnected from C0:11:22:33:44:55: connection timeout"
            ),
            (.keys([]), "keys: none"),
            (.keys(.right), "keys: right"),
            (.alert(.mild, .immediate), "alert: mild, from the central"),
            (.tone(hertz: nil), "buzzer: silent"),
            (.led(.led2, on: true), "LED2 on"),
            (.battery(percent: 80), "battery: 80 %"),
            (.transmitPower(dBm: -6), "transmit power: -6 dBm"),
            (.accelerometer(enabled: false), "accelerometer off"),
            (.subscribed(peer, 0x2A19, 0x2F, on: true), "C0:11:22:33:44:55 subscribes to 2A19 (0x002F)"),
            (.radioFailed(.noDataBuffers), "radio: the controller can take no data packets"),
        ]
        for (change, sentence) in cases {
            #expect(KeyFobSentences.sentence(change) == sentence)
            let notice = KeyFobNotice(time: Instant(nanoseconds: 12_005_900_000), change: change)
            #expect(KeyFobSentences.line(notice) == "  12.005 s  " + sentence)
        }
    }
}
