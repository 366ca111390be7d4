/// Why bonds could not be read or kept.
public enum BondStoreError: Error, Hashable, Sendable {
    /// The store cannot be opened or read; the reason is for people.
    case unreadable(reason: String)
    /// What was stored makes no sense any more. It was moved aside, where it can be examined, and nothing is
    /// stored now.
    case damaged(movedTo: String)
    /// A later edition of this program wrote the store, which this one does not understand and leaves alone.
    case newerSchema(version: Int)
    /// What was to be kept is not; the reason is for people.
    case writeFailed(reason: String)
    /// There are as many bonds as this host keeps.
    case full(limit: Int)
}

extension BondStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "the bonds cannot be read: \(reason)"
        case .damaged(let place): "the stored bonds were damaged; they are at \(place) now"
        case .newerSchema(let version): "the bonds were stored by a newer program (version \(version) of the schema)"
        case .writeFailed(let reason): "the bonds cannot be written: \(reason)"
        case .full(let limit): "there is no room for the bond: \(limit) are kept; remove one that is not needed"
        }
    }
}
