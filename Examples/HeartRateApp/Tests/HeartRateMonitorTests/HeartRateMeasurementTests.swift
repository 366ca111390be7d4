import Foundation
import HeartRateMonitor
import Testing

@Suite("Measurements as bytes")
struct HeartRateMeasurementTests {
    @Test(
        "Rates of one and of two bytes, contact, energy and intervals are read",
        arguments: [
            ([0x00, 60], 60, nil, nil, []),
            ([0x01, 0x2C, 0x01], 300, nil, nil, []),
            ([0x04, 70], 70, false, nil, []),
            ([0x06, 70], 70, true, nil, []),
            ([0x08, 70, 0x02, 0x01], 70, nil, 258, []),
            ([0x10, 70, 0x00, 0x04, 0x00, 0x02], 70, nil, nil, [1, 0.5]),
        ] as [([UInt8], Int, Bool?, Int?, [Double])]
    )
    func valid(bytes: [UInt8], rate: Int, contact: Bool?, energy: Int?, intervals: [Double]) throws {
        let measurement = try #require(HeartRateMeasurement(Data(bytes)))
        #expect(measurement.beatsPerMinute == rate && measurement.hasContact == contact)
        #expect(measurement.energyExpended == energy && measurement.rrIntervals == intervals)
    }

    @Test(
        "Bytes that end too early or go on too long are no measurement",
        arguments: [[], [0x00], [0x01, 60], [0x08, 60, 1], [0x10, 60, 1], [0x00, 60, 1]] as [[UInt8]]
    )
    func invalid(bytes: [UInt8]) {
        #expect(HeartRateMeasurement(Data(bytes)) == nil)
    }
}
