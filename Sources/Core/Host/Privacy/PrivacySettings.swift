public import BluethroatVirtualTime

/// How a host hides who it is, and who resolves whom. Core 6.0, Vol 3, Part C, 10.7.
public struct PrivacySettings: Hashable, Sendable {
    /// The own address of advertising, scanning and connecting where the order says `usual`; not `usual` itself.
    public var ownAddress = OwnAddress.identity

    /// How long a private address is used, 1 s to 1 h; 15 minutes are recommended. Core 6.0, Vol 3, Part C, A,
    /// TGAP(private_addr_int).
    public var rotation = TimeSpan.seconds(900)

    /// Whether the controller makes and resolves private addresses, if it has a resolving list; otherwise the host does
    /// all of it, and nothing else changes.
    public var usesResolvingList = true

    public init() {}
}
