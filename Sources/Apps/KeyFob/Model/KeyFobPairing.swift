/// The settings of the fob's bond manager. The same in every release of the firmware.
///
/// Its input and output is display only (Core 6.0, Vol 3, Part H, 2.3.2), although the board can show nothing: TI's
/// bond manager claims this where no callback gives the passkey, and uses the default one.
public struct KeyFobPairing: Hashable, Sendable {
    /// What the values of the fob ask of a link. TI's ask for nothing.
    public enum Demand: Hashable, Sendable {
        case nothing
        /// A link that is encrypted, after whatever pairing.
        case encryption
        /// A link that is encrypted after a pairing that was safe from a man in the middle.
        case authentication
    }

    /// The central begins, the fob waits; otherwise it asks for security as soon as it is connected.
    public var waitsForRequest = true
    /// Asks for protection from a man in the middle.
    public var wantsProtection = true
    /// Whether keys are kept.
    public var bonds = true
    /// 000000, since nothing asks the user for one; up to 999 999.
    public var passkey: UInt32 = 0
    /// Whether the fob pairs with LE Secure Connections, which came with Core 4.2: TI's chip is of Core 4.0.
    public var usesSecureConnections = false
    /// Whether the fob takes nothing but LE Secure Connections, with the passkey and with keys of 16 bytes.
    public var demandsSecureConnections = false
    /// The shortest key that the fob takes, in bytes: 7, as TI's, to 16.
    public var minimumKeySize = 7
    /// What the alert levels, the transmit power, the battery, the accelerometer and the keys ask of a link.
    public var demand = Demand.nothing

    public init() {}
}
