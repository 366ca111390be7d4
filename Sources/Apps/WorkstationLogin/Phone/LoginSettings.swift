/// What the user has chosen on their phone. All of it is off by default.
public struct LoginSettings: Hashable, Sendable, Codable {
    /// What happens to the session when its person walks away.
    public enum WalkingAway: String, CaseIterable, Sendable, Codable {
        case nothing, lock, end
    }

    public var walkingAway = WalkingAway.nothing
    /// Weaker than this, in dBm, its person is away.
    public var awayBelow = -72
    /// How long that has to last, in seconds.
    public var awaySeconds = 4.0
    /// Whether the session ends when the phone is out of reach.
    public var endsWithLink = true
    /// Whether the phone logs in by itself when it is brought very near to a desk that it knows, and unlocks a session
    /// that was locked because its person was away.
    public var loginByNearness = false
    /// From this strength on, in dBm, it is very near.
    public var nearAbove = -45

    /// Whether name and password are asked for each time, and never kept on the phone.
    public var asksEachTime = false

    public init() {}

    /// A vault of before has no word about asking.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        walkingAway = try container.decode(WalkingAway.self, forKey: .walkingAway)
        awayBelow = try container.decode(Int.self, forKey: .awayBelow)
        awaySeconds = try container.decode(Double.self, forKey: .awaySeconds)
        endsWithLink = try container.decode(Bool.self, forKey: .endsWithLink)
        loginByNearness = try container.decode(Bool.self, forKey: .loginByNearness)
        nearAbove = try container.decode(Int.self, forKey: .nearAbove)
        asksEachTime = try container.decodeIfPresent(Bool.self, forKey: .asksEachTime) ?? false
    }

    /// What is wrong with them; nil if nothing is.
    public var fault: String? {
        guard (-120...0).contains(awayBelow), (-120...0).contains(nearAbove) else {
            return "a signal's strength is from -120 to 0 dBm"
        }
        guard nearAbove - awayBelow >= Nearness.hysteresis else {
            return "near has to be at least \(Nearness.hysteresis) dB stronger than away"
        }
        return (0...3_600).contains(awaySeconds) ? nil : "away is told after 0 to 3600 s"
    }
}
