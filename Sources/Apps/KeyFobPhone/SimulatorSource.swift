/// In what the source of the app of 2013 differs from the article about it. The app does what the article says; each of
/// these brings back what the source does.
public struct SimulatorSource: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    /// The left key silences the low tone only; the article says that it quiets an alert.
    public static let leftKey = Self(rawValue: 1)
    /// A tone lasts as many whole clips as fit into five seconds (4.97 s low, 4.31 s high), and the LED goes out as soon
    /// as one of two tones is over; the article says 10 s, with a blinking LED.
    public static let alertLength = Self(rawValue: 2)
    /// FFE0, FFA0, 1802 and 180F are advertised; the article says FFA0 and FFE0.
    public static let advertisedServices = Self(rawValue: 4)
    /// Values that are notified, and the immediate alert's level, cannot be read. The source leaves such a read without
    /// an answer, so that the central waits for 30 s; here it is refused with Read Not Permitted (0x02).
    public static let readableValues = Self(rawValue: 8)
    public static let all: Self = [.leftKey, .alertLength, .advertisedServices, .readableValues]

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}
