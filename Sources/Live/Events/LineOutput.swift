/// Where lines of text go, each without its end of line. Used from any thread.
public struct LineOutput: Sendable {
    /// Takes results.
    public var result: @Sendable (String) -> Void
    /// Takes what went wrong, and warnings.
    public var error: @Sendable (String) -> Void
    /// Takes hints and progress, which are for people at a terminal.
    public var hint: @Sendable (String) -> Void

    /// By default hints are dropped.
    public init(
        result: @escaping @Sendable (String) -> Void,
        error: @escaping @Sendable (String) -> Void,
        hint: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.result = result
        self.error = error
        self.hint = hint
    }
}
