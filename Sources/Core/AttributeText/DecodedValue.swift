public import BluethroatBluetoothValues
import BluethroatByteCoding

/// Values of attributes in words for people. Formats from the GATT Specification Supplement and from the Core
/// Specification, Vol 3, Part C, 12 and Part G; TI's own from the sources of its key fob.
public enum DecodedValue {
    /// A sentence, or nil where the bytes have no known meaning.
    public static func text(of bytes: [UInt8], uuid: BluetoothUUID?) -> String? {
        guard let short = uuid?.short else { return plainText(bytes) }
        var cursor = bytes.span.bytes
        // A value that breaks the rules of its type is shown as any other bytes.
        guard let known = try? decode(short, &cursor), cursor.byteCount == 0 else { return plainText(bytes) }
        return known
    }

    /// Text if all of it is: as peers do, with or without a NUL at the end.
    public static func plainText(_ bytes: [UInt8]) -> String? {
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        guard end > 1, let text = String(validating: bytes[..<end], as: UTF8.self) else { return nil }
        return text.unicodeScalars.allSatisfy(\.isShown) ? text : nil
    }

    private static func decode(_ uuid: UInt16, _ bytes: inout RawSpan) throws(DecodeError) -> String? {
        switch uuid {
        case 0x2A00, 0x2A24...0x2A29, 0x2901: try string(&bytes)
        case 0x2A01: Appearance(rawValue: try bytes.takeUInt16()).description
        case 0x2A02: try bytes.takeUInt8() == 0 ? "privacy off" : "privacy on"
        case 0x2A03: try DeviceAddress(parsing: &bytes, kind: .public).description
        case 0x2A04: try preferredParameters(&bytes)
        case 0x2A05: try handleRange(&bytes)
        case 0x2A06: name(try bytes.takeUInt8(), ["none", "mild", "high"])
        case 0x2A07: "\(try bytes.takeInt8()) dBm"
        case 0x2A19: "\(try bytes.takeUInt8()) %"
        case 0x2A23: try systemID(&bytes)
        case 0x2A2A: try certification(&bytes)
        case 0x2A50: try plugAndPlay(&bytes)
        case 0x2AA6: try bytes.takeUInt8() == 0 ? "not supported" : "supported"
        case 0x2A37: try heartRate(&bytes)
        case 0x2A38: name(try bytes.takeUInt8(), ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"])
        case 0x2A6E: hundredths(Int(Int16(bitPattern: try bytes.takeUInt16())), unknown: -0x8000, " °C")
        case 0x2A6F: hundredths(Int(try bytes.takeUInt16()), unknown: 0xFFFF, " %")
        case 0x2900...0x2908: try DecodedDescriptor.decode(uuid, &bytes)
        case 0x2B29: try bits(&bytes, ["robust caching", "enhanced ATT", "multiple notifications"])
        case 0x2B3A: try bits(&bytes, ["enhanced ATT"])
        case 0xFFA1: name(try bytes.takeUInt8(), ["off", "on"])
        case 0xFFA2: try accelerometerRange(&bytes)
        case 0xFFA3...0xFFA5: "\(try bytes.takeInt8()) counts"
        case 0xFFE1: name(try bytes.takeUInt8(), ["none", "left", "right", "both"])
        default: nil
        }
    }
}

// MARK: Characteristics

extension DecodedValue {
    private static func string(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let all = bytes.takeRest()
        let end = all.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        return String(decoding: all[..<end], as: UTF8.self).shown
    }

    private static func preferredParameters(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let minimum = try bytes.takeUInt16()
        let maximum = try bytes.takeUInt16()
        let latency = try bytes.takeUInt16()
        let timeout = try bytes.takeUInt16()
        return "interval \(milliseconds(minimum)) to \(milliseconds(maximum)), latency \(latency), timeout "
            + (timeout == 0xFFFF ? "any" : "\(Int(timeout) * 10) ms")
    }

    /// In steps of 1.25 ms; all ones leave it open.
    private static func milliseconds(_ steps: UInt16) -> String {
        guard steps != 0xFFFF else { return "any" }
        let hundredths = Int(steps) * 125
        return hundredths % 100 == 0 ? "\(hundredths / 100) ms" : "\(Double(hundredths) / 100) ms"
    }

    private static func handleRange(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let first = try bytes.takeUInt16()
        return "changed 0x\(hex(first)) to 0x\(hex(try bytes.takeUInt16()))"
    }

    /// A 40-bit number of the maker's, then the maker's 24 bits, least significant byte first.
    private static func systemID(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let serial = try bytes.takeBytes(5)
        let maker = try bytes.takeBytes(3)
        if serial.allSatisfy({ $0 == 0 }), maker.allSatisfy({ $0 == 0 }) { return "not set" }
        let text = "maker \(Array(maker.reversed()).hex(separator: ":").uppercased())"
        // An address in disguise: TI puts zeroes between its halves, the Supplement FF FE.
        guard [[0, 0], [0xFE, 0xFF]].contains(Array(serial[3...])) else {
            return text + ", number \(Array(serial.reversed()).hex)"
        }
        let address = Array((serial[..<3] + maker).reversed()).hex(separator: ":").uppercased()
        return text + ", address \(address)"
    }

    private static func certification(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let authorities = [0: "empty", 1: "IEEE 11073-20601", 2: "Continua", 254: "experimental"]
        let body = try bytes.takeUInt8()
        let structure = try bytes.takeUInt8()
        let data = bytes.takeRest()
        let rest = plainText(data) ?? data.hex
        return "authority \(authorities[Int(body)] ?? "\(body)"), structure \(structure)"
            + (rest.isEmpty ? "" : ", \(rest)")
    }

    private static func plugAndPlay(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let source = try bytes.takeUInt8()
        let vendor = try bytes.takeUInt16()
        let product = try bytes.takeUInt16()
        let version = try bytes.takeUInt16()
        let company = CompanyIdentifier(rawValue: vendor).name ?? "Bluetooth company 0x\(hex(vendor))"
        let maker = source == 1 ? company : source == 2 ? "USB vendor 0x\(hex(vendor))" : "vendor 0x\(hex(vendor))"
        // 0xJJMN is version JJ.M.N.
        return "\(maker), product 0x\(hex(product)), version "
            + "\(version >> 8).\(version >> 4 & 0xF).\(version & 0xF)"
    }

    private static func heartRate(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let flags = try bytes.takeUInt8()
        let rate = flags & 1 == 0 ? Int(try bytes.takeUInt8()) : Int(try bytes.takeUInt16())
        _ = bytes.takeRest()
        return "\(rate) beats a minute"
    }

    private static func accelerometerRange(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let tenths = Int(try bytes.takeUInt16())
        return (tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)") + " g"
    }
}

// MARK: Building blocks

extension DecodedValue {
    static func name(_ value: UInt8, _ names: [String]) -> String? {
        Int(value) < names.count ? names[Int(value)] : nil
    }

    static func hex(_ value: UInt16) -> String { [UInt8(value >> 8), UInt8(value & 0xFF)].hex.uppercased() }

    /// - Parameter unknown: what stands for a value that the device does not know. GATT Specification Supplement, 3.
    private static func hundredths(_ value: Int, unknown: Int, _ unit: String) -> String {
        guard value != unknown else { return "not known" }
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 100)
        return (value < 0 ? "-" : "") + "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)\(unit)"
    }

    /// The names of the bits that are set, least significant first, in as many bytes as there are.
    static func bits(_ bytes: inout RawSpan, _ names: [String]) throws(DecodeError) -> String? {
        let all = bytes.takeRest()
        guard !all.isEmpty else { return nil }
        let set = names.indices.filter { $0 / 8 < all.count && all[$0 / 8] >> ($0 % 8) & 1 == 1 }
        return set.isEmpty ? "none" : set.map { names[$0] }.joined(separator: ", ")
    }
}

extension DecodedValue {
    /// A peer chooses its name; it shall not choose what a terminal does.
    public static func harmless(_ name: String) -> String { name.shown }
}
