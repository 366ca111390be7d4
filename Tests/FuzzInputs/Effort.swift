import class Foundation.ProcessInfo

/// How much is tried of what could be tried for hours: seeds, random inputs, long runs.
///
/// `BLUETHROAT_EFFORT=all`, as in `make nightly`, tries all of it; `make test` and `make check` try a part.
public enum Effort {
    /// Whether all is tried.
    public static let isWhole = ProcessInfo.processInfo.environment["BLUETHROAT_EFFORT"] == "all"

    /// So many of `all` as are tried now: all of them, or `usually`.
    public static func count<Number: BinaryInteger>(_ all: Number, usually: Number) -> Number {
        isWhole ? all : usually
    }
}
