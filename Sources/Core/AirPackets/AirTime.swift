public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// How long a frame is on the air, from the first bit of the preamble to the last of the CRC.
/// Core 6.0, Vol 6, Part B, 2.1 and 2.2.
public enum AirTime {
    /// How densely LE Coded packs its bits; S=8 reaches farther.
    public enum Coding: Int64, Sendable {
        case s2 = 2
        case s8 = 8
    }

    /// T_IFS: the pause between a frame and its answer, 150 µs. Core 6.0, Vol 6, Part B, 4.1.1.
    @inlinable
    public static var interFrameSpace: TimeSpan { TimeSpan.microseconds(150) }

    /// T_MSS: the least pause between two frames of an advertising or isochronous sequence, 150 µs.
    @inlinable
    public static var minimumSubeventSpace: TimeSpan { TimeSpan.microseconds(150) }

    /// The time of a frame with so many bytes of payload, MIC included. `coding` matters to LE Coded only.
    @inlinable
    public static func span(payloadBytes: Int, phy: PHY, coding: Coding = .s8) -> TimeSpan {
        let bytes = Int64(payloadBytes)
        switch phy {
        case .le1M: return .microseconds(8 * (1 + 4 + 2 + bytes + 3))
        case .le2M: return .microseconds(4 * (2 + 4 + 2 + bytes + 3))
        case .leCoded:
            // Preamble 80 µs; access address, coding indicator and first terminator always at S=8.
            let lead: Int64 = 80 + 8 * (32 + 2 + 3)
            return .microseconds(lead + coding.rawValue * (8 * (2 + bytes + 3) + 3))
        }
    }

    /// The time of a frame given as bytes, as `AirFrame` makes them.
    @inlinable
    public static func span(ofFrame frame: [UInt8], phy: PHY, coding: Coding = .s8) -> TimeSpan {
        span(payloadBytes: frame.count - AirFrame.overhead, phy: phy, coding: coding)
    }

    /// From the first bit of the preamble to the end of the access address, when a receiver knows that a frame is for
    /// it: 40 µs on LE 1M, 24 µs on LE 2M, 336 µs on LE Coded.
    @inlinable
    public static func untilAccessAddressEnds(phy: PHY) -> TimeSpan {
        switch phy {
        case .le1M: .microseconds(40)
        case .le2M: .microseconds(24)
        case .leCoded: .microseconds(80 + 256)
        }
    }

    /// The most payload, MIC included, whose frame fits into `limit`; nil where not even an empty frame fits.
    public static func maximumPayload(within limit: TimeSpan, phy: PHY, coding: Coding = .s8) -> Int? {
        let empty = span(payloadBytes: 0, phy: phy, coding: coding)
        guard limit >= empty else { return nil }
        let perByte = span(payloadBytes: 1, phy: phy, coding: coding) - empty
        return min(255, Int((limit - empty) / perByte))
    }
}
