/// What the fob's bond manager is told. Declared here; no pairing is done yet.
public struct PairingSettings: Hashable, Sendable {
    /// The central begins, the fob waits.
    public var waitsForRequest = true
    /// Asks for protection from a man in the middle.
    public var wantsProtection = true
    /// Whether keys are kept.
    public var bonds = true
    /// Display only. Core 6.0, Vol 3, Part H, 2.3.2.
    public var ioCapability: UInt8 = 0x00
    /// The passkey, since nothing asks anybody for one: 000000.
    public var passkey: UInt32 = 0

    public init() {}
}
