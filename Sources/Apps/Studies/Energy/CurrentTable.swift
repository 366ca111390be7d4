public import BluethroatBluetoothValues

/// How much current a device draws in which state, and from where that is known.
///
/// Only the radio's states are told apart. What a processor needs for a packet, and how long a radio takes to start, are not
/// in it: a real device draws more than this says.
public struct CurrentTable: Hashable, Sendable {
    /// In amperes, by the power in dBm, in ascending order of power. At least one.
    public var transmit: [Level]
    /// In amperes, while the receiver is on.
    public var receive: Double
    /// In amperes, for the rest of the time.
    public var sleep: Double
    /// Where the figures come from.
    public var source: String

    public struct Level: Hashable, Sendable {
        public var power: Int
        public var current: Double

        public init(power: Int, current: Double) {
            self.power = power
            self.current = current
        }
    }

    public init(transmit: [Level], receive: Double, sleep: Double, source: String) {
        self.transmit = transmit.sorted { $0.power < $1.power }
        self.receive = receive
        self.sleep = sleep
        self.source = source
    }

    /// Typical figures of the nRF52840 at 3 V with its DC/DC converter, LE 1M.
    public static let nRF52840 = Self(
        transmit: [
            Level(power: -40, current: 2.3e-3), Level(power: -20, current: 2.7e-3), Level(power: -16, current: 2.8e-3),
            Level(power: -12, current: 3.0e-3), Level(power: -8, current: 3.3e-3), Level(power: -4, current: 3.7e-3),
            Level(power: 0, current: 4.8e-3), Level(power: 4, current: 9.6e-3), Level(power: 8, current: 14.8e-3),
        ],
        receive: 4.6e-3,
        sleep: 3.16e-6,
        source: "Nordic nRF52840 Product Specification, 3 V, DC/DC, LE 1M; asleep: System ON, 256 kB RAM, RTC on LFXO"
    )

    /// The power of a level that is the only one, and for all powers.
    public static let anyPower = Int(Int8.max)

    /// At this power, or at the next higher one in the table, or else at the highest one.
    public func current(sendingWith power: SignalStrength) -> Double {
        (transmit.first { $0.power >= Int(power.dBm) } ?? transmit.last)?.current ?? 0
    }
}
