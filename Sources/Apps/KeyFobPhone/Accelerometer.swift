import BluethroatAppEnvironment
import Foundation

/// The phone's accelerometer as the app uses it: sampled 15 times a second while it is active.
final class Accelerometer {
    /// In g, along the three axes.
    struct Acceleration {
        var x = 0.0
        var y = 0.0
        var z = 0.0
    }

    /// What the sensor measures; the phone lies still at zero until it is tilted.
    var acceleration = Acceleration()
    /// The latest sample, encoded; zero before the first.
    private(set) var sampled: (x: UInt8, y: UInt8, z: UInt8) = (0, 0, 0)
    private let clock: AppClock
    private var sampling: AppTimer?

    init(clock: AppClock) { self.clock = clock }

    var isActive: Bool { sampling != nil }

    /// Begins to sample; nothing if it does already.
    func start(_ sample: @escaping (_ x: UInt8, _ y: UInt8, _ z: UInt8) -> Void) {
        guard sampling == nil else { return }
        sampling = clock.each(1.0 / 15) { [weak self] in
            guard let self else { return }
            sampled = (
                Self.encode(acceleration.x), Self.encode(acceleration.y), Self.encode(acceleration.z)
            )
            sample(sampled.x, sampled.y, sampled.z)
        }
    }

    func stop() {
        sampling?.cancel()
        sampling = nil
    }

    /// An acceleration in g as a signed byte: clipped to one g, times 127, without its fraction.
    static func encode(_ g: Double) -> UInt8 {
        guard !g.isNaN else { return 0 }
        let magnitude = Int8(min(g.magnitude, 1) * 127)
        return UInt8(bitPattern: g < 0 ? -magnitude : magnitude)
    }
}
