import BluethroatBluetoothValues
import BluethroatByteCoding

/// A value whose format is known from a Characteristic Presentation Format. Core 6.0, Vol 3, Part G, 3.3.3.5.
public struct PresentedValue: Hashable, Sendable {
    private let format: UInt8
    /// Power of ten that an integer is multiplied with.
    private let exponent: Int8
    private let unit: UInt16

    /// Nil for what is no such descriptor.
    ///
    /// - Parameter descriptor: the descriptor's value.
    public init?(format descriptor: [UInt8]) {
        guard descriptor.count == 7 else { return nil }
        format = descriptor[0]
        exponent = Int8(bitPattern: descriptor[1])
        unit = UInt16(descriptor[2]) | UInt16(descriptor[3]) << 8
    }

    /// What the value says, with its unit; nil if it is not of this format, or the format is not known.
    public func text(of bytes: [UInt8]) -> String? {
        switch format {
        case 0x01: return bytes.count == 1 ? (bytes[0] == 0 ? "false" : "true") : nil
        case 0x19: return bytes.isEmpty ? nil : DecodedValue.plainText(bytes)
        case 0x1A:
            guard bytes.count.isMultiple(of: 2), !bytes.isEmpty else { return nil }
            let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
            return String(validating: units, as: UTF16.self).map(DecodedValue.harmless)
        default:
            guard let number = digits(of: bytes) else { return nil }
            let symbol = Self.symbol(of: unit)
            return symbol.isEmpty ? number : "\(number) \(symbol)"
        }
    }

    /// The value as a number; nil if it is none, or the format is not known.
    public func number(of bytes: [UInt8]) -> Double? {
        if let float = float(of: bytes) { return float.isFinite ? float : nil }
        return digits(of: bytes).flatMap(Double.init)
    }

    // MARK: Numbers

    /// With more places than this, a number is written with an exponent.
    private static let mostPlaces = 24

    /// An integer's decimal point is moved, nothing is rounded. Where it would move further than `mostPlaces`, the exponent is
    /// written instead.
    private func digits(of bytes: [UInt8]) -> String? {
        // As a number of its own width: in 64 bits 0.1 of 32 bits is 0.10000000149011612.
        if let float = float(of: bytes) { return format == 0x14 ? "\(Float(float))" : "\(float)" }
        guard let integer = integer(of: bytes) else { return nil }
        let digits = "\(integer.magnitude)"
        let sign = integer < 0 ? "-" : ""
        guard exponent.magnitude <= Self.mostPlaces else { return integer == 0 ? "0" : "\(sign)\(digits)e\(exponent)" }
        if exponent >= 0 { return integer == 0 ? "0" : sign + digits + String(repeating: "0", count: Int(exponent)) }
        let places = -Int(exponent)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return sign + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// Assigned Numbers, 2.4.1: how many bits the integers have, and whether they have a sign.
    private func integer(of bytes: [UInt8]) -> Int64? {
        let widths: [UInt8: (bits: Int, isSigned: Bool)] = [
            0x02: (2, false), 0x03: (4, false), 0x04: (8, false), 0x05: (12, false), 0x06: (16, false),
            0x07: (24, false), 0x08: (32, false), 0x09: (48, false), 0x0C: (8, true), 0x0D: (12, true),
            0x0E: (16, true), 0x0F: (24, true), 0x10: (32, true), 0x11: (48, true), 0x12: (64, true),
        ]
        guard let (bits, isSigned) = widths[format], bytes.count == (bits + 7) / 8 else { return nil }
        let value = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        // Bits above the value's do not count; the highest of a signed one is its sign.
        let shift = 64 - bits
        let high = value << shift
        return isSigned ? high >> shift : Int64(bitPattern: UInt64(bitPattern: high) >> shift)
    }

    private func float(of bytes: [UInt8]) -> Double? {
        let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (format, bytes.count) {
        case (0x14, 4): return Double(Float(bitPattern: UInt32(bits)))
        case (0x15, 8): return Double(bitPattern: bits)
        case (0x16, 2): return Self.medical(mantissa: Int(bits & 0xFFF), bits: 12, exponent: Int(bits >> 12), of: 4)
        case (0x17, 4): return Self.medical(mantissa: Int(bits & 0xFF_FFFF), bits: 24, exponent: Int(bits >> 24), of: 8)
        default: return nil
        }
    }

    /// IEEE 11073-20601: a signed mantissa times a power of ten. The five mantissas around the most negative stand for
    /// what is no number.
    private static func medical(mantissa: Int, bits: Int, exponent: Int, of exponentBits: Int) -> Double {
        let half = 1 << (bits - 1)
        switch mantissa - half {
        case -2: return .infinity
        case -1, 0, 1: return .nan
        case 2: return -.infinity
        default: break
        }
        let signed = mantissa >= half ? mantissa - 2 * half : mantissa
        let limit = 1 << (exponentBits - 1)
        let power = exponent >= limit ? exponent - 2 * limit : exponent
        return power < 0 ? Double(signed) / Self.power(-power) : Double(signed) * Self.power(power)
    }

    private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

    // MARK: Units

    /// As people write a unit; of a rare one its name, and nothing where there is none.
    static func symbol(of unit: UInt16) -> String {
        if unit == 0x2700 || unit == 0 { return "" }
        if let symbol = symbols[unit] { return symbol }
        return BluetoothUUID(unit).assignedName(as: .unit) ?? "of unit 0x\(DecodedValue.hex(unit))"
    }

    private static let symbols: [UInt16: String] = [
        0x2701: "m", 0x2702: "kg", 0x2703: "s", 0x2704: "A", 0x2705: "K", 0x2706: "mol", 0x2707: "cd", 0x2710: "m²",
        0x2711: "m³", 0x2712: "m/s", 0x2713: "m/s²", 0x2720: "rad", 0x2722: "Hz", 0x2723: "N", 0x2724: "Pa",
        0x2725: "J", 0x2726: "W", 0x2727: "C", 0x2728: "V", 0x2729: "F", 0x272A: "Ω", 0x272F: "°C", 0x2731: "lx",
        0x2760: "min", 0x2761: "h", 0x2762: "d", 0x2763: "°", 0x2780: "bar", 0x2781: "mmHg", 0x27A6: "km/h",
        0x27AC: "°F", 0x27AD: "%", 0x27AF: "beats a minute",
    ]
}
