public import CoreBluetooth

/// What a sensor of three axes has measured: the values, and the numbers that stand for them.
public struct SensorAxes<Raw: FixedWidthInteger & Sendable>: Hashable, Sendable {
    public let x: Double
    public let y: Double
    public let z: Double
    public let raw: [Raw]

    init(x: Double, y: Double, z: Double, raw: [Raw]) {
        (self.x, self.y, self.z) = (x, y, z)
        self.raw = raw
    }
}

/// A characteristic of a sensor of three axes. The reported x and y have the opposite sign of the measured ones.
public protocol SensorTagAxes: RawArrayDeserializable, StringDeserializable, CharacteristicConfigurable
where RawType: FixedWidthInteger & Deserializable & Sendable {
    var axes: SensorAxes<RawType> { get }

    init(axes: SensorAxes<RawType>)

    /// Which number stands for a value of 1.
    static var rawPerUnit: Double { get }
}

extension SensorTagAxes {
    public var x: Double { axes.x }
    public var y: Double { axes.y }
    public var z: Double { axes.z }

    /// Nil where a value is beyond what its number can say.
    public init?(x: Double, y: Double, z: Double) {
        guard let raw = Self.rawFromValues([x, y, z]) else { return nil }
        self.init(axes: SensorAxes(x: x, y: y, z: z, raw: [raw.0, raw.1, raw.2]))
    }

    /// The values of three raw numbers.
    public static func valuesFromRaw(_ values: [RawType]) -> (Double, Double, Double) {
        precondition(values.count == 3, "there are three axes")
        return (-Double(values[0]) / rawPerUnit, -Double(values[1]) / rawPerUnit, Double(values[2]) / rawPerUnit)
    }

    /// The raw numbers of three values; nil where one is beyond what a number can say.
    public static func rawFromValues(_ rawValues: [Double]) -> (RawType, RawType, RawType)? {
        guard rawValues.count == 3, let x = raw(-rawValues[0]), let y = raw(-rawValues[1]), let z = raw(rawValues[2])
        else { return nil }
        return (x, y, z)
    }

    private static func raw(_ value: Double) -> RawType? { RawType(value * rawPerUnit, above: .min, below: .max) }

    // MARK: What it is as a characteristic

    public static var properties: CBCharacteristicProperties { [.read, .notify] }

    public static var size: Int { 3 * RawType.size }

    public var rawValue: [RawType] { axes.raw }

    public init?(rawValue: [RawType]) {
        guard rawValue.count == 3 else { return nil }
        let (x, y, z) = Self.valuesFromRaw(rawValue)
        self.init(axes: SensorAxes(x: x, y: y, z: z, raw: rawValue))
    }

    public static var stringValues: [String] { [] }

    public var stringValue: [String: String] {
        [
            "x": hundredths(x), "y": hundredths(y), "z": hundredths(z), "xRaw": "\(rawValue[0])",
            "yRaw": "\(rawValue[1])", "zRaw": "\(rawValue[2])",
        ]
    }

    /// Takes the raw numbers; the others follow from them.
    public init?(stringValue: [String: String]) {
        guard let x: RawType = stringValue.number("xRaw"), let y: RawType = stringValue.number("yRaw"),
            let z: RawType = stringValue.number("zRaw")
        else { return nil }
        self.init(rawValue: [x, y, z])
    }
}

/// With two decimals, as the values of sensors are written.
func hundredths(_ value: Double) -> String {
    // Processors differ in the sign of what is no number.
    value.isNaN ? "nan" : String(format: "%.2f", value)
}
