import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@Suite("Air time")
struct AirTimeTests {
    @Test("LE 1M takes 80 µs empty, 328 µs with 31 bytes, 2120 µs with 255")
    func le1M() {
        #expect(AirTime.span(payloadBytes: 0, phy: .le1M) == .microseconds(80))
        // The specification's figures for a data PDU of 27 bytes with MIC, and of 251 with MIC.
        #expect(AirTime.span(payloadBytes: 31, phy: .le1M) == .microseconds(328))
        #expect(AirTime.span(payloadBytes: 255, phy: .le1M) == .microseconds(2_120))
    }

    @Test("LE 2M takes 44 µs empty and 1064 µs with 255 bytes")
    func le2M() {
        #expect(AirTime.span(payloadBytes: 0, phy: .le2M) == .microseconds(44))
        #expect(AirTime.span(payloadBytes: 255, phy: .le2M) == .microseconds(1_064))
    }

    @Test("LE Coded takes 720 to 17 040 µs at S=8 and 462 to 4542 µs at S=2")
    func leCoded() {
        #expect(AirTime.span(payloadBytes: 0, phy: .leCoded) == .microseconds(720))
        #expect(AirTime.span(payloadBytes: 255, phy: .leCoded) == .microseconds(17_040))
        #expect(AirTime.span(payloadBytes: 0, phy: .leCoded, coding: .s2) == .microseconds(462))
        #expect(AirTime.span(payloadBytes: 255, phy: .leCoded, coding: .s2) == .microseconds(4_542))
    }

    @Test("A frame as bytes takes the time of its payload")
    func frame() {
        let frame = AirFrame.make(advertising: .advNonconnInd(advertiser: Sample.fob, data: [1, 2, 3]))
        #expect(AirTime.span(ofFrame: frame, phy: .le1M) == AirTime.span(payloadBytes: 9, phy: .le1M))
    }

    @Test("The longest payload within a limit just fits", arguments: PHY.allCases)
    func limits(phy: PHY) throws {
        for microseconds in stride(from: Int64(0), to: 17_100, by: 7) {
            let limit = TimeSpan.microseconds(microseconds)
            guard let payload = AirTime.maximumPayload(within: limit, phy: phy) else {
                #expect(AirTime.span(payloadBytes: 0, phy: phy) > limit)
                continue
            }
            #expect(AirTime.span(payloadBytes: payload, phy: phy) <= limit)
            if payload < 255 { #expect(AirTime.span(payloadBytes: payload + 1, phy: phy) > limit) }
        }
        #expect(AirTime.maximumPayload(within: .microseconds(328), phy: .le1M) == 31)
    }
}
