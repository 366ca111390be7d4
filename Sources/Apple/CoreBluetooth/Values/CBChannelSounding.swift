/// How a channel sounding session shall be. No host here can measure distances; sessions end at once.
public class CBChannelSoundingSessionConfiguration: NSObject, @unchecked Sendable {
    public typealias Role = CBChannelSoundingRole

    /// Which part the phone takes.
    public let role: Role

    public init(role: Role) { self.role = role }
}

/// What a channel sounding procedure found out.
public class CBChannelSoundingProcedureResults: NSObject, @unchecked Sendable {
    /// Metres; negative if it is not valid.
    public let distance: Double

    init(distance: Double) { self.distance = distance }
}
