/// Comparisons that take as long for a near miss as for any other value.
///
/// Confirm values, check values, signatures and integrity checks are compared with these, so that the time of a
/// refusal does not show a peer how much of its guess was right.
public enum ConstantTime {
    /// Whether two blocks are equal.
    @inline(never)
    public static func areEqual(_ left: Block128, _ right: Block128) -> Bool {
        (left.high ^ right.high) | (left.low ^ right.low) == 0
    }

    /// Whether two blocks are equal.
    @inline(never)
    public static func areEqual(_ left: Block256, _ right: Block256) -> Bool {
        let high = (left.high.high ^ right.high.high) | (left.high.low ^ right.high.low)
        let low = (left.low.high ^ right.low.high) | (left.low.low ^ right.low.low)
        return high | low == 0
    }

    /// Whether two runs of bytes are equal. Their lengths are no secret: where these differ the answer comes at once.
    @inline(never)
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
