public import Foundation

/// Where an app's random bytes come from: the system, or a seed where everything is to happen again.
public struct RandomBytes {
    private let draw: (Int) -> [UInt8]

    /// Bytes from a source that gives as many as it is asked for.
    public init(drawing draw: @escaping (_ count: Int) -> [UInt8]) { self.draw = draw }

    /// The system's generator, which is fit for keys.
    public static var system: Self {
        Self { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    /// The same bytes for the same seed: for worlds that are to be replayed, and never for secrets.
    public static func seeded(_ seed: UInt64) -> Self {
        var state = seed
        return Self { count in
            (0..<count).map { _ in
                // SplitMix64.
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                return UInt8(truncatingIfNeeded: word ^ (word >> 31))
            }
        }
    }

    public func callAsFunction(_ count: Int) -> Data { Data(draw(count)) }
}
