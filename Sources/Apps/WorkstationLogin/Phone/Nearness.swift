import Foundation

/// Whether a desk is near, from strengths that jump: the median of the last few counts, and a change has to last.
struct Nearness {
    enum Change {
        case cameNear
        case wentAway
    }

    /// How much stronger a signal has to become again, in dB, so that being away is not counted any further.
    static let hysteresis = 6
    static let window = 5
    /// Between two strengths that are asked for, in seconds.
    static let pause: TimeInterval = 0.2
    /// How long a person has to be near before it counts, in seconds.
    private static let nearSeconds: TimeInterval = 1.5

    private let settings: LoginSettings
    private var strengths: [Int] = []
    private var awaySince: TimeInterval?
    private var nearSince: TimeInterval?
    private var isAway = false
    private var isNear = false

    init(_ settings: LoginSettings) { self.settings = settings }

    /// For a person who was near all the time, and has to go before coming near counts.
    static func afterSession(_ settings: LoginSettings, at now: TimeInterval) -> Self {
        var nearness = Self(settings)
        nearness.isNear = true
        nearness.nearSince = now
        return nearness
    }

    /// The middle one of some strengths.
    static func median(of strengths: [Int]) -> Int { strengths.sorted()[strengths.count / 2] }

    mutating func take(_ dBm: Int, at now: TimeInterval) -> Change? {
        strengths.append(dBm)
        if strengths.count > Self.window { strengths.removeFirst() }
        return weigh(Self.median(of: strengths), at: now)
    }

    private mutating func weigh(_ strength: Int, at now: TimeInterval) -> Change? {
        if strength < settings.awayBelow {
            awaySince = awaySince ?? now
        } else if strength >= settings.awayBelow + Self.hysteresis {
            awaySince = nil
            isAway = false
        }
        if strength >= settings.nearAbove {
            nearSince = nearSince ?? now
        } else if strength < settings.nearAbove - Self.hysteresis {
            nearSince = nil
            isNear = false
        }
        if !isAway, let awaySince, now - awaySince >= settings.awaySeconds {
            isAway = true
            return .wentAway
        }
        if !isNear, let nearSince, now - nearSince >= Self.nearSeconds {
            isNear = true
            return .cameNear
        }
        return nil
    }
}
