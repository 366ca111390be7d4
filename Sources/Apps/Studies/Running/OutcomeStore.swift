/// Outcomes that are kept from one run to the next.
public protocol OutcomeStore: Sendable {
    /// The outcome that was kept under a key; nil if none was.
    ///
    /// - Parameter isPossible: whether it can be the outcome of what the key says.
    /// - Throws: if something else was kept there than such an outcome, or if it cannot be read.
    func outcome<Outcome: Codable & Sendable>(
        of key: String,
        as type: Outcome.Type,
        where isPossible: (Outcome) -> Bool
    ) throws -> Outcome?
    /// Keeps an outcome for good: it is there after the process has died.
    func keep<Outcome: Codable & Sendable>(_ outcome: Outcome, of key: String) throws
}
