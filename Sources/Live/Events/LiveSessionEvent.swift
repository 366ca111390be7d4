/// Something that happened, in the two forms in which it can be written: a line for people, an object for programs.
/// Nil where an event is not for those.
public protocol LiveSessionEvent: Sendable {
    /// One line, or several with ends of line between them.
    var line: String? { get }

    /// The object of `--json`; `docs/cli-json.md` has them all.
    var json: JSONLine? { get }
}
