import BluethroatByteCoding

/// What a device of a command calls itself on the air.
public enum AdvertisedName {
    /// Why a name cannot be advertised; nil if it can: it fits, and whoever shows it shows what it says.
    public static func fault(in name: String, upTo limit: Int) -> String? {
        if !(1...limit).contains(name.utf8.count) {
            return "--name has \(name.utf8.count) bytes; give 1 to \(limit)"
        }
        return name.firstUnshown.map { "--name has \($0), which cannot be shown; leave it out" }
    }
}
