import BluethroatByteCoding
import BluethroatVirtualTime

/// What a rank knows at the end of a window of what follows.
struct Outlook {
    /// When something happens next in its part; `distantFuture` for never.
    let next: Instant
    /// Whether the others have to be told of new squares first.
    let hasGrown: Bool

    init(next: Instant, hasGrown: Bool) { (self.next, self.hasGrown) = (next, hasGrown) }

    /// What two of them come to.
    func joined(with other: Outlook) -> Outlook {
        Outlook(next: min(next, other.next), hasGrown: hasGrown || other.hasGrown)
    }

    /// The instant in nanoseconds, and 1 for squares that are new.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt64(UInt64(bitPattern: next.nanoseconds))
        bytes.appendUInt8(hasGrown ? 1 : 0)
        return bytes
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        next = Instant(nanoseconds: Int64(bitPattern: try bytes.takeUInt64()))
        switch try bytes.takeUInt8() {
        case 0: hasGrown = false
        case 1: hasGrown = true
        case let other: throw .invalidValue(field: "new squares", value: Int(other))
        }
    }
}
