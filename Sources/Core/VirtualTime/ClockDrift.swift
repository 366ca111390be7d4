/// How a device's own clock runs against the world's: so many parts per million fast (positive) or slow.
///
/// Both directions are integer arithmetic; `world(from:)` never answers an instant at which the device's
/// clock would still show less than was asked for, so a timer set on the device has expired when it fires.
public struct ClockDrift: Hashable, Sendable {
    /// -10 000 to 10 000. Real sleep clocks stay within ±500 (Core 6.0, Vol 6, Part B, 4.2.2).
    public let partsPerMillion: Int64

    public init?(partsPerMillion: Int64) {
        guard (-10_000...10_000).contains(partsPerMillion) else { return nil }
        self.partsPerMillion = partsPerMillion
    }

    private init(exactly partsPerMillion: Int64) { self.partsPerMillion = partsPerMillion }

    public static let none = Self(exactly: 0)

    /// What the device's clock shows at an instant of the world.
    @inlinable
    public func local(from world: Instant) -> Instant { partsPerMillion == 0 ? world : drifted(world) }

    @usableFromInline
    func drifted(_ world: Instant) -> Instant {
        Instant(nanoseconds: world.nanoseconds + gain(in: world.nanoseconds, over: 1_000_000))
    }

    /// The first instant of the world at which the device's clock shows `local` or more.
    @inlinable
    public func world(from local: Instant) -> Instant {
        partsPerMillion == 0 || local == .distantFuture ? local : undrifted(local)
    }

    @usableFromInline
    func undrifted(_ local: Instant) -> Instant {
        var world = local.nanoseconds - gain(in: local.nanoseconds, over: 1_000_000 + partsPerMillion)
        while self.local(from: Instant(nanoseconds: world)) < local { world += 1 }
        while world > 0, self.local(from: Instant(nanoseconds: world - 1)) >= local { world -= 1 }
        return Instant(nanoseconds: world)
    }

    /// `nanoseconds * partsPerMillion / divisor` without overflow.
    private func gain(in nanoseconds: Int64, over divisor: Int64) -> Int64 {
        (nanoseconds / divisor) * partsPerMillion + (nanoseconds % divisor) * partsPerMillion / divisor
    }
}
