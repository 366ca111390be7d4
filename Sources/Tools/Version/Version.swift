/// Which Bluethroat this is.
public enum Version {
    /// The version, here and nowhere else: a tag, the pages and the Python package are held to it by a test.
    public static let number = "0.2.0"

    /// The commit that it was built from, twelve hexadecimal digits; nil where the tree was in no repository.
    public static var commit: String? { builtCommit }

    /// What `bluethroat --version` prints.
    public static var text: String {
        commit.map { "bluethroat \(number) (commit \($0))" } ?? "bluethroat \(number) (not built in a repository)"
    }
}
