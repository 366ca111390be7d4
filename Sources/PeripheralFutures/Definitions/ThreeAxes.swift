internal import CoreBluetooth

/// What sensors of three axes have in common: x and y are measured against the direction in which they are told.
enum ThreeAxes {
    static func values<Raw: BinaryInteger>(_ raw: [Raw], per unit: Double) -> (Double, Double, Double) {
        (-Double(raw[0]) / unit, -Double(raw[1]) / unit, Double(raw[2]) / unit)
    }

    static func raw<Raw>(_ values: [Double], per unit: Double, _ make: (Double) -> Raw?) -> (Raw, Raw, Raw)? {
        guard values.count == 3, let x = make(-values[0] * unit), let y = make(-values[1] * unit),
            let z = make(values[2] * unit)
        else { return nil }
        return (x, y, z)
    }

    static func text<Raw: BinaryInteger>(_ values: (Double, Double, Double), _ raw: [Raw]) -> [String: String] {
        [
            "x": hundredths(values.0), "y": hundredths(values.1), "z": hundredths(values.2), "xRaw": "\(raw[0])",
            "yRaw": "\(raw[1])", "zRaw": "\(raw[2])",
        ]
    }

    /// The raw numbers in a text; the others follow from them.
    static func raw<Raw: FixedWidthInteger>(in text: [String: String]) -> [Raw]? {
        guard let x: Raw = text.number("xRaw"), let y: Raw = text.number("yRaw"), let z: Raw = text.number("zRaw")
        else {
            return nil
        }
        return [x, y, z]
    }
}

/// With two decimals, as the values of sensors are written.
func hundredths(_ value: Double) -> String { String(format: "%.2f", value) }
