public import BluethroatByteCoding

/// What a person who types a passkey has just done. Core 6.0, Vol 3, Part H, 3.5.8.
public enum Keypress: UInt8, Hashable, Sendable, CaseIterable {
    case entryStarted = 0
    case digitEntered = 1
    case digitErased = 2
    case cleared = 3
    case entryCompleted = 4

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let type = try bytes.takeUInt8()
        guard let keypress = Self(rawValue: type) else {
            throw .invalidValue(field: "keypress notification type", value: Int(type))
        }
        self = keypress
    }
}
