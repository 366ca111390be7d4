public import BluethroatBluetoothValues
import BluethroatVirtualTime

/// How much a signal loses on its way: log-distance path loss with a fixed, seeded offset for every pair of
/// radios (shadowing). All arithmetic is on integers, in hundredths of a decibel.
public struct Propagation: Hashable, Sendable {
    /// Loss over the first metre, in hundredths of a decibel; 40 dB is free space at 2.4 GHz.
    public var lossAtOneMetre: Int64
    /// Ten times the path-loss exponent: 20 is free space, 30 an office.
    public var exponentTenths: Int64
    /// How far shadowing may move a pair's loss up or down, in hundredths of a decibel; 0 for none.
    public var shadowing: Int64
    /// The weakest signal that a receiver can follow.
    public var sensitivity: SignalStrength
    /// By how many decibels a frame must be louder than another on the same channel to be received despite it.
    public var captureThreshold: Int

    public init(
        lossAtOneMetre: Int64 = 4_000,
        exponentTenths: Int64 = 30,
        shadowing: Int64 = 200,
        sensitivity: SignalStrength = SignalStrength(dBm: -95),
        captureThreshold: Int = 8
    ) {
        self.lossAtOneMetre = lossAtOneMetre
        self.exponentTenths = exponentTenths
        self.shadowing = shadowing
        self.sensitivity = sensitivity
        self.captureThreshold = captureThreshold
    }

    /// Loss in whole decibels between two places; `pair` is the same number in both directions.
    func loss(from origin: Position, to place: Position, pair: UInt64) -> Int {
        loss(atSquaredDistance: origin.squaredDistance(to: place), pair: pair)
    }

    /// The same for a distance, squared, in mm².
    func loss(atSquaredDistance squared: UInt64, pair: UInt64) -> Int {
        Self.decibels(distanceLoss(atSquaredDistance: squared) + offset(of: pair))
    }

    /// Loss in whole decibels for a bystander, who has no shadowing of their own.
    public func loss(from origin: Position, to place: Position) -> Int {
        Self.decibels(distanceLoss(atSquaredDistance: origin.squaredDistance(to: place)))
    }

    /// Loss in whole decibels for the pair that is shadowed least of all.
    func leastLoss(atSquaredDistance squared: UInt64) -> Int {
        Self.decibels(distanceLoss(atSquaredDistance: squared) - max(shadowing, 0))
    }

    /// In hundredths of a decibel; the distance is in mm.
    private func distanceLoss(atSquaredDistance squared: UInt64) -> Int64 {
        // Nearer than 10 cm antennas are in each other's near field: the loss stays that of 10 cm.
        let squared = max(squared, 10_000)
        // 10 n log10(d / 1 m) = 5 n log10(2) log2(d² / 10⁶ mm²), in hundredths: log2 comes with 16 binary digits, and the
        // exponent in tenths.
        let doublings = Self.log2(squared) - Self.doublingsToOneMetre
        return lossAtOneMetre + doublings * exponentTenths * 15_051 / (1_000 * 65_536)
    }

    private static func decibels(_ hundredths: Int64) -> Int { Int((hundredths + (hundredths < 0 ? -50 : 50)) / 100) }

    /// The pair's own shadowing, between ± `shadowing`; the sum of four draws, so that small values prevail.
    private func offset(of pair: UInt64) -> Int64 {
        guard shadowing > 0 else { return 0 }
        var stream = SeededRandom(seed: pair, purpose: Self.shadowingPurpose)
        let draws = stream.next()
        var sum: Int64 = 0
        for place in 0..<4 { sum += Int64(draws >> (16 * UInt64(place)) & 0xFFFF) - 32_768 }
        return sum * shadowing / (4 * 32_768)
    }

    private static let shadowingPurpose: SeededRandom.Purpose = "shadowing"

    /// Of the square of a metre in mm².
    private static let doublingsToOneMetre = log2(1_000_000)

    /// The binary logarithm of a positive number with 16 binary digits after the point.
    static func log2(_ number: UInt64) -> Int64 {
        let whole = 63 - number.leadingZeroBitCount
        // The mantissa as a number in [1, 2) with 31 binary digits, squared once for every digit needed.
        var mantissa = whole >= 31 ? number >> UInt64(whole - 31) : number << UInt64(31 - whole)
        var result = Int64(whole) << 16
        var digit: Int64 = 1 << 15
        while digit > 0 {
            mantissa = (mantissa * mantissa) >> 31
            if mantissa >= 1 << 32 {
                mantissa >>= 1
                result += digit
            }
            digit >>= 1
        }
        return result
    }
}
