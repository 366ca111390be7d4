/// Answers what has to be asked while a central pairs, in lines: the digits that a device shows, or whether they are the
/// same. May be used from any thread.
public protocol PairingPerson: Sendable {
    /// Whether the lines are typed at a terminal: what was typed before a question is no answer to it.
    var isInteractive: Bool { get }

    /// Gives each further line to `heard`, and nil at the end. Called once, when there is a question.
    func readLines(_ heard: @escaping @Sendable (String?) -> Void)

    /// Asks a question.
    func prompt(_ text: String)

    /// The question that was asked last is no more.
    func endPrompt(isAnswered: Bool)
}

/// A program without a person: no question is answered.
public struct AbsentPerson: PairingPerson {
    /// One for every central.
    public init() {}

    public var isInteractive: Bool { false }
    public func readLines(_ heard: @escaping @Sendable (String?) -> Void) { heard(nil) }
    public func prompt(_ text: String) {}
    public func endPrompt(isAnswered: Bool) {}
}
