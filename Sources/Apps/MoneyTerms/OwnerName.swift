import BluethroatByteCoding

/// What the owner of an account may be called. The name goes over the air and onto other people's screens.
public enum OwnerName {
    /// In bytes of UTF-8.
    public static let limit = 64

    /// What is wrong with a name, as a sentence for the user; nil if nothing is.
    public static func fault(in name: String) -> String? {
        guard (1...limit).contains(name.utf8.count) else { return "a name has 1 to \(limit) bytes of UTF-8" }
        guard name.unicodeScalars.allSatisfy(\.isShown) else { return unseen }
        guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace else {
            return "a name neither begins nor ends with a space"
        }
        return nil
    }

    /// The same of a name that is being chosen, which has nothing either that others would not see: accounts of before may.
    public static func fault(inNew name: String) -> String? { fault(in: name) ?? (name.isSeen ? nil : unseen) }

    private static let unseen = "a name has no characters that nobody sees, such as line feeds"
}
