/// Compares what a peer shows with a secret.
public enum SecretText {
    /// Whether both are the same. It takes as long wherever the first difference is.
    public static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
