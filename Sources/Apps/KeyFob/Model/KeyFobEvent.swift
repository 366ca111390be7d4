/// One of the two keys. The left one is S1 on the board, the right one S2.
public enum KeyFobKey: UInt8, CaseIterable, Sendable {
    case left = 1
    case right = 2
}

/// The keys that are down, in the encoding of the Key Press State characteristic (0xFFE1).
public struct KeyFobKeys: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ key: KeyFobKey) { self.init(rawValue: key.rawValue) }

    public static let left = Self(.left)
    public static let right = Self(.right)
}

/// What happens to a key fob.
public enum KeyFobEvent: Hashable, Sendable {
    /// The battery is put in.
    case powerUp
    /// The radio is ready for orders, after the effect `.startStack`.
    case stackStarted
    /// The radio advertises, after `.startAdvertising`.
    case advertisingStarted
    /// The radio has ceased to advertise, after `.stopAdvertising`.
    case advertisingStopped
    /// The radio refused to advertise.
    case advertisingFailed
    /// A central has connected; the radio has ceased to advertise.
    case connected
    /// The connection has ended, by supervision timeout or otherwise.
    case disconnected(bySupervisionTimeout: Bool)
    /// A central has written a value that `KeyFobValue.refusal(of:offset:enableTakesAnyByte:)` does not refuse.
    case written(KeyFobValue, UInt8)
    case keyDown(KeyFobKey)
    case keyUp(KeyFobKey)
    /// What the right key does to advertising, without the key.
    case toggleAdvertising
    /// The battery's voltage is now so many millivolts.
    case batteryVoltage(millivolts: Int)
    /// The battery's voltage is now such that a measurement gives so many per cent, 0 to 100.
    case batteryCharge(percent: Int)
    /// The acceleration is now so many sensor counts along each axis.
    case acceleration(Acceleration)
}

/// Acceleration in sensor counts, as the sensor's eight bits say it.
public struct Acceleration: Hashable, Sendable {
    public var x: Int8
    public var y: Int8
    public var z: Int8

    public init(x: Int8, y: Int8, z: Int8) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// So many g along each axis on a sensor, which saturates at the ends of its eight bits; not a number counts as 0.
    public init(gX: Double, gY: Double, gZ: Double, chip: KeyFobOptions.AccelerometerChip) {
        func counts(_ g: Double) -> Int8 {
            guard !g.isNaN else { return 0 }
            return Int8(min(max(g * Double(chip.countsPerG), -128), 127).rounded())
        }
        self.init(x: counts(gX), y: counts(gY), z: counts(gZ))
    }

    public static let zero = Self(x: 0, y: 0, z: 0)
}
