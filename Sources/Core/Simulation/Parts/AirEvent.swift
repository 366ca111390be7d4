public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// What a part of a world tells the others of its radios.
public enum AirEvent: Sendable {
    /// A radio has begun to send.
    case frame(Transmission, at: Position)
    /// It has broken the frame off that began at `start`.
    case breakOff(RadioID, start: Instant, now: Instant)

    /// When it happened.
    public var instant: Instant {
        switch self {
        case .frame(let transmission, _): transmission.start
        case .breakOff(_, _, let now): now
        }
    }
}
